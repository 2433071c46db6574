//! One moment on two clocks.

use crate::{Clock, Ticks, os};

/// How often the moment is taken; the narrowest is kept.
const TRIPLES: usize = 16;

/// Assumed step of a reference clock that did not move during all the triples: the coarsest that
/// any system's monotonic clock is updated with (64 times a second).
const COARSEST_STEP_NS: u64 = 15_625_000;

/// A moment on a clock and on the operating system's reference clock.
///
/// The reference (`CLOCK_MONOTONIC_RAW` on Linux) is read between two readings of the clock: it was
/// latched at a tick in between, for certain. Of sixteen such triples the one with the narrowest
/// bracket is kept, so that an interruption in one of them does no harm. Two anchors make a
/// [`CrossCheck`](crate::CrossCheck).
///
/// # Cost
///
/// About a microsecond, and some tens more for asking Linux what its clock is made out of.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    pub(crate) before: Ticks,
    pub(crate) reference_ns: u64,
    pub(crate) after: Ticks,
    /// How far the reference's readings may lie behind its time.
    pub(crate) reference_step_ns: u64,
    /// How far the clock's readings may lie behind its time, as seen from the reference.
    pub(crate) clock_step: Ticks,
}

/// A reading of the reference in its bracket.
#[derive(Clone, Copy)]
struct Triple {
    before: Ticks,
    reference_ns: u64,
    after: Ticks,
}

impl Anchor {
    /// Takes the moment now.
    #[must_use]
    pub fn take(clock: &Clock) -> Anchor {
        let mut triples = [Triple::take(clock); TRIPLES];
        for triple in &mut triples[1..] {
            *triple = Triple::take(clock);
        }
        let mut best = triples[0];
        for triple in &triples {
            if triple.width() < best.width() {
                best = *triple;
            }
        }
        let (reference_step_ns, clock_step) = steps(clock, &triples);
        Anchor {
            before: best.before,
            reference_ns: best.reference_ns,
            after: best.after,
            reference_step_ns,
            clock_step,
        }
    }
}

/// What the independent clock shows; a script lays down that one as well.
fn reference_ns(clock: &Clock) -> u64 {
    #[cfg(feature = "script")]
    if let Some(script) = clock.script() {
        return script.reference_ns();
    }
    #[cfg(not(feature = "script"))]
    let _ = clock;
    os::reference_ns()
}

impl Triple {
    // A call: sixteen copies of it were a quarter of what is compiled of this crate.
    #[inline(never)]
    fn take(clock: &Clock) -> Triple {
        let before = clock.start();
        Triple {
            before,
            reference_ns: reference_ns(clock),
            after: clock.stop(),
        }
    }

    /// A bracket that ends before it begins is no bracket. It is kept only where there is no
    /// other, and no check can be made with it.
    fn width(&self) -> u64 {
        match self.after.since(self.before) {
            Some(width) => width.0,
            None => u64::MAX,
        }
    }
}

/// Bounds of the steps in which the reference and the clock advance.
///
/// Where the kernel makes the reference out of the very counter that is read here, a reading of the
/// reference is a function of a reading of the counter, cut to a nanosecond: the counter's own step
/// is in both and does not part them. Otherwise the smallest change that was seen is at least a
/// step, up to the cutting of a fraction. Where no change was seen at all, the clock is as coarse
/// as clocks get, or a counter so slow that it counts one by one.
fn steps(clock: &Clock, triples: &[Triple]) -> (u64, Ticks) {
    if clock.is_counter() && os::reference_counts(clock.name()) {
        return (1, Ticks(0));
    }
    let mut reference = SmallestChange::default();
    let mut ticks = SmallestChange::default();
    for triple in triples {
        reference.add(triple.reference_ns);
        ticks.add(triple.before.0);
        ticks.add(triple.after.0);
    }
    let unseen = if clock.is_counter() {
        0
    } else {
        COARSEST_STEP_NS
    };
    (
        reference.seen.unwrap_or(COARSEST_STEP_NS) + 1,
        Ticks(ticks.seen.unwrap_or(unseen) + 1),
    )
}

/// The smallest difference between neighbours that is not zero.
#[derive(Default)]
struct SmallestChange {
    last: Option<u64>,
    /// `None` where nothing has changed.
    seen: Option<u64>,
}

impl SmallestChange {
    fn add(&mut self, reading: u64) {
        let change = reading.abs_diff(self.last.unwrap_or(reading));
        if change != 0 && self.seen.is_none_or(|seen| change < seen) {
            self.seen = Some(change);
        }
        self.last = Some(reading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_change_skips_repetitions() {
        for (readings, expected) in [
            (&[5, 5, 9, 8, 20][..], Some(1)),
            (&[100, 200, 200, 500], Some(100)),
            (&[7, 7, 7], None),
            (&[7], None),
            (&[], None),
        ] {
            let mut change = SmallestChange::default();
            readings.iter().for_each(|&reading| change.add(reading));
            assert_eq!(change.seen, expected, "{readings:?}");
        }
    }
}
