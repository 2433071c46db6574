use tourbillon_record::Visit;

use super::batch::{median_of, median_of_kind, went_backwards};
use super::beside::Beside;
use super::chain::{CoreClock, sorted};
use super::rounds::standing;

/// How much longer the empty loop takes beside a neighbour than in quick launches, at least. On Zen 4
/// single readings took 0.75 to 1.2 cycles a turn without one, 1.35 to 2.5 beside one, and something in
/// between 1 time in 100.
const SHARED: f64 = 1.27;
/// What lies in between.
const BETWEEN: (f64, f64) = (1.2, 1.35);
/// One launch in so many may be in between, and two of any number: where more are, the loop scatters, and tells
/// nothing. On Zen 4 one in 400 was.
const BETWEEN_ONE_IN: usize = 10;
/// Launches that are quick: one or two may be for another reason.
const QUICK: usize = 3;
/// How far below a whole number of cycles quick launches may be: in some readings what came before was
/// in the way of the shorter loop. On Zen 4 the quicker quarter of theirs was 0.87 to 0.98 cycles a turn.
const BELOW_WHOLE: f64 = 0.2;
/// Ops of a turn: the engine's loop is unrolled so many times.
const OPS: f64 = 8.0;
/// A round of so many reads the empty loop, beginning with the first.
const READ_EVERY: usize = 2;
/// Cycles of a batch, at most: longer ones, a millisecond or more, may have had other neighbours in the middle
/// than at their ends.
const LONGEST: f64 = 4e6;
/// Ticks between the two lengths, at least: a coarser clock cannot tell what takes a third longer.
const FEWEST_TICKS: f64 = 50.0;

/// What the empty loop cost from one reading to the next of a visit, in cycles a turn.
///
/// Two processors that are one core fetch instructions in turn: a loop of two instructions, which is
/// nothing but fetching, takes about twice as long while the other one works, whatever that does.
pub(crate) struct EmptyLoop {
    /// No number where a reading makes no sense.
    costs: Vec<f64>,
}

impl EmptyLoop {
    /// Reads it from a visit; `None` where it was not read in every other round, or batches are too long.
    #[inline(never)]
    pub(crate) fn of(visit: &Visit) -> Option<EmptyLoop> {
        let chain = visit.chain.as_ref()?;
        let batches = &visit.batches;
        let (short, long) = (&visit.empty.short_ticks, &visit.empty.long_ticks);
        let per_round = if visit.length.slope { 3 } else { 2 };
        let rounds = batches.kind.len().div_ceil(per_round);
        let is_complete = short.len() == rounds.div_ceil(READ_EVERY) && long.len() == short.len();
        if !is_complete || visit.empty.ops == 0 {
            return None;
        }
        // A core that is slower for a moment is no neighbour.
        let core = CoreClock::new(chain)?;
        let batch = median_of_kind(batches, 1, &batches.ticks)?;
        if batch > LONGEST * core.typical() {
            return None;
        }
        let turns = visit.empty.ops as f64 / OPS;
        let (mut costs, mut usable) = (Vec::new(), Vec::new());
        for index in 0..short.len() {
            let before = per_round * (READ_EVERY * index + 1);
            let ticks = long[index].saturating_sub(short[index]);
            if ticks == 0 || went_backwards(ticks) {
                costs.push(f64::NAN);
            } else {
                usable.push(ticks as f64);
                let cycles = ticks as f64 / core.ticks_per_cycle(before as u64);
                costs.push(cycles / turns);
            }
        }
        let is_fine = median_of(usable).is_some_and(|ticks| ticks >= FEWEST_TICKS);
        is_fine.then_some(EmptyLoop { costs })
    }

    /// The dearer one of the readings before and after a round, counted from 0; nothing where there is none.
    pub(crate) fn beside(&self, round: usize) -> f64 {
        let after = round.div_ceil(READ_EVERY);
        let mut most = 0.0;
        for index in after.saturating_sub(1)..=after {
            if let Some(cost) = self.costs.get(index) {
                most = f64::max(most, *cost);
            }
        }
        most
    }

