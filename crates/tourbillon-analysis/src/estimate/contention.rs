//! Contention: something else used the units of the core while a launch measured.
//!
//! Two processors that the system shows may be one core. Code on the other one, of another program or another
//! guest of the host, takes units from whatever is measured: some per cent, or half. Two probes, which the
//! engine reads between the batches, show it.
//!
//! * **The empty loop** only fetches a jump, and two busy processors of a core fetch in turn: a turn of the loop
//!   takes 1 cycle alone and 1.35 to 2.5 cycles under contention (Zen 4).
//! * **A chain of additions** competes for units that the multiplications of the reference chain hardly
//!   share: under contention it takes 2 to 3 % longer than they do (Zen 5).
//!
//! A round next to a slow turn is discarded. A launch is discarded when hardly any other rounds are left, or when
//! its additions are slow. By a clock with coarse steps no launch is classified.

use tourbillon_record::{Chain, Empty, LaunchSamples, Plan};
use tourbillon_stats::{Sample, median, quantile};

use super::chain::CoreClock;
use super::readings::went_backwards;
use super::totals::is_contention_seen;

/// How far a figure may be from its expected value, as a fraction, before that has another cause. A turn of
/// the empty loop took 0.87 to 1.12 cycles in launches without contention, and 1.35 or more in others.
pub(crate) const TOLERANCE: f64 = 0.2;
/// Fewest readings that classify a launch, and launches from which the cost of the loop is known.
pub(crate) const FEWEST: usize = 3;
/// Rounds that a launch which uses the slope needs to count.
pub(crate) const FEWEST_ROUNDS: usize = 5;
/// Ops of a turn of the empty loop: it is unrolled this many times.
const OPS: f64 = 8.0;
/// The empty loop is read in one round of so many, beginning with the first.
const READ_EVERY: usize = 2;

/// What the probes of a launch read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contention {
    /// Cycles of a turn of the empty loop, reading by reading; infinite where a reading is unusable.
    turns: Vec<f64>,
    /// Lower quartile of the usable ones.
    lower: f64,
    /// Their upper quartile.
    upper: f64,
    /// The smallest step that the clock was seen to make, in cycles per turn; zero where its readings are all
    /// equal.
    step: f64,
    /// How much longer than multiplications additions took, as a fraction: by their upper quartiles.
    additions: f64,
    /// Rounds of the launch: none where it began contended.
    rounds: usize,
    /// Whether the launch counts with all of its rounds or not at all: for calls that are timed one by one.
    is_whole: bool,
}

impl Contention {
    /// `None` for a launch that cannot be classified: one with fewer than three readings of the empty loop, as with
    /// batches of some milliseconds, whose contention widens the interval of the case ([`super::unseen`]); one of a
    /// benchmark with threads of its own, which look the same; and one whose clock has steps too coarse for a turn of
    /// one cycle.
    pub(crate) fn of(launch: &LaunchSamples) -> Option<Contention> {
        Contention::of_any(launch).filter(|contention| contention.usable().count() >= FEWEST)
    }

    /// The same of a launch with any readings.
    pub(super) fn of_any(launch: &LaunchSamples) -> Option<Contention> {
        let has_threads =
            launch.team.is_some() || launch.threads.is_some_and(|threads| threads > 1);
        if launch.is_isolated() || has_threads || !is_contention_seen(launch) {
            return None;
        }
        let rounds = match launch.calls.as_deref() {
            // One batch, in the middle of the readings.
            Some(calls) if calls.per_second.is_some() => {
                READ_EVERY * launch.empty.short_ticks.len()
            }
            _ => rounds(&launch.batches.kind),
        };
        let contention = Contention::of_readings(launch.chain.as_ref()?, &launch.empty, rounds)?;
        Some(Contention {
            is_whole: launch.calls.is_some(),
            ..contention
        })
    }

