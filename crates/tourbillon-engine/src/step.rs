//! One stepped launch: ops of this process that another one executes instruction by instruction.
//!
//! ```text
//! the first call, and 18 iterations, the last two together
//! 1 and 2 iterations of an empty body in the same kind of loop
//! 1 iteration, 2 together, 1          # enough if they are steady
//! 4 times: 1 iteration
//! ```
//!
//! Where the other process has events counted, the ops run by themselves, in short and long batches as if they were
//! timed: 16 pairs, or those of the time of the plan.
//!
//! It follows what is between the two readings of the clock, which the clock marks for it.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Frame, Pilot, Plan};

use crate::arm::{About, Arm, Suite};
use crate::calibrate::{Budget, pilot};
use crate::find::find;

/// Iterations after the first call that are not stepped.
const SKIPPED: u32 = 16;
/// Single iterations after the pair.
const SINGLES: u32 = 5;
/// Short batches in which events are counted, each with a long one, at most and at least.
const PAIRS: (u32, u32) = (16, 2);
/// Timed parts of such a batch, at most: the other process looks at each twice, in 100 us.
const WINDOWS: u64 = 8;

/// What a batch is, for the process that steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Of the empty body.
    Empty,
    /// Of the case.
    Ops,
    /// None: so many ops are in each of the iterations that follow.
    OpsPerIteration,
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
        let first = arm.first(clock)?;
        if plan.events.is_some() {
            let (budget, mut steps) = (Budget::of(plan, None), Pilot::default());
            let mut shape = pilot(arm, clock, plan, &budget, first.ticks.0, &mut steps);
            shape.windows = shape.windows.min(WINDOWS);
            let began = clock.now().0;
            mark(Step::OpsPerIteration, about.ops_per_iteration);
            for pair in 0..PAIRS.0 {
                if pair >= PAIRS.1 && clock.now().0.wrapping_sub(began) > budget.samples {
                    break;
                }
                for factor in 1..=1 + u64::from(shape.slope) {
                    let batch = shape.times(factor);
                    mark(Step::Ops, batch.iterations());
                    arm.batch(clock, batch);
                }
            }
            mark(Step::Over, 0);
            return Ok(Frame::Bye);
        }
        for _ in 0..SKIPPED {
            arm.batch(clock, BatchShape::of_items(1));
        }
        // Two inputs at once, unless the benchmark limits them to one. The first two outputs that are alive together
        // may cost the allocator more than later ones.
        let pair = arm.limits().window_items.unwrap_or(2).min(2);
        arm.batch(clock, BatchShape::of_items(pair));
        mark(Step::OpsPerIteration, about.ops_per_iteration);
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
