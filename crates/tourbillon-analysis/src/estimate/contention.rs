//! Contention: something else used the units of the core while a launch measured.
//!
//! Two processors that the system shows may be one core. What runs on the other one, another program or
//! another guest of the host, takes units from whatever is measured: some per cent, or half. Two probes,
//! which the engine reads between the batches, show it.
//!
//! * **The empty loop** does nothing but fetch a jump, and two busy processors of a core fetch in turn: a
//!   turn of it takes one cycle alone and 1.35 to 2.5 cycles beside another program (Zen 4).
//! * **A chain of additions** competes for units that the multiplications of the reference chain hardly
//!   share: it takes 2 to 3 % longer than they do (Zen 5).
//!
//! A round beside a slow turn is discarded, and a launch that has hardly any other rounds, or slow additions.

use tourbillon_record::{Chain, Plan, Visit};
use tourbillon_stats::{Sample, median, quantile};

use super::batch::{is_averaged, sample_of, went_backwards};
use super::chain::CoreClock;
use super::launch::FEWEST_ROUNDS;

/// How far a figure may be from what it should be, as a fraction, before that has another cause. A turn of
/// the empty loop took 0.87 to 1.12 cycles in launches without contention, and 1.35 or more in others.
pub(crate) const TOLERANCE: f64 = 0.2;
/// Readings that tell anything, and launches from which the cost of the loop is learnt.
pub(crate) const FEWEST: usize = 3;
/// Ops of a turn of the empty loop: it is unrolled so many times.
const OPS: f64 = 8.0;

/// A round of so many reads the empty loop, beginning with the first.
const READ_EVERY: usize = 2;

/// What the probes of a launch read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contention {
    /// Cycles that a turn of the empty loop took, reading by reading; infinite where a reading makes no sense.
    turns: Vec<f64>,
    /// The lower quartile of those that do.
    lower: f64,
    /// The upper quartile.
    upper: f64,
    /// The smallest difference between two readings, in cycles a turn; zero where all are equal.
    step: f64,
    /// The upper quartile of how much longer than multiplications additions took, as a fraction.
    additions: f64,
    /// Rounds of the launch: none where it began contended.
    rounds: usize,
}

impl Contention {
    /// Reads it from a visit; `None` where it was read fewer than three times during batches, as beside those
    /// of some milliseconds, where contention does nothing to what was measured, or where the benchmark has
    /// threads of its own, which cannot be told from it.
    #[inline(never)]
    pub(crate) fn of(visit: &Visit) -> Option<Contention> {
        let is_isolated = visit.terminal.starts_with("isolated.");
        let has_threads = visit.team.is_some() || visit.threads.is_some_and(|threads| threads > 1);
        if is_isolated || has_threads || is_averaged(visit) {
            return None;
        }
        let chain = visit.chain.as_ref()?;
        let core = CoreClock::new(chain)?;
        let (short, long) = (&visit.empty.short_ticks, &visit.empty.long_ticks);
        let per_turn = core.typical() * visit.empty.ops as f64 / OPS;
        let mut turns = Vec::new();
        for (short, long) in short.iter().zip(long) {
            let ticks = long.saturating_sub(*short);
            turns.push(match ticks {
                0 => f64::INFINITY,
                backwards if went_backwards(backwards) => f64::INFINITY,
                ticks => ticks as f64 / per_turn,
            });
        }
        let usable = turns.iter().copied().filter(|turn| turn.is_finite());
        let usable = sample_of(usable.collect()).filter(|turns| turns.len() >= FEWEST)?;
        let per_round = if visit.length.slope { 3 } else { 2 };
        Some(Contention {
            lower: quantile(&usable, 0.25)?,
            upper: quantile(&usable, 0.75)?,
            step: smallest_step(&usable),
            additions: additions(chain).unwrap_or(0.0),
            rounds: visit.batches.kind.len() / per_round,
            turns,
        })
    }

    /// Of a launch of eight rounds whose turns took from `lower` to `upper` cycles.
    #[cfg(test)]
    pub(crate) fn of_turns(lower: f64, upper: f64) -> Contention {
        Contention {
            turns: vec![lower, upper, lower, upper],
            lower,
            upper,
            step: 0.0,
            additions: 0.0,
            rounds: 8,
        }
    }

    /// Whether the launch was contended, where a turn of the empty loop takes so many cycles by itself; not
    /// where that is not known.
    pub(crate) fn is_contended(&self, turn: Option<f64>) -> bool {
        turn.is_some() && (self.rounds == 0 || self.judged(turn).is_contended)
    }