    /// By the probes of so many rounds.
    pub(crate) fn of_probes(chain: &Chain, empty: &Empty, rounds: usize) -> Option<Contention> {
        Contention::of_readings(chain, empty, rounds)
            .filter(|contention| contention.usable().count() >= FEWEST)
    }

    fn of_readings(chain: &Chain, empty: &Empty, rounds: usize) -> Option<Contention> {
        let core = CoreClock::new(chain)?;
        // Ticks of a reading whose turns take one cycle each.
        let per_turn = core.typical * empty.ops as f64 / OPS;
        if is_coarse(1.0 / per_turn, 1.0) {
            return None;
        }
        let turns: Vec<f64> = differences(&empty.short_ticks, &empty.long_ticks)
            .map(|ticks| ticks.map_or(f64::INFINITY, |ticks| ticks / per_turn))
            .collect();
        let usable = turns.iter().copied().filter(|turn| turn.is_finite());
        let usable = Sample::new(usable.collect()).ok()?;
        Some(Contention {
            lower: quantile(&usable, 0.25)?,
            upper: quantile(&usable, 0.75)?,
            step: step_ticks(empty, chain).unwrap_or(0) as f64 / per_turn,
            additions: additions(chain).unwrap_or(0.0),
            rounds,
            is_whole: false,
            turns,
        })
    }

    /// Cycles of a turn, by each usable reading.
    pub(super) fn usable(&self) -> impl Iterator<Item = f64> + Clone {
        self.turns.iter().copied().filter(|turn| turn.is_finite())
    }

    /// All readings of these launches, as of one launch; `None` without any.
    pub(super) fn together<'a>(
        launches: impl Iterator<Item = &'a Contention> + Clone,
    ) -> Option<Contention> {
        let first = launches.clone().next()?;
        let turns: Vec<f64> = launches.clone().flat_map(Contention::usable).collect();
        let usable = Sample::new(turns.clone()).ok()?;
        Some(Contention {
            turns,
            lower: quantile(&usable, 0.25)?,
            upper: quantile(&usable, 0.75)?,
            step: smallest_step(launches).unwrap_or(0.0),
            ..first.clone()
        })
    }

    /// A launch of eight rounds whose turns took from `lower` to `upper` cycles.
    #[cfg(test)]
    pub(crate) fn of_turns(lower: f64, upper: f64) -> Contention {
        Contention {
            turns: vec![lower, upper, lower, upper],
            lower,
            upper,
            step: 0.0,
            additions: 0.0,
            rounds: 8,
            is_whole: false,
        }
    }

    /// How many times as long as by itself a turn took in the quicker readings, at least once.
    pub(crate) fn slowdown(&self, turn: f64) -> f64 {
        (self.lower / turn).max(1.0)
    }

    /// What was contended, where a turn of the empty loop takes `turn` cycles by itself; nothing where that is
    /// unknown.
    pub(crate) fn parts(&self, turn: Option<f64>) -> ContendedParts {
        let limit = turn.map_or(f64::INFINITY, |turn| (1.0 + TOLERANCE) * turn);
        let slow_readings: Vec<bool> = self.turns.iter().map(|turn| *turn > limit).collect();
        let is_slow = |reading: usize| slow_readings.get(reading) == Some(&true);
        let rounds = 0..self.rounds;
        let rounds: Vec<bool> = rounds
            .map(|round| {
                // The readings before and after it.
                let after = round.div_ceil(READ_EVERY);
                is_slow(after.saturating_sub(1)) || is_slow(after)
            })
            .collect();
        let quiet = rounds.iter().filter(|contended| !**contended).count();
        let cause = if self.rounds == 0 {
            Some(Contended::AtStart)
        } else if quiet < FEWEST_ROUNDS.min(self.rounds.div_ceil(2)) {
            let rounds = self.rounds;
            Some(Contended::Rounds { quiet, rounds })
        } else if Plan::are_contended(self.additions) {
            let excess = self.additions;
            Some(Contended::Additions { excess })
        } else {
            None
        };
        ContendedParts {
            contended: cause.filter(|_| turn.is_some()),
            rounds: if self.is_whole { Vec::new() } else { rounds },
            slow_readings,
        }
    }
}

