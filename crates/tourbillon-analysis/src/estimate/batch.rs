//! The batches of a launch: their readings, their totals, and sorted by round and length.

use tourbillon_record::{Absence, Batches, CaseResult, LaunchSamples, Metric};
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

use super::chain::CoreClock;

/// Name and version of the method for amounts that are averaged.
pub(crate) const AVERAGED: &str = "totals-1";

/// Differences of readings from here on are negative: the engine subtracts modulo 2^64, and no batch takes
/// half of that range.
const BACKWARDS: u64 = 1 << 63;

/// Error of a cycle as the reference chain reads it, as a fraction. The reference kernels of 1000 and 3000
/// cycles, whose loop costs next to nothing, came out at most 0.05 % long.
const CHAIN_RESIDUE: f64 = 5e-4;

/// Whether the clock went backwards during a batch, so that its reading is unusable.
pub fn went_backwards(ticks: u64) -> bool {
    ticks >= BACKWARDS
}

/// The ticks of all batches with a usable reading.
pub fn ticks_inside(batches: &Batches) -> u64 {
    let usable = batches
        .ticks
        .iter()
        .filter(|ticks| !went_backwards(**ticks));
    usable.fold(0, |sum, ticks| sum.saturating_add(*ticks))
}

/// The median of a column over the batches of one kind; `None` where there is none.
pub fn median_of_kind(batches: &Batches, kind: u8, column: &[u64]) -> Option<f64> {
    let rows = batches.kind.iter().zip(column);
    let usable = rows.filter(|(own, value)| **own == kind && !went_backwards(**value));
    median_of(usable.map(|(_, value)| *value as f64).collect())
}

/// The median of values in any order; `None` without values, or where one is not a number.
pub(crate) fn median_of(values: Vec<f64>) -> Option<f64> {
    Some(median(&Sample::new(values).ok()?))
}

/// The median of readings; `None` without any.
pub(crate) fn median_of_ticks(ticks: &[u64]) -> Option<f64> {
    Some(median(&Sample::from_ticks(ticks).ok()?))
}

/// Whether a launch is the sum of its batches divided by their ops: for numbers that a body returns, and for
/// times that the system attributes in steps. A single batch may then come to nothing and the next one to
/// a lot, so that a median over batches would mean nothing. Contention changes neither.
pub(crate) fn is_averaged(launch: &LaunchSamples) -> bool {
    let measured = launch.measured.as_deref();
    measured.is_some_and(|one| one.metric == Metric::Own || one.step_ns.is_some())
}

/// What the batches of launches add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Batches of at least one call.
    pub(crate) samples: u64,
    /// Calls of the body in them.
    pub(crate) iterations: u64,
    /// Ops in them.
    pub(crate) ops: u64,
}

impl Totals {
    /// Adds the batches of a launch that have a usable reading.
    pub(crate) fn add(&mut self, launch: &LaunchSamples) {
        let counts_itself = counts_itself(&launch.terminal);
        let rows = launch.batches.kind.iter().zip(&launch.batches.ticks);
        for (kind, _) in rows.filter(|(kind, ticks)| **kind > 0 && !went_backwards(**ticks)) {
            let short_batches = u64::from(*kind);
            let calls = if counts_itself {
                1
            } else {
                short_batches.saturating_mul(iterations_of_short(launch))
            };
            let ops = short_batches.saturating_mul(ops_of_short(launch));
            self.samples += 1;
            self.iterations = self.iterations.saturating_add(calls);
            self.ops = self.ops.saturating_add(ops);
        }
    }
}

/// Whether the body gets the number of ops as its argument, so that a batch is one call of it.
fn counts_itself(terminal: &str) -> bool {
    let terminal = terminal.strip_prefix("isolated.").unwrap_or(terminal);
    matches!(terminal, "iter_n" | "iter_controlled" | "measure_n")
}

/// Ops in a short batch.
pub(crate) fn ops_of_short(launch: &LaunchSamples) -> u64 {
    iterations_of_short(launch).saturating_mul(launch.ops_per_iteration)
}

/// Iterations in a short batch; for a body that counts itself, the number that it gets.
fn iterations_of_short(launch: &LaunchSamples) -> u64 {
    launch
        .batch_shape
        .windows
        .saturating_mul(launch.batch_shape.items)
}

/// A result without figures.
pub(crate) fn blank(case: &str, metric: Metric, method: &str) -> CaseResult {
    CaseResult {
        case: case.to_owned(),
        metric,
        estimate: Err(Absence::Failed),
        method: method.to_owned(),
        ..CaseResult::default()
    }
}

/// A tick in the unit of a result.
pub(crate) enum Scale {
    /// The same throughout.
    Ticks(f64),
    /// By the clock of the core, which drifts.
    Core(CoreClock),
    /// Its typical value; the batches were counted in the unit itself.
    Counted(f64),
}

impl Scale {
    /// During a batch, counted from 0.
    fn during(&self, batch: u64) -> f64 {
        match self {
            Scale::Ticks(scale) | Scale::Counted(scale) => *scale,
            Scale::Core(core) => 1.0 / core.ticks_per_cycle(batch),
        }
    }

    /// Over the whole launch.
    pub(crate) fn typical(&self) -> f64 {
        match self {
            Scale::Ticks(scale) | Scale::Counted(scale) => *scale,
            Scale::Core(core) => 1.0 / core.typical,
        }
    }

