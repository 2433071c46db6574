//! Keep, hide, loops, windows, pilot, sampling: runs one launch.
//!
//! A [`Suite`] holds cases; [`run_launch`] runs the one that a plan names: first call, pilot, warm-up,
//! then rounds of batches in random order until the budget is used up. It returns raw samples in ticks and makes no
//! estimate. [`alternate`] runs several arms alternately, batch by batch. [`count`] hands what happens
//! in the timed regions to a [`Ledger`] instead of timing them; in [`step`] they are followed from outside.
//!
//! Nothing is allocated, printed or asked of the operating system inside a timed region, and no
//! thread is ever started except by [`on_threads`]: one `thread::spawn` makes the allocator slower for the
//! rest of a process.

mod arm;
mod arms;
mod calibrate;
mod find;
mod heartbeat;
mod identity;
mod interleave;
mod launch;
mod loops;
mod memory;
mod meter;
mod randomize_layout;
mod repeat;
mod sample;
mod step;

pub use arm::{About, Arm, Drive, Limits, Measures, Number, Pace, Reading, Suite, Visitor};
pub use arms::{
    Awaited, BlockOn, Chained, Control, Controlled, Counted, Executor, Iterated, Kept, LoopKind,
    Prepared, Restored, SelfTimed, Single, Streamed, awaited_borrowing, awaited_consuming, moving,
    on_threads,
};
pub use calibrate::{WINDOW_BYTES, WINDOW_ITEMS};
pub use find::{Trouble, each, try_once};
pub use identity::{IDENTITY, process_id};
pub use interleave::{Candidate, Next, Peer, alternate, take_turns};
pub use launch::{Silent, System, Threads, measure, run_launch};
pub use loops::hide::hide;
pub use loops::keep::keep;
pub use memory::{Ledger, Tallied, count};
pub use meter::{Meter, Metered};
pub use repeat::repeat;
pub use sample::all_contended;
pub use step::{Step, step};