/// Why a launch is discarded as contended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contended {
    /// It was contended at its start, and ended without a batch.
    AtStart,
    /// Too few of its rounds are quiet.
    Rounds {
        /// Those that are.
        quiet: usize,
        /// All rounds.
        rounds: usize,
    },
    /// Its additions were slow.
    Additions {
        /// How much longer than multiplications they took, as a fraction.
        excess: f64,
    },
}

/// What was contended of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContendedParts {
    /// Why all of it is discarded; `None` where it is not.
    pub(crate) contended: Option<Contended>,
    /// Round by round; a round beyond the end was not.
    pub(crate) rounds: Vec<bool>,
    /// Reading of the empty loop by reading.
    pub(crate) slow_readings: Vec<bool>,
}

impl ContendedParts {
    /// Whether the launch is discarded.
    pub(crate) fn is_contended(&self) -> bool {
        self.contended.is_some()
    }
}

/// Cycles that a turn of the empty loop takes by itself, by the launches of a case; `None` with too few, or
/// where the clock is too coarse.
///
/// This is the lower quartile of the third quickest launch if the upper quartiles of most launches are within
/// a tenth of it. Otherwise the turns scatter, so that the core was contended, perhaps in all launches, whose
/// lower quartiles are then 1.25 to 1.7. A turn takes a whole number of cycles, because each count of the
/// loop waits for the one before: the number that the quartile is at most a fifth below, or above.
pub(crate) fn turn(launches: &[Option<Contention>]) -> Option<f64> {
    let launches: Vec<&Contention> = launches.iter().flatten().collect();
    let lower = Sample::new(launches.iter().map(|launch| launch.lower).collect()).ok()?;
    let upper = Sample::new(launches.iter().map(|launch| launch.upper).collect()).ok()?;
    let third = *lower.as_slice().get(FEWEST - 1)?;
    let is_steady = median(&upper) <= (1.0 + TOLERANCE / 2.0) * third;
    let turn = if is_steady {
        third
    } else {
        (third + TOLERANCE).floor().max(1.0)
    };
    let step = smallest_step(launches.into_iter());
    (!step.is_some_and(|step| is_coarse(step, turn))).then_some(turn)
}

/// The smallest step that the clock was seen to make in any of them.
fn smallest_step<'a>(launches: impl Iterator<Item = &'a Contention>) -> Option<f64> {
    let steps = launches.map(|launch| launch.step);
    steps.filter(|step| *step > 0.0).reduce(f64::min)
}

/// Whether a clock with this step is too coarse to classify turns of this many cycles.
fn is_coarse(step: f64, turn: f64) -> bool {
    step > TOLERANCE / 2.0 * turn
}

/// The smallest difference between two readings of one probe that is more than a tick; `None` where there is
/// none. A difference of one tick may be rounding: a step of 279.4 ns is read as 279 or 280.
fn step_ticks(empty: &Empty, chain: &Chain) -> Option<u64> {
    let columns = [
        &empty.short_ticks,
        &empty.long_ticks,
        &chain.short_ticks,
        &chain.long_ticks,
    ];
    let smallest = |column: &Vec<u64>| {
        let mut sorted = column.clone();
        sorted.sort_unstable();
        let steps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
        steps.filter(|step| *step > 1).min()
    };
    columns.into_iter().filter_map(smallest).min()
}

/// The number of rounds, by the lengths of the batches: each round has one batch of each.
fn rounds(kinds: &[u8]) -> usize {
    let longest = kinds.iter().max();
    kinds.iter().filter(|kind| Some(*kind) == longest).count()
}

/// Long less short ticks, reading by reading; `None` where that is not positive.
fn differences(short: &[u64], long: &[u64]) -> impl Iterator<Item = Option<f64>> {
    short.iter().zip(long).map(|(short, long)| {
        let ticks = long.saturating_sub(*short);
        (ticks > 0 && !went_backwards(ticks)).then_some(ticks as f64)
    })
}

