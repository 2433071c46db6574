//! Exact counts of what a value costs and what a call allocates, by a metering allocator.
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
//! * The allocator: [`Meter`] around the system's or any other one; this crate never installs it.
//!   Whether one is installed: [`installed`].
//! * One call: [`tally`], and [`tally_process`] with the threads that it starts. [`Counts`].
//! * The operating system's figures: [`peak_resident_bytes`], [`thread_page_faults`].
//!
//! With the default feature `full`, which benchmarks disable:
//!
//! * One call, with sizes of the blocks and a text: `count`, `count_process`; in tests,
//!   `assert_allocs!`.
//! * One value: `footprint`, `footprint_of`, `footprint_each`, `footprint_by`, `slack`,
//!   `slack_by_clone`; in words, `size_report`.
//! * One type: `layout_of`, `layout!`.
//!
//! Counts are of this thread unless stated otherwise: concurrent tests do not disturb each other.
//! What could not be counted is an error or `None`, never 0.

mod counts;
mod hooks;
mod meter;
mod process;
mod region;
#[cfg(any(windows, target_os = "macos"))]
mod resident;
mod shard;
mod system;
mod tally;
mod usable;

#[cfg(feature = "full")]
mod containers;
#[cfg(feature = "full")]
mod count;
#[cfg(feature = "full")]
mod details;
#[cfg(feature = "full")]
mod footprint;
#[cfg(feature = "full")]
mod layout;
#[cfg(feature = "full")]
mod size_report;
#[cfg(feature = "full")]
mod size_text;

pub use counts::{Counts, ProcessCounts};
pub use meter::Meter;
pub use region::{Counting, NotMetered, check_installed, installed, tally, tally_process};
pub use system::{
    PageFaults, Unavailable, peak_resident_bytes, process_page_faults, reset_peak_resident,
    thread_page_faults,
};
pub use usable::{BlockSize, UsableSize};

#[cfg(feature = "full")]
pub use {
    containers::{BySize, Slack, footprint_by, slack, slack_by_clone},
    count::{Used, count, count_process, expect_allocs, try_count},
    details::Sizes,
    footprint::{Confirmation, Footprint, Heap, footprint, footprint_of},
    layout::{FieldLayout, Hole, StructLayout, TypeLayout, field, layout_of},
    size_report::{Each, SizeReport, footprint_each, size_report, size_report_items},
};

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../README.md")]
struct Readme;
