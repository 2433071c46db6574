use tourbillon_record::Visit;
use tourbillon_stats::{MAD_TO_STDDEV, mad, median};

use super::batch::{median_of_kind, sample_of_ticks, went_backwards};
use super::chain::CoreClock;

/// What the reference chain's reading of a cycle may be off by, as a fraction. The landmark kernels
/// of 1000 and 3000 cycles, whose loop costs nothing beside them, came out at most 0.05 % long.
const CHAIN_RESIDUE: f64 = 5e-4;

/// How much of the unit of a result a tick is.
pub(crate) enum Scale {
    /// The same throughout.
    Ticks(f64),
    /// By the clock of the core, which wanders.
    Core(CoreClock),
    /// That much typically; batches were counted in the unit itself.
    Counted(f64),
}

impl Scale {
    /// During a batch that is counted from 0.
    fn during(&self, batch: u64) -> f64 {
        match self {
            Scale::Ticks(scale) | Scale::Counted(scale) => *scale,
            Scale::Core(core) => 1.0 / core.ticks_per_cycle(batch),
        }
    }

    /// Over the whole visit.
    pub(crate) fn typical(&self) -> f64 {
        match self {
            Scale::Ticks(scale) | Scale::Counted(scale) => *scale,
            Scale::Core(core) => 1.0 / core.typical(),
        }
    }

    /// How wrong it may be, as a fraction; nothing where that holds for all launches alike.
    pub(crate) fn error(&self) -> f64 {
        match self {
            Scale::Ticks(_) | Scale::Counted(_) => 0.0,
            Scale::Core(core) => CHAIN_RESIDUE + core.error,
        }
    }
}

/// The batches of one visit that were taken together, in one unit.
#[derive(Clone, Copy, Default)]
struct Round {
    zero: Option<f64>,
    short: Option<f64>,
    long: Option<f64>,
    lost: bool,
}

/// The samples of a visit, by length, pauses taken out, in one unit (nanoseconds or cycles).
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
    /// Sorts the batches of a visit. `amounts` stands for the ticks, in the unit, where these are
    /// not what was measured.
    ///
    /// A round that is contended, or in which the clock went backwards, is discarded.
    #[inline(never)]
    pub(crate) fn new(
        visit: &Visit,
        amounts: Option<&[f64]>,
        scale: &Scale,
        contended: &[bool],
    ) -> Rounds {
        let batches = &visit.batches;
        let pause = Pause::of(visit);
        let mut rounds: Vec<Round> = Vec::new();
        let mut taken = [0; 3];
        let (mut raw, mut corrected) = (0.0, 0.0);
        for index in 0..batches.kind.len().min(batches.ticks.len()) {
            let (kind, ticks) = (usize::from(batches.kind[index]), batches.ticks[index]);
            let Some(number) = taken.get_mut(kind) else {
                continue;
            };
            if rounds.len() <= *number {
                rounds.push(Round::default());
            }
            let round = &mut rounds[*number];
            *number += 1;
            if went_backwards(ticks) {
                round.lost = true;
                continue;
            }
            let pauses = match batches.pauses.get(index) {
                Some(pauses) => *pauses as f64,
                None => 0.0,
            };
            raw += ticks as f64;
            corrected += pauses * pause.typical;
            let rest = ticks as f64 - pauses * pause.typical;
            let value = match (amounts, scale) {
                (Some(amounts), _) => amounts.get(index).copied(),
                (None, Scale::Counted(_)) => Some(batches.cycles[index] as f64),
                (None, _) => Some(rest * scale.during(index as u64)),
            };
            match kind {
                0 => round.zero = value,
                1 => round.short = value,
                _ => round.long = value,
            }
        }
        let pauses_in_short = median_of_kind(batches, 1, &batches.pauses).unwrap_or(0.0);
        let mut taken = Rounds {
            zero: Vec::new(),
            short: Vec::new(),
            pairs: Vec::new(),
            correction: if raw > 0.0 { corrected / raw } else { 0.0 },
            correction_error: pause.error * pauses_in_short * scale.during(0),
        };
        for (index, round) in rounds.iter().enumerate() {
            if round.lost || contended.get(index) == Some(&true) {
                continue;
            }
            taken.zero.extend(round.zero);
            taken.short.extend(round.short);
            if let (Some(short), Some(long)) = (round.short, round.long) {
                taken.pairs.push((short, long));
            }
        }
        taken
    }
}

/// What a pause leaves in the timed region, in ticks.
#[derive(Default)]
struct Pause {
    typical: f64,
    /// Standard error of that.
    error: f64,
}

impl Pause {
    #[inline(never)]
    fn of(visit: &Visit) -> Pause {
        let Some(pauses) = &visit.pauses else {
            return Pause::default();
        };
        let Some(readings) = sample_of_ticks(&pauses.residual_ticks) else {
            return Pause::default();
        };
        if pauses.pairs == 0 {
            return Pause::default();
        }
        let pairs = pauses.pairs as f64;
        let spread = MAD_TO_STDDEV * mad(&readings) / pairs;
        Pause {
            typical: median(&readings) / pairs,
            error: spread / (readings.len() as f64).sqrt(),
        }
    }
}
