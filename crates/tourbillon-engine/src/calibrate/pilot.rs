//! The pilot: finds the length of batches.

use std::num::NonZeroU64;

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Pilot, Plan};
use tourbillon_stats::Rng;

use super::Budget;
use crate::arm::Arm;
use crate::loops::UNROLLED;

/// A length from the pilot launch is found again when its batch is off by more than this factor.
const OFF_BY: u64 = 4;

/// Finds the batch length of `arm`; `first_call` is what the first iteration took, in ticks.
///
/// The length grows by doubling until a batch lasts long enough; a crossing is confirmed by a second
/// batch, so that one interruption does not end the search early.
pub(crate) fn pilot(
    arm: &mut dyn Arm,
    clock: &Clock,
    plan: &Plan,
    budget: &Budget,
    first_call: u64,
    steps: &mut Pilot,
) -> BatchShape {
    let mut probe = Probe { arm, clock, steps };
    // A call this long is most likely a batch by itself, also when a part of it comes only in the first one.
    if first_call > budget.extra {
        return BatchShape::of_items(1);
    }
    match probe.arm.limits().window_bytes_per_item {
        Some(bytes) => {
            let limit = probe.arm.limits().window_items;
            windowed(&mut probe, most_items(plan, bytes, limit), plan, budget)
        }
        None if probe.arm.limits().loops_itself => own_loop(&mut probe, budget),
        None => plain(&mut probe, budget),
    }
}

/// Whether a batch of the length that the pilot launch found has the right length here, too. Near the limit between
/// windows of one item and of several each launch has a draw of its own, unless it takes turns with another one.
pub(crate) fn still_fits(
    arm: &mut dyn Arm,
    clock: &Clock,
    plan: &Plan,
    length: BatchShape,
    budget: &Budget,
    steps: &mut Pilot,
) -> bool {
    if plan.turns.is_none() && is_drawn(arm, length) {
        return false;
    }
    if !length.slope {
        return true;
    }
    let mut probe = Probe { arm, clock, steps };
    let (ticks, outside) = probe.batch(length);
    let short = ticks < budget.batch / OFF_BY && outside < budget.batch_outside / OFF_BY;
    if probe.arm.limits().loops_itself {
        // Its batches are as long as its calls make them, and its iterations take a good part of them.
        let (twice, _) = probe.batch(length.times(2));
        return !short && twice >= ticks.saturating_add(ticks / OFF_BY);
    }
    !short && ticks <= budget.batch.saturating_mul(OFF_BY)
}

/// Items that a window of the long batch may hold, by count and by bytes; at least two, unless the arm has
/// a limit.
fn most_items(plan: &Plan, bytes_per_item: usize, limit: Option<u64>) -> u64 {
    let by_bytes = plan.window_bytes / (bytes_per_item.max(1) as u64);
    let most = plan.window_items.min(by_bytes).max(2);
    limit.map_or(most, |limit| most.min(limit.max(1)))
}

/// A call of this part of a short batch, or longer, is alone in its window: the body gets the memory of the output before,
/// as in a program that drops each output. With other inputs and outputs alive it gets other memory, and takes up to a
/// quarter longer. Reading the clock takes a few hundredths of the shortest such call, and is subtracted.
const ALONE: u64 = 64;
/// What the draw at that limit is derived by.
const DRAW: u64 = 0x61;
/// In how many parts it is made.
const PARTS: NonZeroU64 = NonZeroU64::new(1 << 20).expect("not zero");

/// Whether a call of so many ticks is alone in its window. From 0.7 to 1.4 times the limit the launch's seed decides, so
/// that chance gives no run one and the next the other.
fn is_alone(ticks: u64, budget: &Budget, seed: u64) -> bool {
    let part = Rng::new(Rng::new(seed).derive(DRAW)).below(PARTS) as f64 / PARTS.get() as f64;
    let limits = ticks.saturating_mul(ALONE) as f64 / budget.batch.max(1) as f64;
    limits > (part - 0.5).exp2()
}

/// Whether a body with windows has this length near that limit. A number of windows may have been drawn, from half of
/// what was found on.
fn is_drawn(arm: &dyn Arm, length: BatchShape) -> bool {
    let is_near = if length.slope {
        (ALONE / 2..=2 * ALONE).contains(&length.iterations())
    } else {
        length.items == 1 && length.windows >= ALONE / 4
    };
    is_near && arm.limits().window_bytes_per_item.is_some()
}

/// How many times the cost of a call the iterations of a body that loops itself take in a batch.
const MOSTLY: u64 = 4;
/// Batches whose median is looked at while the length of such a body is searched.
const TRIALS: usize = 3;
/// Batches whose median confirms it.
const MORE_TRIALS: usize = 9;
/// The search ends after so many times the longest call that is repeated to learn something.
const LONGEST_SEARCH: u64 = 4;

/// Runs batches and records them.
struct Probe<'p> {
    arm: &'p mut dyn Arm,
    clock: &'p Clock,
    steps: &'p mut Pilot,
}

