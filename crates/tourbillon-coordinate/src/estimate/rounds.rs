use tourbillon_record::Visit;
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

#[cfg(feature = "amounts")]
use super::amounts::is_averaged;
use super::batch::{median_of_kind, sample_of_ticks, went_backwards};
use super::beside::Beside;
use super::chain::{CoreClock, sorted};
use super::empty_loop::{EmptyLoop, Standing};

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
    /// Whether additions tell of a neighbour.
    crowded: bool,
    /// What the empty loop cost around it; nothing where that is not known.
    empty_loop: f64,
    lost: bool,
}

/// Rounds without a busy neighbour that are enough to leave the others out; or half of all rounds.
const QUIET_ROUNDS: usize = 5;

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
    /// Whether a neighbour kept the core busy in these rounds, because hardly any others are there.
    pub(crate) crowded: bool,
    /// Whether half of the rounds of the visit had none.
    pub(crate) mostly_quiet: bool,
    /// How that depends on what the empty loop costs without a neighbour.
    pub(crate) standing: Standing,
}

impl Rounds {
    /// Sorts the batches of a visit. `amounts` stands for the ticks, in the unit, where these are
    /// not what was measured.
    ///
    /// A round in which the clock went backwards is left out, whole. So is one beside a busy
    /// neighbour, unless next to none would be left: where additions tell of one, or the empty loop costs
    /// more than `quiet_at_most`.
    #[inline(never)]
    pub(crate) fn new(
        visit: &Visit,
        amounts: Option<&[f64]>,
        scale: &Scale,
        beside: &Beside,
        quiet_at_most: f64,
    ) -> Rounds {
        let batches = &visit.batches;
        let empty_loop = beside.empty_loop.as_ref();
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
            if let Some(crowd) = &beside.crowd {
                round.crowded |= crowd.during(index as u64);
            }
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
        if let Some(empty_loop) = empty_loop {
            for (index, round) in rounds.iter_mut().enumerate() {
                round.empty_loop = empty_loop.beside(index);
            }
        }
        let pauses_in_short = median_of_kind(batches, 1, &batches.pauses).unwrap_or(0.0);
        let mut taken = Rounds {
            zero: Vec::new(),
            short: Vec::new(),
            pairs: Vec::new(),
            correction: if raw > 0.0 { corrected / raw } else { 0.0 },
            correction_error: pause.error * pauses_in_short * scale.during(0),
            crowded: false,
            mostly_quiet: false,
            standing: Standing {
                quick: empty_loop.and_then(EmptyLoop::quick).unwrap_or(0.0),
                level: f64::INFINITY,
                level_of_half: f64::INFINITY,
            },
        };
        taken.take(&rounds, quiet_at_most);
        taken
    }

    #[inline(never)]
    fn take(&mut self, rounds: &[Round], quiet_at_most: f64) {
        // Rounds in which no clock went backwards: how many, and what the empty loop cost beside those in
        // which additions tell of no neighbour.
        let (mut all, mut costs) = (0, Vec::new());
        for round in rounds {
            all += usize::from(!round.lost);
            if !round.lost && !round.crowded {
                costs.push(round.empty_loop);
            }
        }
        let half = usize::div_ceil(all, 2);
        let sample = sorted(&costs);
        let costs = sample.as_ref().map_or(&[][..], Sample::as_slice);
        // So that so many rounds are quiet.
        let level = |rounds: usize| match rounds.checked_sub(1) {
            None => 0.0,
            Some(last) => costs.get(last).copied().unwrap_or(f64::INFINITY),
        };
        self.standing.level = level(half.min(QUIET_ROUNDS));
        self.standing.level_of_half = level(half);
        self.crowded = !self.standing.is_quiet(quiet_at_most);
        self.mostly_quiet = self.standing.is_mostly_quiet(quiet_at_most);
        for round in rounds {
            let crowded = round.crowded || round.empty_loop > quiet_at_most;
            if round.lost || crowded && !self.crowded {
                continue;
            }
            if let Some(zero) = round.zero {
                self.zero.push(zero);
            }
            if let Some(short) = round.short {
                self.short.push(short);
                if let Some(long) = round.long {
                    self.pairs.push((short, long));
                }
            }
        }
    }
}

/// What the empty loops of a visit say of it.
#[inline(never)]
pub(crate) fn standing(visit: &Visit, beside: &Beside) -> Standing {
    // Nothing is left out of a sum of all batches.
    #[cfg(feature = "amounts")]
    if visit.measured.as_deref().is_some_and(is_averaged) {
        return Standing {
            quick: 0.0,
            level: 0.0,
            level_of_half: 0.0,
        };
    }
    Rounds::new(visit, None, &Scale::Ticks(1.0), beside, f64::INFINITY).standing
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
