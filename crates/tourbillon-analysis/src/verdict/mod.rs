//! From rounds to verdicts: is it faster, slower, the same?
//!
//! 1. **Pair**: the log of the ratio of two batches of one round, per op, less what a batch of no
//!    iterations reads. A fair coin decided which of the two came first, so that, if both are the
//!    same code, the pair is symmetric about zero whatever the machine did.
//! 2. **Unit**: for functions in one process, the pair. For cases of a run, a block of launches: its value is the log
//!    of the ratio of their estimates. For two builds, a pair of processes: its value is the Hodges-Lehmann centre of
//!    its pairs.
//! 3. **Looks** at a growing number of units share the allowed error; at each, the signed-rank
//!    interval of the units, cut with those of the looks before.
//! 4. The interval that is printed decides: above the margin *slower*, below it *faster*, inside *same*,
//!    otherwise *undecided*, with the time that a decision would still take.

mod blocks;
mod criteria;
mod design;
mod evidence;
mod interference;
mod judge;
mod numbers;
mod placement;
mod sequence;
mod units;

pub use blocks::{Block, BlockArm, BlocksLeft, blocks, blocks_left, fastest_arms, judge_blocks};
pub use criteria::Criteria;
pub use design::{BLOCKS, Design, differs, is_size_open};
pub use evidence::evidence;
pub use interference::disturbed;
pub use judge::{fastest_two, judge, settled, settled_among};
pub use numbers::{judge_numbers, with_margin};
pub use placement::placement_spread;
pub use sequence::{fewest_pairs, first_deciding_look, is_look, more_needed};
pub use units::{ratios, ticks_per_op, typical_ticks_per_op};