/// The upper quartile of the additions over that of the multiplications, less one.
fn additions(chain: &Chain) -> Option<f64> {
    let additions = chain.additions.as_ref()?;
    let sample = |short, long| Sample::new(differences(short, long).flatten().collect()).ok();
    let multiplied = sample(&chain.short_ticks, &chain.long_ticks)?;
    let added = sample(&additions.short_ticks, &additions.long_ticks)?;
    let added = quantile(&added, 0.75).filter(|_| added.len() >= FEWEST)?;
    Some(added / quantile(&multiplied, 0.75)? - 1.0)
}

/// What was contended of each launch of a case.
pub(crate) fn contended_parts(launches: &[LaunchSamples]) -> Vec<ContendedParts> {
    let launches: Vec<_> = launches.iter().map(Contention::of).collect();
    let turn = turn(&launches);
    let parts = |launch: &Option<Contention>| match launch {
        Some(launch) => launch.parts(turn),
        None => ContendedParts::default(),
    };
    launches.iter().map(parts).collect()
}

/// Which launches of a case were contended; those that cannot be classified were not.
#[must_use]
pub fn contended(launches: &[LaunchSamples]) -> Vec<bool> {
    let parts = contended_parts(launches);
    parts.iter().map(|parts| parts.is_contended()).collect()
}

/// Share of the launches of a case that were contended; `None` where too few could be classified.
#[must_use]
pub fn contended_share(launches: &[LaunchSamples]) -> Option<f64> {
    let launches: Vec<_> = launches.iter().map(Contention::of).collect();
    let turn = turn(&launches)?;
    let known = launches.iter().flatten();
    let contended = known
        .clone()
        .filter(|launch| launch.parts(Some(turn)).is_contended());
    Some(contended.count() as f64 / known.count() as f64)
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
        // Launches that are all contended are not taken for a slow loop.
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
    fn by_a_clock_with_coarse_steps_the_loop_is_unknown() {
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
    fn a_round_is_classified_by_the_readings_next_to_it_and_a_launch_by_its_rounds() {
        let launch = |turns: &[f64], rounds| Contention {
            turns: turns.to_vec(),
            rounds,
            ..Contention::of_turns(1.0, 1.0)
        };
        let parts = |turns: &[f64], rounds| launch(turns, rounds).parts(Some(1.0));
        // The loop is read after rounds 0, 2, 4, ..
        let one = parts(&[1.0, 1.0, 1.9, 1.0, 1.0, f64::INFINITY], 11);
        assert_eq!(one.slow_readings, [false, false, true, false, false, true]);
        let contended = [3, 4, 5, 6, 9, 10];
        assert!((0..11).all(|round| one.rounds[round] == contended.contains(&round)));
        assert!(!one.is_contended());
        // Four rounds are left.
        assert!(parts(&[1.0, 1.0, 1.9, 1.9, 1.9, 1.9], 11).is_contended());
        // Of few rounds, half.
        assert!(!parts(&[1.0, 1.0, 1.9], 5).is_contended());
        assert!(parts(&[1.0, 1.9, 1.9], 5).is_contended());
        // One that began contended has none.
        assert!(parts(&[1.9, 1.9, 1.9], 0).is_contended());
        assert!(!launch(&[1.9, 1.9, 1.9], 0).parts(None).is_contended());
        assert!(!launch(&[1.9; 6], 11).parts(None).is_contended());
    }

    #[test]
    fn additions_judge_the_whole_launch() {
        let contended = |additions, turn| {
            let launch = Contention {
                additions,
                ..Contention::of_turns(1.0, 1.0)
            };
            launch.parts(turn).is_contended()
        };
        assert!(!contended(0.009, Some(1.0)));
        assert!(contended(0.011, Some(1.0)));
        assert!(!contended(0.011, None));
        // On another processor the two have nothing to do with each other.
        assert!(!contended(0.5, Some(1.0)));
    }
}