    /// Whether a reading tells that there was no neighbour.
    pub(crate) fn is_quiet(&self, reading: usize, quiet_at_most: f64) -> bool {
        self.costs
            .get(reading)
            .is_some_and(|cost| *cost <= quiet_at_most)
    }

    /// What the quicker quarter of the readings stays below; `None` of a single one, which a visit has that
    /// ended early.
    pub(crate) fn quick(&self) -> Option<f64> {
        let mut costs = Vec::new();
        for cost in &self.costs {
            if cost.is_finite() {
                costs.push(*cost);
            }
        }
        if costs.len() < 2 {
            return None;
        }
        let sample = sorted(&costs)?;
        Some(sample.as_slice()[(sample.len() - 1) / 4])
    }
}

/// What the empty loops of a visit say of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// What the quicker ones cost; nothing where that is not known.
    pub(crate) quick: f64,
    /// What one may cost without a neighbour, so that the visit has enough rounds without one; no bound
    /// is high enough where additions tell of one in too many.
    pub(crate) level: f64,
    /// The same, so that half of its rounds are without one.
    pub(crate) level_of_half: f64,
}

impl Standing {
    /// Whether enough rounds of the visit had no neighbour.
    pub(crate) fn is_quiet(self, quiet_at_most: f64) -> bool {
        self.level.is_finite() && self.level <= quiet_at_most
    }

    /// Whether half of the rounds of the visit had none.
    pub(crate) fn is_mostly_quiet(self, quiet_at_most: f64) -> bool {
        self.level_of_half.is_finite() && self.level_of_half <= quiet_at_most
    }
}

/// What the empty loop costs at most without a neighbour, by what it cost in the launches of a case.
#[inline(never)]
pub(crate) fn quiet_at_most(launches: &[Standing]) -> f64 {
    match turn(launches) {
        Some(turn) => SHARED * turn,
        None => f64::INFINITY,
    }
}

/// What 1000 turns of it take at least, in cycles, where there certainly is one.
#[inline]
pub(crate) fn neighbour_from(launches: &[Standing]) -> Option<u64> {
    turn(launches).map(|turn| (1_000.0 * BETWEEN.1 * turn) as u64)
}

/// What a turn costs without a neighbour; `None` where that cannot be said, or it scatters.
fn turn(launches: &[Standing]) -> Option<f64> {
    let mut quick = Vec::new();
    for launch in launches {
        if launch.quick > 0.0 {
            quick.push(launch.quick);
        }
    }
    let sample = sorted(&quick)?;
    let quick = sample.as_slice().get(QUICK - 1)?;
    // A turn counts, and each count waits for the one before: whole cycles, one at least. Between two of
    // these numbers are launches that had a neighbour all the time, every one of them: on Zen 4 the
    // quicker quarter of such is 1.25 to 1.7.
    let turn = f64::from(((quick + BELOW_WHOLE) as u32).max(1));
    let (mut between, mut all) = (0, 0);
    for launch in launches {
        if launch.quick > 0.0 {
            let level = launch.level / turn;
            between += usize::from(level > BETWEEN.0 && level <= BETWEEN.1);
            all += 1;
        }
    }
    let scatters = between * BETWEEN_ONE_IN > all.max(2 * BETWEEN_ONE_IN);
    (!scatters).then_some(turn)
}

/// Share of the readings of the empty loop that had a neighbour beside them, somebody at work on the other
/// thread of the core; `None` where too few visits read it, or it scatters and tells nothing.
#[must_use]
pub fn beside_a_neighbour(visits: &[Visit]) -> Option<f64> {
    let (mut all, mut slow) = (0, 0);
    for (of_visit, slow_of_visit) in readings(visits) {
        all += of_visit;
        slow += slow_of_visit;
    }
    (all > 0).then(|| slow as f64 / all as f64)
}

/// The same share of each visit, in order, by what all of them together say of the empty loop.
#[must_use]
pub fn each_beside_a_neighbour(visits: &[Visit]) -> Vec<Option<f64>> {
    readings(visits)
        .into_iter()
        .map(|(all, slow)| (all > 0).then(|| slow as f64 / all as f64))
        .collect()
}

