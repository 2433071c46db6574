//! From rounds to verdicts: is it faster, slower, the same?
//!
//! 1. **Pair**: the log of the ratio of two batches of one round, per op, less what a batch of no
//!    iterations reads. Which of the two came first was decided by a fair coin, so that, if both are
//!    the same code, the pair is symmetric about zero whatever the machine did.
//! 2. **Unit**: for functions in one process, the pair; for cases, which are alive in several processes,
//!    the process, and for two builds a pair of processes: its value is the Hodges-Lehmann centre of
//!    its pairs.
//! 3. **Looks** at a growing number of units share the error that is allowed; at each, the
//!    signed-rank interval of the units, cut with those of the looks before.
//! 4. The interval that is printed decides: above the margin *slower*, below *faster*, inside *same*,
//!    else *undecided*, with the time that it would still take.
//!
//! Everything here is `#[inline]`: it is compiled into the programs that compare, not into every
//! bench binary.

mod builds;
mod control;
mod evidence;
mod functions;
mod interference;
mod looks;
mod pairs;
mod processes;
mod sequence;

pub use builds::{BUILDS_METHOD, builds_settled, judge_builds};
pub use evidence::{evidence, evidence_builds};
pub use functions::{FUNCTIONS_METHOD, fastest_two, judge, settled};
pub use interference::disturbed;
pub use looks::is_look;
pub use processes::{PROCESSES_METHOD, judge_processes, processes_settled};
pub use sequence::Criteria;
