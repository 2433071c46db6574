//! What a value costs, what a call allocates: exact counts by a metering allocator.
//!
//! ```
//! use tourbillon_mem::{Meter, assert_allocs, count, footprint};
//!
//! #[global_allocator]
//! static ALLOC: Meter = Meter::system();
//!
//! let (list, used) = count(|| vec![1_u64; 100]);
//! assert_eq!(used.to_string(), "1 alloc (800 B), kept 800 B in 1 block, peak 800 B");
//! assert_allocs!(0, list.iter().sum::<u64>());
//! let cost = footprint(|| vec![1_u64; 100]);
//! assert_eq!((cost.inline_bytes, cost.owned.requested_bytes), (24, 800));
//! ```
//!
//! * The allocator: [`Meter`] around the system's or any other one; never installed by this crate.
//!   Whether one is there: [`installed`].
//! * One call: [`tally`], and [`tally_process`] for the threads that it starts. [`Counts`].
//! * The operating system's view: [`peak_resident_bytes`], [`thread_page_faults`].
//!
//! With the feature `full`, which is on by default and which benchmarks leave out:
//!
//! * One call, for people: `count`, `count_process`, with sizes of the blocks and a text; in tests,
//!   `assert_allocs!`.
//! * One value: `footprint`, `footprint_of`, `footprint_each`, `footprint_by`, `slack`,
//!   `slack_by_clone`; in words, `size_report`.
//! * One type: `layout_of`, `layout!`.
//!
//! Counts are of this thread unless it says otherwise: tests that run at the same time do not
//! disturb each other. What could not be counted is an error or `None`, never 0.

#[cfg(feature = "full")]
mod by_size;
#[cfg(feature = "full")]
mod count;
mod counts;
#[cfg(feature = "full")]
mod details;
#[cfg(feature = "full")]
mod each;
mod faults;
#[cfg(feature = "full")]
mod footprint;
mod gate;
#[cfg(feature = "full")]
mod heap;
mod hooks;
mod installed;
#[cfg(feature = "full")]
mod layout;
mod meter;
#[cfg(target_os = "linux")]
mod proc_file;
mod process;
mod region;
mod resident;
mod shard;
#[cfg(feature = "full")]
mod size_report;
#[cfg(feature = "full")]
mod size_text;
#[cfg(feature = "full")]
mod sizes;
#[cfg(feature = "full")]
mod slack;
mod tally;
mod unavailable;
mod usable;

#[cfg(feature = "full")]
pub use by_size::{BySize, footprint_by};
#[cfg(feature = "full")]
pub use count::{Used, count, count_process, expect_allocs, try_count};
pub use counts::{Counts, ProcessCounts};
#[cfg(feature = "full")]
pub use each::{Each, footprint_each};
pub use faults::{PageFaults, process_page_faults, thread_page_faults};
#[cfg(feature = "full")]
pub use footprint::{Confirmation, Footprint, footprint, footprint_of};
#[cfg(feature = "full")]
pub use heap::Heap;
pub use installed::{NotMetered, check_installed, installed};
#[cfg(feature = "full")]
pub use layout::{FieldLayout, Hole, StructLayout, TypeLayout, field, layout_of};
pub use meter::Meter;
pub use region::{Counting, tally, tally_process};
pub use resident::{peak_resident_bytes, reset_peak_resident};
#[cfg(feature = "full")]
pub use size_report::{SizeReport, size_report, size_report_items};
#[cfg(feature = "full")]
pub use sizes::Sizes;
#[cfg(feature = "full")]
pub use slack::{Slack, slack, slack_by_clone};
pub use unavailable::Unavailable;
pub use usable::{BlockSize, UsableSize};

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../README.md")]
struct Readme;