/// Of each visit, how many readings of the empty loop tell anything, and how many tell of a neighbour.
fn readings(visits: &[Visit]) -> Vec<(usize, usize)> {
    let all: Vec<Beside> = visits.iter().map(Beside::of).collect();
    let standings: Vec<Standing> = visits
        .iter()
        .zip(&all)
        .map(|(visit, beside)| standing(visit, beside))
        .collect();
    let most = quiet_at_most(&standings);
    all.iter()
        .map(|beside| match &beside.empty_loop {
            Some(empty_loop) if most.is_finite() => {
                let costs = empty_loop.costs.iter().filter(|cost| cost.is_finite());
                let slow = costs.clone().filter(|cost| **cost > most).count();
                (costs.count(), slow)
            }
            _ => (0, 0),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(level: f64) -> Standing {
        Standing {
            quick: 1.0,
            level,
            level_of_half: level,
        }
    }

    #[test]
    fn the_empty_loop_tells_where_launches_are_of_two_kinds() {
        let mut launches = vec![launch(1.0); 12];
        assert_eq!(quiet_at_most(&launches), SHARED);
        for level in [1.5, 1.9, 2.0, f64::INFINITY] {
            launches.push(launch(level));
        }
        assert_eq!(quiet_at_most(&launches), SHARED);
        // Two of twenty may be in between; three tell that it scatters.
        launches.extend([launch(1.0), launch(1.0), launch(1.3), launch(1.3)]);
        assert_eq!(quiet_at_most(&launches), SHARED);
        launches.push(launch(1.25));
        assert_eq!(quiet_at_most(&launches), f64::INFINITY);
        // Of thirty may be as many.
        launches.extend([launch(1.0); 9]);
        assert_eq!(quiet_at_most(&launches), SHARED);
        launches.truncate(21);
        // Of one that ended early nothing else is known.
        launches.pop();
        launches.push(Standing {
            quick: 0.0,
            level: 1.34,
            level_of_half: 1.34,
        });
        assert_eq!(quiet_at_most(&launches), SHARED);
        // Of fewer launches, too, two may be.
        assert_eq!(quiet_at_most(&launches[8..20]), SHARED);
    }

    #[test]
    fn what_it_costs_in_quiet_is_learnt_from_three_launches() {
        let of = |quick: &[f64]| {
            let mut launches = Vec::new();
            for quick in quick {
                launches.push(Standing {
                    quick: *quick,
                    level: 0.0,
                    level_of_half: 0.0,
                });
            }
            quiet_at_most(&launches)
        };
        assert_eq!(of(&[2.0, 2.0, 2.1, 2.2]), 2.0 * SHARED);
        assert_eq!(of(&[1.8, 1.9, 1.9, 2.2]), 2.0 * SHARED);
        // Two quick launches do not make the others slow, and a turn takes a cycle.
        assert_eq!(of(&[1.0, 2.0, 2.0, 1.0, 2.0]), 2.0 * SHARED);
        assert_eq!(of(&[0.8, 0.9, 0.9, 1.0]), SHARED);
        // Nor is one that always had a neighbour slow.
        assert_eq!(of(&[1.3, 1.4, 1.45, 1.6]), SHARED);
        assert_eq!(of(&[1.6, 1.7, 1.7, 1.9]), SHARED);
        assert_eq!(of(&[1.0, 2.0]), f64::INFINITY);
        assert_eq!(of(&[0.0, 0.0, 0.0, 1.0]), f64::INFINITY);
        assert_eq!(of(&[]), f64::INFINITY);
    }

    #[test]
    fn a_round_stands_between_two_readings() {
        let empty = EmptyLoop {
            costs: vec![1.0, 2.0, f64::NAN, 1.5],
        };
        let beside: Vec<f64> = (0..8).map(|round| empty.beside(round)).collect();
        // The first is read after round 0, the second after round 2.
        assert_eq!(beside, [1.0, 2.0, 2.0, 2.0, 2.0, 1.5, 1.5, 1.5]);
        assert_eq!(empty.quick(), Some(1.0));
        let single = EmptyLoop {
            costs: vec![1.9, f64::NAN],
        };
        assert_eq!(single.quick(), None);
    }
}