impl Probe<'_> {
    /// One batch: its ticks of work, and its ticks with all that is around the timed region.
    fn batch(&mut self, shape: BatchShape) -> (u64, u64) {
        let start = self.clock.now();
        let reading = self.arm.batch(self.clock, shape);
        let outside = self.clock.now().0.wrapping_sub(start.0);
        self.steps.windows.push(shape.windows);
        self.steps.items.push(shape.items);
        self.steps.unroll.push(shape.unroll);
        self.steps.ticks.push(reading.ticks.0);
        match self.arm.work() {
            Some(work) => (work, work),
            None => (reading.ticks.0, outside),
        }
    }

    /// The medians of several batches, by ticks and by ticks around them; one batch where that takes a quarter of the
    /// longest call that is repeated.
    fn typical(&mut self, items: u64, trials: usize, budget: &Budget) -> (u64, u64) {
        let shape = BatchShape::of_items(items);
        let (mut ticks, mut outside) = (Vec::with_capacity(trials), Vec::with_capacity(trials));
        while ticks.len() < trials {
            let (own, around) = self.batch(shape);
            ticks.push(own);
            outside.push(around);
            if around >= budget.extra / 4 {
                break;
            }
        }
        (middle(&mut ticks), middle(&mut outside))
    }

    /// The smaller of two batches where the first one reaches `enough`, by timed ticks or by ticks
    /// around them: both have to.
    fn confirmed(&mut self, shape: BatchShape, enough: u64, enough_outside: u64) -> (u64, u64) {
        let (ticks, outside) = self.batch(shape);
        if ticks < enough && outside < enough_outside {
            return (ticks, outside);
        }
        let (again, outside_again) = self.batch(shape);
        (ticks.min(again), outside.min(outside_again))
    }
}

/// The middle value, of two in the middle the upper one.
fn middle(values: &mut [u64]) -> u64 {
    values.sort_unstable();
    values[values.len() / 2]
}

/// The length for a body without windows.
///
/// The loop has eight copies of the body wherever eight calls fit into a short batch, so that its form
/// does not depend on how long the body seemed to be: only a body of about an eighth of a batch can get
/// either form, and its loop takes a ten-thousandth of a call.
fn plain(probe: &mut Probe<'_>, budget: &Budget) -> BatchShape {
    let unrolls = probe.arm.limits().unrolls;
    let unroll = |items: u64| {
        if unrolls && items >= u64::from(UNROLLED) {
            UNROLLED
        } else {
            1
        }
    };
    let mut items: u64 = 1;
    let ticks = loop {
        let shape = BatchShape {
            unroll: unroll(items),
            ..BatchShape::of_items(items)
        };
        let (ticks, outside) = probe.confirmed(shape, budget.batch, budget.batch_outside);
        if ticks >= budget.batch || outside >= budget.batch_outside || items >= 1 << 40 {
            break ticks;
        }
        items *= 2;
    };
    // The last doubling may have overshot by nearly two.
    let scaled = (u128::from(items) * u128::from(budget.batch) / u128::from(ticks.max(1))) as u64;
    let fitting = scaled.clamp((items / 2).max(1), items);
    let unroll = unroll(fitting);
    let step = u64::from(unroll);
    BatchShape {
        windows: 1,
        items: fitting / step * step,
        unroll,
        // A body that is a batch by itself is called once: the fixed cost is a small part of it.
        slope: items > 1,
    }
}

/// The length for a body that loops itself: long enough for the samples, and its iterations take most of a batch.
///
/// A call may cost more than its iterations, and that cost may vary. What the iterations take is the difference of
/// two batches of which one has twice as many, by the medians of repeated batches: a single pair is chance.
fn own_loop(probe: &mut Probe<'_>, budget: &Budget) -> BatchShape {
    let mut items = 1;
    let mut once = probe.typical(items, TRIALS, budget);
    let mut spent = 0_u64;
    let (once, twice) = loop {
        let mut twice = probe.typical(2 * items, TRIALS, budget);
        spent = spent.saturating_add(TRIALS as u64 * twice.1);
        let is_long = once.0 >= budget.batch || once.1 >= budget.batch_outside;
        if is_long && are_mostly_iterations(once.0, twice.0) {
            once = probe.typical(items, MORE_TRIALS, budget);
            twice = probe.typical(2 * items, MORE_TRIALS, budget);
            if are_mostly_iterations(once.0, twice.0) {
                break (once.0, twice.0);
            }
        }
        if spent >= budget.extra * LONGEST_SEARCH || items >= 1 << 39 {
            break (once.0, twice.0);
        }
        items *= 2;
        once = twice;
    };
    // The last doubling may have overshot by nearly two.
    let fixed = (2 * once).saturating_sub(twice);
    let enough = budget.batch.max(fixed.saturating_mul(MOSTLY + 1));
    let scaled = (u128::from(items) * u128::from(enough) / u128::from(once.max(1))) as u64;
    BatchShape {
        slope: true,
        ..BatchShape::of_items(scaled.clamp((items / 2).max(1), items))
    }
}

/// Whether iterations take [`MOSTLY`] times the cost of a call or more, by the ticks of a batch and of one with twice
/// the iterations: with a cost of 1 and iterations of 4 these are 5 and 9.
fn are_mostly_iterations(once: u64, twice: u64) -> bool {
    let least = (2 * MOSTLY + 1).saturating_mul(once);
    twice.saturating_mul(MOSTLY + 1) >= least
}

/// The length for a body with windows of at most `most` items.
fn windowed(probe: &mut Probe<'_>, most: u64, plan: &Plan, budget: &Budget) -> BatchShape {
    let mut items = 1;
    let (mut ticks, mut outside);
    let alone = loop {
        let shape = BatchShape::of_items(items);
        // The second of two single calls finds memory as those do that are measured.
        let long = if items == 1 {
            budget.batch / (2 * ALONE)
        } else {
            budget.batch
        };
        (ticks, outside) = probe.confirmed(shape, long, budget.window_outside);
        if items == 1 && is_alone(ticks, budget, plan.seed) {
            break true;
        }
        let enough = ticks >= budget.batch || outside >= budget.window_outside;
        if enough || items * 4 > most {
            break false;
        }
        items *= 2;
    };
    let timed = budget.batch / ticks.max(1);
    let around = budget.batch_outside / outside.max(1);
    BatchShape {
        windows: timed.min(around).max(1),
        // A long batch has two items in a window.
        slope: most > 1 && !alone,
        ..BatchShape::of_items(items)
    }
}
