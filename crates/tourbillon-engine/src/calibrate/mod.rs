//! What comes before the samples of a launch: its budget, the length of its batches, warming up.

mod pilot;
mod warmup;

pub(crate) use pilot::{pilot, still_fits};
pub(crate) use warmup::warm_up;

use tourbillon_record::Plan;

use crate::arm::{Measures, Pace};

/// Most items in a window of the long batch unless a plan has another number: few, and the same for every body that is
/// not long, because what is kept alive decides what an allocation costs.
pub const WINDOW_ITEMS: u64 = 64;
/// Most bytes of prepared inputs and kept outputs in a window unless a plan has another number: more
/// would not fit into the caches of a core.
pub const WINDOW_BYTES: u64 = 256 * 1024;

/// Share of the budget that warming up may take at most.
const WARMUP_SHARE: u64 = 5;
/// Share of the budget that one batch may take at most, preparation included.
const BATCH_SHARE: u64 = 4;

/// Batches of calls that are timed one by one in a launch: as many as show contention next to them.
const CALL_BATCHES: u64 = 10;

/// Steps in a short batch, where the system attributes time in steps: the time of one side of two is then known
/// from a batch with a standard deviation of an eighth.
const STEPS: u64 = 16;

/// Longest call that is repeated only to learn something about the body, in nanoseconds: in all its launches, a
/// body of that length is called at least sixteen times.
const EXTRA_NS: u64 = 100_000_000;

/// What a launch may spend, in ticks of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// For the batches and the probes between them.
    pub(crate) samples: u64,
    /// For warming up.
    pub(crate) warmup: u64,
    /// For one short batch, inside the timed region. Two thirds of the length asked for, so that
    /// short and long batches have that length on average.
    pub(crate) batch: u64,
    /// For one short batch, with the preparation outside the timed region.
    pub(crate) batch_outside: u64,
    /// For preparing one window.
    pub(crate) window_outside: u64,
    /// For a call that is not a sample.
    pub(crate) extra: u64,
}

impl Budget {
    /// The budget of `plan`, with batches long enough for what is measured.
    pub(crate) fn of(plan: &Plan, measures: Option<Measures>) -> Self {
        let ticks = |nanos: u64| ticks(nanos, plan.tick_hz);
        let samples = ticks(plan.budget_ns);
        let step_ns = measures.and_then(|measures| measures.step_ns).unwrap_or(0);
        let least = ticks(step_ns.saturating_mul(STEPS));
        Self {
            samples,
            warmup: samples / WARMUP_SHARE,
            batch: (ticks(plan.batch_ns) * 2 / 3).max(least),
            batch_outside: (samples / BATCH_SHARE).max(least),
            window_outside: ticks(500_000),
            extra: ticks(EXTRA_NS),
        }
    }

    /// With batches for calls that are timed one by one: few and long, so that few calls follow a probe.
    pub(crate) fn for_calls(self, pace: Option<Pace>) -> Self {
        let batch = match pace {
            Some(_) => self.samples / CALL_BATCHES,
            None => self.batch,
        };
        Self { batch, ..self }
    }
}

/// `nanos` nanoseconds in ticks of a clock of `hz`.
fn ticks(nanos: u64, hz: u64) -> u64 {
    let ticks = u128::from(nanos) * u128::from(hz) / 1_000_000_000;
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn nanoseconds_become_ticks_without_overflow() {
        assert_eq!(ticks(1_000, 2_600_000_000), 2_600);
        assert_eq!(ticks(100, 24_000_000), 2);
        assert_eq!(ticks(u64::MAX, 4_000_000_000), u64::MAX);
    }
}