    /// Its error as a fraction; none where that is the same for all launches.
    pub(crate) fn error(&self) -> f64 {
        match self {
            Scale::Ticks(_) | Scale::Counted(_) => 0.0,
            Scale::Core(core) => CHAIN_RESIDUE + core.error,
        }
    }
}

/// The samples of a launch by length, pauses subtracted, in one unit (nanoseconds or cycles).
#[derive(Default)]
pub(crate) struct Rounds {
    /// Batches of no iterations.
    pub(crate) zero: Vec<f64>,
    /// Short batches.
    pub(crate) short: Vec<f64>,
    /// Pairs of a short and a long batch from the same round.
    pub(crate) pairs: Vec<(f64, f64)>,
    /// What the correction for pauses took from all batches, as a fraction of their readings.
    pub(crate) correction: f64,
    /// Standard error of that correction for a median short batch.
    pub(crate) correction_error: f64,
}

/// The batches of one round: of no iterations, short, long.
#[derive(Clone, Copy, Default)]
struct Round {
    values: [Option<f64>; 3],
    is_unusable: bool,
}

impl Rounds {
    /// Sorts the batches of a launch. Where something else than ticks was measured, `amounts` has it, in the unit.
    ///
    /// A round that is contended, or in which the clock went backwards, is discarded.
    pub(crate) fn new(
        launch: &LaunchSamples,
        amounts: Option<&[f64]>,
        scale: &Scale,
        contended: &[bool],
    ) -> Rounds {
        let batches = &launch.batches;
        let pause = Pause::of(launch);
        let mut rounds: Vec<Round> = Vec::new();
        let mut taken = [0; 3];
        let (mut raw, mut corrected) = (0.0, 0.0);
        for (index, (kind, ticks)) in batches.kind.iter().zip(&batches.ticks).enumerate() {
            let kind = usize::from(*kind);
            let Some(number) = taken.get_mut(kind) else {
                continue;
            };
            if rounds.len() <= *number {
                rounds.push(Round::default());
            }
            let round = &mut rounds[*number];
            *number += 1;
            if went_backwards(*ticks) {
                round.is_unusable = true;
                continue;
            }
            let ticks = *ticks as f64;
            let pauses = batches
                .pauses
                .get(index)
                .map_or(0.0, |pauses| *pauses as f64);
            raw += ticks;
            corrected += pauses * pause.typical;
            round.values[kind] = match (amounts, scale) {
                (Some(amounts), _) => amounts.get(index).copied(),
                (None, Scale::Counted(_)) => Some(batches.cycles[index] as f64),
                (None, _) => Some((ticks - pauses * pause.typical) * scale.during(index as u64)),
            };
        }
        let pauses_in_short = median_of_kind(batches, 1, &batches.pauses).unwrap_or(0.0);
        let mut sorted = Rounds {
            correction: if raw > 0.0 { corrected / raw } else { 0.0 },
            correction_error: pause.error * pauses_in_short * scale.during(0),
            ..Rounds::default()
        };
        for (index, round) in rounds.iter().enumerate() {
            if round.is_unusable || contended.get(index) == Some(&true) {
                continue;
            }
            let [zero, short, long] = round.values;
            sorted.zero.extend(zero);
            sorted.short.extend(short);
            sorted.pairs.extend(short.zip(long));
        }
        sorted
    }
}

/// What a pause leaves in the timed region, in ticks.
#[derive(Default)]
struct Pause {
    typical: f64,
    /// Its standard error.
    error: f64,
}

impl Pause {
    fn of(launch: &LaunchSamples) -> Pause {
        let pauses = launch.pauses.as_ref().filter(|pauses| pauses.pairs > 0);
        let readings = pauses.and_then(|pauses| Sample::from_ticks(&pauses.residual_ticks).ok());
        let (Some(pauses), Some(readings)) = (pauses, readings) else {
            return Pause::default();
        };
        let pairs = pauses.pairs as f64;
        let spread = MAD_TO_STDDEV * mad(&readings) / pairs;
        Pause {
            typical: median(&readings) / pairs,
            error: spread / (readings.len() as f64).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_shows_whether_a_body_counts_itself() {
        for terminal in [
            "iter_n",
            "iter_controlled",
            "measure_n",
            "isolated.iter_n",
            "isolated.iter_controlled",
        ] {
            assert!(counts_itself(terminal), "{terminal}");
        }
        for terminal in [
            "iter",
            "iter_fixed",
            "iter_controlled_fixed",
            "with_inputs.iter_mut",
            "isolated.iter",
            "measure",
            "time",
            "",
        ] {
            assert!(!counts_itself(terminal), "{terminal}");
        }
    }

    #[test]
    fn a_clock_that_went_backwards_is_recognised() {
        assert!(went_backwards(u64::MAX));
        assert!(went_backwards(0_u64.wrapping_sub(1 << 40)));
        assert!(!went_backwards(0));
        assert!(!went_backwards(1 << 62));
        let batches = Batches {
            kind: vec![1, 1, 2, 1, 1],
            ticks: vec![10, u64::MAX - 5, 1_000, 30, 20],
            ..Batches::default()
        };
        assert_eq!(ticks_inside(&batches), 1_060);
        assert_eq!(median_of_kind(&batches, 1, &batches.ticks), Some(20.0));
        assert_eq!(median_of_kind(&batches, 0, &batches.ticks), None);
    }
}
