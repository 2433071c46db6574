//! The batches of a launch in one unit, by round and length, without their pauses.

use tourbillon_record::LaunchSamples;
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

use super::readings::{median_of_kind, went_backwards};
use super::scale::Scale;

/// The samples of a launch by length, pauses subtracted, in one unit (nanoseconds or cycles).
#[derive(Default)]
pub(crate) struct ScaledBatches {
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

impl ScaledBatches {
    /// Sorts the batches of a launch. Where something else than ticks was measured, `amounts` has it, in the unit.
    ///
    /// A round that is contended, or in which the clock went backwards, is discarded.
    pub(crate) fn new(
        launch: &LaunchSamples,
        amounts: Option<&[f64]>,
        scale: &Scale,
        contended: &[bool],
    ) -> ScaledBatches {
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
        let mut sorted = ScaledBatches {
            correction: if raw > 0.0 { corrected / raw } else { 0.0 },
            correction_error: pause.error * pauses_in_short * scale.during(0),
            ..ScaledBatches::default()
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
