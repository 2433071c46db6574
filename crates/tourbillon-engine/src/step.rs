//! One stepped launch: ops of this process that another one executes instruction by instruction.
//!
//! ```text
//! the first call, and 18 iterations, the last two together
//! 1 and 2 iterations of an empty body in the same kind of loop
//! 1 iteration, 2 together, 1          # enough if they are steady
//! 4 times: 1 iteration
//! ```
//!
//! It follows what is between the two readings of the clock, which the clock marks for it.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Frame, Plan};

use crate::arm::{About, Arm, Suite};
use crate::find::find;

/// Iterations after the first call that are not stepped.
const SKIPPED: u32 = 16;
/// Single iterations after the pair.
const SINGLES: u32 = 5;

/// What a batch is, for the process that steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Of the empty body.
    Empty,
    /// Of the case.
    Ops,
    /// There are no more.
    Over,
}

/// Makes the stepped launch that `plan` asks for. `mark` is called before each batch, with its iterations, and
/// the regions of `clock` tell where it begins and ends.
pub fn step(
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    mark: &(dyn Fn(Step, u64) + Sync),
    send: &mut (dyn FnMut(Frame) + Send),
) {
    let mut measure = |arm: &mut dyn Arm, about: About, _, _: &mut dyn FnMut(Frame)| {
        if about.isolated {
            return Err(
                "`isolated()` measures first calls, which nothing can confirm; remove it"
                    .to_owned(),
            );
        }
        arm.first(clock)?;
        for _ in 0..SKIPPED {
            arm.batch(clock, BatchShape::of_items(1));
        }
        // Two inputs at once, unless the benchmark limits them to one. The first two outputs that are alive together
        // may cost the allocator more than later ones.
        let pair = arm.limits().window_items.unwrap_or(2).min(2);
        arm.batch(clock, BatchShape::of_items(pair));
        for iterations in [1, pair] {
            mark(Step::Empty, iterations);
            arm.loop_kind().run_empty(clock, iterations);
        }
        let singles = std::iter::repeat_n(1, SINGLES as usize);
        for iterations in [1, pair].into_iter().chain(singles) {
            mark(Step::Ops, iterations);
            arm.batch(clock, BatchShape::of_items(iterations));
        }
        mark(Step::Over, 0);
        Ok(Frame::Bye)
    };
    find(suite, plan, clock, &mut measure, send);
}
