//! Keep, hide, loops, windows, pilot, sampling: runs one visit.
//!
//! A [`Suite`] offers cases; [`visit`] runs the one that a plan names: first call, pilot, warm-up,
//! then rounds of batches in random order until the budget is used up. What it returns are raw
//! samples in ticks: no estimate is made here. [`compare`] runs several cases batch by batch beside
//! each other.
//!
//! A visit may count instead of time: `count` hands what happens in the
//! timed regions to a `Ledger`.
//!
//! Nothing is allocated, printed or asked of the operating system inside a timed region, and no
//! thread is ever started but for [`on_threads`]: one `thread::spawn` makes the allocator slower for the
//! rest of a process.

mod alone;
mod alternate;
mod arm;
mod arms;
mod bits;
mod budget;
mod contention;
mod fenced;
mod heartbeat;
mod hide;
mod identity;
mod keep;
mod ledger;
mod list;
mod loops;
mod memory;
mod meter;
mod pilot;
mod prepare;
mod randomize_layout;
mod repeat;
mod sampling;
mod suite;
mod system;
mod together;
mod turns;
mod visit;
mod warmup;
mod working_set;

pub use alternate::{Candidate, Next, alternate};
pub use arm::{About, Arm, Drive, Limits, Measures, Reading, Stretch};
pub use arms::{
    Awaited, BlockOn, Chained, Control, Controlled, Counted, Executor, Iterated, Kept, Prepared,
    Restored, Streamed, moving, on_threads,
};
pub use budget::{WINDOW_BYTES, WINDOW_ITEMS};
pub use contention::all_contended;
pub use hide::hide;
pub use identity::IDENTITY;
pub use keep::keep;
pub use ledger::{Ledger, Tallied};
pub use list::{Trouble, each, try_once};
pub use memory::count;
pub use meter::{Meter, Metered, visit_by};
pub use repeat::repeat;
pub use suite::{CaseOptions, Suite, Visitor};
pub use system::{Silent, System};
pub use together::compare;
pub use turns::{Peer, take_turns};
pub use visit::{measure, visit};