    /// What it says of the launch.
    fn judged(&self, turn: Option<f64>) -> Judgement {
        let limit = turn.map_or(f64::INFINITY, |turn| (1.0 + TOLERANCE) * turn);
        let mut judgement = Judgement::default();
        for turn in &self.turns {
            judgement.slow_readings.push(*turn > limit);
        }
        let mut quiet = 0;
        for round in 0..self.rounds {
            // The readings before and after it.
            let after = round.div_ceil(READ_EVERY);
            let beside = after.saturating_sub(1)..=after;
            let is_slow = |reading| judgement.slow_readings.get(reading) == Some(&true);
            let is_contended = beside.into_iter().any(is_slow);
            quiet += usize::from(!is_contended);
            judgement.rounds.push(is_contended);
        }
        let needed = FEWEST_ROUNDS.min(self.rounds.div_ceil(2));
        let are_slow = turn.is_some() && Plan::are_contended(self.additions);
        judgement.is_contended = quiet < needed || are_slow || self.rounds == 0 && turn.is_some();
        judgement
    }
}

/// What was contended of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    /// All of it.
    pub(crate) is_contended: bool,
    /// Round by round; a round beyond the end was not.
    pub(crate) rounds: Vec<bool>,
    /// Reading of the empty loop by reading.
    pub(crate) slow_readings: Vec<bool>,
}

/// Cycles that a turn of the empty loop takes by itself, by the launches of a case; `None` with too few, or
/// where the clock is too coarse to tell.
///
/// It is the lower quartile of the third quickest launch where the upper quartiles of most launches are within
/// a tenth of it. Else the core was contended, for turns then scatter, and maybe in all launches, which have
/// lower quartiles of 1.25 to 1.7. The turns count, and each count waits for the one before, so that a turn
/// takes a whole number of cycles: the one that this quartile is at most a fifth below, or above.
#[inline(never)]
pub(crate) fn turn(launches: &[Option<Contention>]) -> Option<f64> {
    let (mut lower, mut upper, mut step) = (Vec::new(), Vec::new(), f64::INFINITY);
    for launch in launches.iter().flatten() {
        lower.push(launch.lower);
        upper.push(launch.upper);
        if launch.step > 0.0 {
            step = step.min(launch.step);
        }
    }
    let lower = sample_of(lower)?;
    let third = lower.as_slice().get(FEWEST - 1)?;
    let is_steady = median(&sample_of(upper)?) <= (1.0 + TOLERANCE / 2.0) * third;
    let turn = if is_steady {
        *third
    } else {
        (third + TOLERANCE).floor().max(1.0)
    };
    (step.is_infinite() || step <= TOLERANCE / 2.0 * turn).then_some(turn)
}

/// Long less short ticks, where that makes sense.
fn positive_differences<'t>(short: &'t [u64], long: &'t [u64]) -> impl Iterator<Item = f64> + 't {
    let differences = short.iter().zip(long);
    differences
        .map(|(short, long)| long.saturating_sub(*short))
        .filter(|ticks| *ticks > 0 && !went_backwards(*ticks))
        .map(|ticks| ticks as f64)
}

fn smallest_step(sorted: &Sample) -> f64 {
    let mut step = f64::INFINITY;
    for pair in sorted.as_slice().windows(2) {
        // Not what rounding makes of equal readings.
        if pair[1] - pair[0] > 1e-9 * pair[1] {
            step = step.min(pair[1] - pair[0]);
        }
    }
    if step.is_finite() { step } else { 0.0 }
}

/// The upper quartile of the additions over what multiplications typically take, less one.
fn additions(chain: &Chain) -> Option<f64> {
    let additions = chain.additions.as_ref()?;
    let typical = |short, long| sample_of(positive_differences(short, long).collect());
    let multiplied = typical(&chain.short_ticks, &chain.long_ticks)?;
    let added = typical(&additions.short_ticks, &additions.long_ticks)?;
    let added = quantile(&added, 0.75).filter(|_| added.len() >= FEWEST)?;
    Some(added / quantile(&multiplied, 0.75)? - 1.0)
}

/// What was contended of each launch of a case.
#[inline(never)]
pub(crate) fn judged(visits: &[Visit]) -> Vec<Judgement> {
    let launches: Vec<_> = visits.iter().map(Contention::of).collect();
    let turn = turn(&launches);
    let judged = |launch: &Option<Contention>| match launch {
        Some(launch) => launch.judged(turn),
        None => Judgement::default(),
    };
    launches.iter().map(judged).collect()
}

/// Which launches of a case were contended: something else used the units of the core. Those of which too
/// little is known to tell were not.
#[must_use]
pub fn contended(visits: &[Visit]) -> Vec<bool> {
    let judged = judged(visits);
    judged.iter().map(|launch| launch.is_contended).collect()
}

