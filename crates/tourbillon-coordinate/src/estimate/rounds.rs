use tourbillon_record::{Batches, Visit};
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

/// The batches of one visit that were taken together, in one unit.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    zero: Option<f64>,
    short: Option<f64>,
    long: Option<f64>,
    labelled: bool,
}

/// The samples of a visit, by length, pauses taken out, in one unit (nanoseconds or cycles).
#[derive(Debug)]
pub(crate) struct Rounds {
    /// Batches of no iterations.
    pub(crate) zero: Vec<f64>,
    /// Short batches.
    pub(crate) short: Vec<f64>,
    /// Pairs of a short and a long batch, from the same round.
    pub(crate) pairs: Vec<(f64, f64)>,
    /// What the correction for pauses took from all batches, as a fraction of their readings.
    pub(crate) correction: f64,
    /// Standard error of that correction for a median short batch.
    pub(crate) correction_error: f64,
}

impl Rounds {
    /// Sorts the batches of a visit. `scale` is how much of the unit a tick is, during a batch that
    /// is counted from 0.
    ///
    /// A round in which a batch was switched out or migrated is left out, whole, whatever it
    /// read; unless less than half of the rounds would be left, for then such rounds are what
    /// there is to measure.
    pub(crate) fn new(visit: &Visit, scale: &dyn Fn(u64) -> f64) -> Rounds {
        let batches = &visit.batches;
        let pause = Pause::of(visit);
        let mut rounds: Vec<Round> = Vec::new();
        let mut taken = [0; 3];
        let (mut raw, mut corrected) = (0.0, 0.0);
        for (index, (kind, ticks)) in batches.kind.iter().zip(&batches.ticks).enumerate() {
            let Some(number) = taken.get_mut(usize::from(*kind)) else {
                continue;
            };
            let pauses = batches.pauses.get(index).copied().unwrap_or(0) as f64;
            let rest = *ticks as f64 - pauses * pause.typical;
            raw += *ticks as f64;
            corrected += pauses * pause.typical;
            if rounds.len() <= *number {
                rounds.push(Round::default());
            }
            let round = &mut rounds[*number];
            *number += 1;
            round.labelled |= is_labelled(batches, index);
            let value = Some(rest * scale(index as u64));
            match kind {
                0 => round.zero = value,
                1 => round.short = value,
                _ => round.long = value,
            }
        }
        let clean = rounds.iter().filter(|round| !round.labelled).count();
        if clean * 2 >= rounds.len() {
            rounds.retain(|round| !round.labelled);
        }
        let per_short = typical_pauses(batches) * scale(0);
        Rounds {
            zero: rounds.iter().filter_map(|round| round.zero).collect(),
            short: rounds.iter().filter_map(|round| round.short).collect(),
            pairs: rounds
                .iter()
                .filter_map(|round| round.short.zip(round.long))
                .collect(),
            correction: if raw > 0.0 { corrected / raw } else { 0.0 },
            correction_error: pause.error * per_short,
        }
    }
}

fn is_labelled(batches: &Batches, index: usize) -> bool {
    batches.labels.get(index).is_some_and(|label| *label != 0)
}

/// Pauses in a short batch.
fn typical_pauses(batches: &Batches) -> f64 {
    let pairs = batches.kind.iter().zip(&batches.pauses);
    let short: Vec<u64> = pairs
        .filter(|(kind, _)| **kind == 1)
        .map(|(_, pauses)| *pauses)
        .collect();
    Sample::from_ticks(&short).map_or(0.0, |sample| median(&sample))
}

/// What a pause leaves in the timed region, in ticks.
#[derive(Debug, Default)]
struct Pause {
    typical: f64,
    /// Standard error of that.
    error: f64,
}

impl Pause {
    fn of(visit: &Visit) -> Pause {
        let Some(pauses) = visit.pauses.as_ref().filter(|pauses| pauses.pairs > 0) else {
            return Pause::default();
        };
        let Ok(readings) = Sample::from_ticks(&pauses.residual_ticks) else {
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