/// Share of the launches of a case that were contended; `None` where too few could be judged.
#[must_use]
pub fn contended_share(visits: &[Visit]) -> Option<f64> {
    let launches: Vec<_> = visits.iter().map(Contention::of).collect();
    let turn = turn(&launches)?;
    let judged: Vec<_> = launches.iter().flatten().collect();
    let contended = judged
        .iter()
        .filter(|launch| launch.is_contended(Some(turn)));
    Some(contended.count() as f64 / judged.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(lower: f64, upper: f64) -> Option<Contention> {
        Some(Contention {
            step: 0.03,
            ..Contention::of_turns(lower, upper)
        })
    }

    /// Of launches whose turns scatter by a third.
    fn turn_of(lower: &[f64]) -> Option<f64> {
        let launches: Vec<_> = lower
            .iter()
            .map(|lower| launch(*lower, 1.33 * lower))
            .collect();
        turn(&launches)
    }

    #[test]
    fn a_turn_takes_the_whole_number_of_cycles_next_to_the_third_quickest_launch() {
        assert_eq!(turn_of(&[0.8, 0.9, 0.98, 1.0]), Some(1.0));
        assert_eq!(turn_of(&[1.8, 1.9, 1.9, 2.2]), Some(2.0));
        // Two quick launches do not make the others contended.
        assert_eq!(turn_of(&[1.0, 2.0, 2.0, 1.0, 2.0]), Some(2.0));
        // Launches that are all contended do not pass for a slow loop.
        assert_eq!(turn_of(&[1.3, 1.4, 1.45, 1.6]), Some(1.0));
        assert_eq!(turn_of(&[1.6, 1.7, 1.7, 1.9]), Some(1.0));
        assert_eq!(turn_of(&[1.0, 2.0]), None);
        assert_eq!(
            turn(&[None, launch(1.0, 1.0), launch(1.0, 1.0), None]),
            None
        );
        assert_eq!(turn(&[]), None);
    }

    #[test]
    fn a_loop_that_is_steady_takes_what_it_takes() {
        let steady = |turns: &[f64]| {
            let launches: Vec<_> = turns
                .iter()
                .map(|turn| launch(*turn, 1.05 * turn))
                .collect();
            turn(&launches)
        };
        assert_eq!(steady(&[1.4, 1.4, 1.4, 1.41, 1.42]), Some(1.4));
        assert_eq!(steady(&[0.97, 0.98, 0.98, 1.0]), Some(0.98));
        // Half of the launches are contended.
        assert_eq!(steady(&[0.97, 0.98, 0.98, 1.5, 1.6, 1.7]), Some(1.0));
    }

    #[test]
    fn a_clock_whose_steps_are_coarse_tells_nothing() {
        let with = |step: &[f64]| {
            let mut launches = vec![launch(1.0, 1.0); step.len()];
            for (launch, step) in launches.iter_mut().zip(step) {
                launch.as_mut().unwrap().step = *step;
            }
            turn(&launches)
        };
        assert_eq!(with(&[0.1, 0.04, 0.4, 0.0]), Some(1.0));
        assert_eq!(with(&[0.11, 0.22, 0.4, 0.0]), None);
        // No reading differs from another one.
        assert_eq!(with(&[0.0, 0.0, 0.0]), Some(1.0));
    }

    #[test]
    fn a_round_is_contended_by_the_readings_beside_it_and_a_launch_by_its_rounds() {
        let launch = |turns: &[f64], rounds| Contention {
            turns: turns.to_vec(),
            rounds,
            ..Contention::of_turns(1.0, 1.0)
        };
        let judged = |turns: &[f64], rounds| launch(turns, rounds).judged(Some(1.0));
        // The loop is read after rounds 0, 2, 4, ..
        let one = judged(&[1.0, 1.0, 1.9, 1.0, 1.0, f64::INFINITY], 11);
        assert_eq!(one.slow_readings, [false, false, true, false, false, true]);
        let contended = [3, 4, 5, 6, 9, 10];
        assert!((0..11).all(|round| one.rounds[round] == contended.contains(&round)));
        assert!(!one.is_contended);
        // Four rounds are left.
        assert!(judged(&[1.0, 1.0, 1.9, 1.9, 1.9, 1.9], 11).is_contended);
        // Of few rounds, half.
        assert!(!judged(&[1.0, 1.0, 1.9], 5).is_contended);
        assert!(judged(&[1.0, 1.9, 1.9], 5).is_contended);
        // One that began contended has none.
        assert!(judged(&[1.9, 1.9, 1.9], 0).is_contended);
        assert!(!launch(&[1.9, 1.9, 1.9], 0).is_contended(None));
        assert!(!launch(&[1.9; 6], 11).is_contended(None));
    }

    #[test]
    fn additions_tell_of_a_whole_launch() {
        let contended = |additions, turn| {
            let launch = Contention {
                additions,
                ..Contention::of_turns(1.0, 1.0)
            };
            launch.is_contended(turn)
        };
        assert!(!contended(0.009, Some(1.0)));
        assert!(contended(0.011, Some(1.0)));
        assert!(!contended(0.011, None));
        // On another processor the two have nothing to do with each other.
        assert!(!contended(0.5, Some(1.0)));
    }
}
