//! Looks at a growing sequence of units, until one decides.

use std::f64::consts::PI;

use tourbillon_record::{Finding, Rounds, Undecided, Verdict};
use tourbillon_stats::{Confidence, Sample, hodges_lehmann, signed_rank_interval};

use super::criteria::Criteria;
use super::units::{Units, count};

/// The smallest difference that is not due to the measuring itself: the order of the two arms in a round, and the
/// state in which one leaves the caches for the other. Margins are never below twice this.
pub(crate) const BIAS_FLOOR: f64 = 0.000_2;

/// What something else on the core may do to the ratio of two bodies, at most. Measured with 64 pairs of bodies: ratios of
/// contended launches differ from those of others by a factor of up to 1.27 (`scripts/agree.sh`).
pub(crate) const SHARED: f64 = 1.5;

/// When a growing number of units is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Schedule {
    /// After 64, 128, 256, .. pairs of batches.
    Pairs,
    /// After 16, 24, 36, 54, .. processes, or pairs of them: half as many again each time.
    Launches,
}

impl Schedule {
    /// After how many units look number `look` is made, from 0.
    pub(crate) fn at(self, look: u32) -> usize {
        match self {
            Schedule::Pairs => 64_usize.saturating_mul(1 << look.min(40)),
            Schedule::Launches => {
                (0..look.min(60)).fold(16_usize, |at, _| at.saturating_add(at / 2))
            }
        }
    }

    /// Whether a look is planned after this many units.
    pub(crate) fn is_due(self, units: usize) -> bool {
        self.last(units) == Some(units)
    }

    /// The last planned look until then, in units.
    pub(crate) fn last(self, units: usize) -> Option<usize> {
        let looks = (0..).map(|look| self.at(look));
        looks.take_while(|at| *at <= units).last()
    }

    /// The first planned look after it, in units.
    pub(crate) fn next(self, units: usize) -> usize {
        let mut looks = (0..).map(|look| self.at(look));
        looks.find(|at| *at > units).unwrap_or(usize::MAX)
    }
}

/// Whether functions are looked at after this many rounds.
pub fn is_look(rounds: &Rounds) -> bool {
    Schedule::Pairs.is_due(count(rounds))
}

/// The confidence of a look, counted from 0: its share of the error is 6 / (pi^2 (look + 1)^2) of the whole.
/// The shares of any number of looks add up to the whole at most, so that the number need not be known
/// beforehand (Bonferroni's inequality; the sum of 1/k^2 is pi^2/6).
pub(crate) fn share(error: f64, look: u32) -> Option<Confidence> {
    let number = f64::from(look) + 1.0;
    let share = error * 6.0 / (PI * PI * number * number);
    Confidence::of_error(share).ok()
}

/// The fewest pairs that have an interval with this error: with fewer, nothing is decided whatever they are.
pub fn fewest_pairs(error: f64) -> Option<usize> {
    share(error, 0).map(Confidence::values_needed)
}

/// After how many pairs of processes the first look is made that can decide with this error.
pub fn first_deciding_look(error: f64) -> Option<usize> {
    let needed = fewest_pairs(error)?;
    let mut looks = (0..).map(|look| Schedule::Launches.at(look));
    looks.find(|at| *at >= needed)
}

/// The finding of a sequence of units, at the look that decides. Logs of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) finding: Finding,
    pub(crate) why: Option<Undecided>,
    /// Centre; `None` without units.
    pub(crate) centre: Option<f64>,
    /// The interval, cut over the looks.
    pub(crate) interval: Option<(f64, f64)>,
    /// Units that were looked at.
    pub(crate) units: usize,
    /// How many times as many units a decision would need.
    pub(crate) times_needed: Option<f64>,
    /// Whether the direction is decided and the interval is wider than requested.
    pub(crate) is_wide: bool,
}

impl Decision {
    /// Whether more units may change it.
    pub(crate) fn is_open(&self) -> bool {
        let reasons = [Undecided::Time, Undecided::TooFew, Undecided::CoreShared];
        let is_undecided = self.finding == Finding::Undecided;
        self.is_wide || is_undecided && self.why.is_some_and(|why| reasons.contains(&why))
    }
}

/// Looks at `units` at every planned number of rounds until a look decides, and at the end.
///
/// Looks are counted in rounds, not in units. Where some rounds are discarded, looks counted in units would be made
/// at another number of units each time that a caller asks, and the error would be spent twice.
///
/// The intervals of all looks hold together with the error of `criteria`, and so does their intersection. A
/// decision is final: units that came later, for other arms, are not looked at. If the intersection is empty,
/// or excludes the centre, what was measured changed between two looks.
pub(crate) fn decide(units: &Units, schedule: Schedule, criteria: Criteria) -> Decision {
    decide_within(units, schedule, criteria, Wider::default())
}

/// By how much an interval of log ratios is wider at either end than its units make it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wider {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl Wider {
    /// By a factor of the ratio in both directions.
    pub(crate) fn by(factor: f64) -> Wider {
        let log = factor.ln();
        Wider {
            lower: log,
            upper: log,
        }
    }

    /// The wider one at either end.
    pub(crate) fn or(self, other: Wider) -> Wider {
        Wider {
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    fn around(self, (lower, upper): (f64, f64)) -> (f64, f64) {
        (lower - self.lower, upper + self.upper)
    }
}

/// By how much intervals are wider where the core was shared: by the units that count, and by all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shared {
    pub(crate) counted: Wider,
    pub(crate) all: Wider,
}

/// Decides by the units that count. Where these are too few, because the core was shared in the others, by `all` units
/// with an interval that is as much wider as contention may make a ratio: what it still decides is no
/// matter of contention, and [`Undecided::CoreShared`] stands beside it.
///
/// Equal code has equal chances of contention on either side, so that this is as seldom wrong of it as any decision.
pub(crate) fn decide_shared(
    units: &Units,
    all: impl FnOnce() -> Units,
    schedule: Schedule,
    criteria: Criteria,
    shared: Shared,
) -> Decision {
    let decision = decide_within(units, schedule, criteria, shared.counted);
    if decision.why != Some(Undecided::TooFew) || units.discarded == 0 {
        return decision;
    }
    let of_all = decide_within(&all(), schedule, criteria, shared.all);
    match of_all.finding {
        Finding::Faster | Finding::Slower => Decision {
            why: Some(Undecided::CoreShared),
            ..of_all
        },
        Finding::Same | Finding::Unchanged | Finding::Undecided => Decision {
            why: if units.discarded > units.pairs {
                Some(Undecided::CoreShared)
            } else {
                decision.why
            },
            ..decision
        },
    }
}

/// As [`decide`], with intervals that are wider.
fn decide_within(units: &Units, schedule: Schedule, criteria: Criteria, wider: Wider) -> Decision {
    // With a limit, it is the limit that the interval has to exclude.
    let (limit, margin) = match criteria.limit {
        Some(limit) => (limit.ln(), 0.0),
        None => (0.0, criteria.margin.ln_1p()),
    };
    let finding = |lower, upper| {
        let (lower, upper) = wider.around((lower - limit, upper - limit));
        match criteria.limit {
            Some(_) => beside(lower, upper),
            None => finding(lower, upper, margin),
        }
    };
    let is_narrow = |interval| criteria.is_narrow(interval);
    let mut decision = look_at(units, schedule, criteria.error, finding, is_narrow);
    decision.interval = decision.interval.map(|interval| wider.around(interval));
    if let (Some((lower, upper)), Some(Undecided::Time)) = (decision.interval, decision.why) {
        decision.times_needed = times_needed(lower - limit, upper - limit, margin);
    }
    decision
}

/// As [`decide`], with any `finding` of an interval, and any interval that is narrow enough once it is decided.
pub(crate) fn look_at(
    units: &Units,
    schedule: Schedule,
    error: f64,
    finding: impl Fn(f64, f64) -> Finding,
    is_narrow: impl Fn((f64, f64)) -> bool,
) -> Decision {
    let mut decision = Decision {
        finding: Finding::Undecided,
        why: Some(Undecided::TooFew),
        centre: None,
        interval: None,
        units: 0,
        times_needed: None,
        is_wide: false,
    };
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    // Looks with an interval. Whether one has it is a matter of the number of its units, so that the others cost none of
    // the error.
    let mut made = 0;
    for look in 0.. {
        let at = schedule.at(look);
        let values = units.of_first(at);
        let sample = Sample::new(values.to_vec()).ok();
        let centre = sample.as_ref().map(hodges_lehmann);
        let of_look = sample.and_then(|sample| interval_at(&sample, error, made));
        if let (Some(of_look), Some(centre)) = (of_look, centre) {
            made += 1;
            (lower, upper) = (lower.max(of_look.0), upper.min(of_look.1));
            if centre < lower || centre > upper {
                if decision.is_wide {
                    // The direction was decided before; its size is what the looks before say.
                    return decision;
                }
                // No look decides: the centre is that of all units.
                let all = Sample::new(units.values.clone()).ok();
                return Decision {
                    why: Some(Undecided::Drift),
                    interval: None,
                    centre: all.as_ref().map(hodges_lehmann),
                    units: units.values.len(),
                    ..decision
                };
            }
            decision.interval = Some((lower, upper));
            if decision.finding == Finding::Undecided {
                decision.finding = finding(lower, upper);
                decision.why = (decision.finding == Finding::Undecided).then_some(Undecided::Time);
            }
        }
        decision.centre = centre;
        decision.units = values.len();
        if decision.finding != Finding::Undecided {
            let is_same = decision.finding == Finding::Same;
            decision.is_wide = !is_same && !decision.interval.is_some_and(&is_narrow);
            if !decision.is_wide {
                return decision;
            }
        }
        if at >= units.rounds {
            break;
        }
    }
    decision
}

/// The interval of one look; `None` where there are too few units for it.
fn interval_at(units: &Sample, error: f64, look: u32) -> Option<(f64, f64)> {
    let interval = signed_rank_interval(units, share(error, look)?).ok()?;
    Some((interval.lower, interval.upper))
}

/// Where an interval of log ratios lies with regard to the margin.
fn finding(lower: f64, upper: f64, margin: f64) -> Finding {
    if lower > margin {
        Finding::Slower
    } else if upper < -margin {
        Finding::Faster
    } else if lower > -margin && upper < margin {
        Finding::Same
    } else {
        Finding::Undecided
    }
}

/// The verdict on an assertion: on which side of a limit the interval lies, with the limit at 0.
fn beside(lower: f64, upper: f64) -> Finding {
    if upper <= 0.0 {
        Finding::Faster
    // What the measuring itself may add is not held against the case.
    } else if lower > 2.0 * BIAS_FLOOR {
        Finding::Slower
    } else {
        Finding::Undecided
    }
}

/// How many times as many units make the interval so narrow that it fits on one side of the
/// margin's nearer edge: widths shrink with the root of their number. `None` where the middle is on
/// an edge, so that no number is enough.
fn times_needed(lower: f64, upper: f64, margin: f64) -> Option<f64> {
    let (middle, half) = (f64::midpoint(lower, upper), (upper - lower) / 2.0);
    let gap = (middle.abs() - margin).abs();
    let times = (half / gap).powi(2);
    (times.is_finite() && times < 1e6).then_some(times.max(1.0))
}

/// How many times as many units the verdict needs that lacks time, by its interval; `None` where no number is enough.
pub fn more_needed(verdict: &Verdict) -> Option<f64> {
    let (lower, upper) = verdict.lower.zip(verdict.upper)?;
    times_needed(lower.ln(), upper.ln(), verdict.margin.ln_1p())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_stats::Rng;

    /// Values around `centre`, uniform in +-`spread`, from a seed.
    fn units(seed: u64, count: usize, centre: f64, spread: f64) -> Vec<f64> {
        let mut rng = Rng::new(seed);
        (0..count)
            .map(|_| {
                let uniform = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                centre + spread * (2.0 * uniform - 1.0)
            })
            .collect()
    }

    /// The decision on units of this many rounds.
    fn decision(
        values: &[f64],
        rounds_before: &[usize],
        rounds: usize,
        criteria: Criteria,
    ) -> Decision {
        let units = Units {
            values: values.to_vec(),
            rounds_before: rounds_before.to_vec(),
            rounds,
            ..Units::default()
        };
        decide(&units, Schedule::Pairs, criteria)
    }

    /// The decision on one unit in each round.
    fn decided(values: &[f64], criteria: Criteria) -> Decision {
        let rounds_before: Vec<usize> = (0..values.len()).collect();
        decision(values, &rounds_before, values.len(), criteria)
    }

    fn found(centre: f64, spread: f64, count: usize) -> Finding {
        decided(&units(7, count, centre, spread), Criteria::FUNCTIONS).finding
    }

    #[test]
    fn the_interval_decides() {
        assert_eq!(found(0.0, 0.01, 256), Finding::Same);
        assert_eq!(found(0.02, 0.01, 64), Finding::Slower);
        assert_eq!(found(-0.02, 0.01, 64), Finding::Faster);
        assert_eq!(found(0.005, 0.02, 256), Finding::Undecided);
        assert_eq!(finding(0.004, 0.02, 0.005), Finding::Undecided);
        assert_eq!(finding(-0.02, 0.02, 0.005), Finding::Undecided);
    }

    #[test]
    fn a_limit_takes_the_place_of_the_margin() {
        let found = |centre, limit| {
            let mut criteria = Criteria::FUNCTIONS;
            criteria.limit = Some(limit);
            decided(&units(7, 256, centre, 0.01), criteria).finding
        };
        assert_eq!(found(0.03, 1.05), Finding::Faster);
        assert_eq!(found(0.07, 1.05), Finding::Slower);
        assert_eq!(found(-0.07, 0.95), Finding::Faster);
        assert_eq!(found(0.0, 0.95), Finding::Slower);
        assert_eq!(found(1.05_f64.ln(), 1.05), Finding::Undecided);
        assert_eq!(found(0.0, 1.0), Finding::Undecided);
        assert_eq!(beside(BIAS_FLOOR, 1.0), Finding::Undecided);
        assert_eq!(beside(3.0 * BIAS_FLOOR, 1.0), Finding::Slower);
    }

    #[test]
    fn too_few_units_are_no_interval() {
        let few = decided(&[0.1; 11], Criteria::FUNCTIONS);
        assert_eq!((few.interval, few.why), (None, Some(Undecided::TooFew)));
        assert_eq!(fewest_pairs(Criteria::FUNCTIONS.error), Some(12));
        assert_eq!(few.centre, Some(0.1));
        // 2^-11 is below the first look's 6e-4, so twelve of one sign are enough.
        let enough = decided(&[0.1; 12], Criteria::FUNCTIONS);
        assert_eq!(enough.finding, Finding::Slower);
        assert_eq!(decided(&[], Criteria::FUNCTIONS).centre, None);
    }

    #[test]
    fn looks_are_counted_in_rounds() {
        // Every other round was discarded: the first look is at the 32 units of 64 rounds, whether
        // it is made then or later.
        let values = [units(1, 32, 0.005, 0.003), units(2, 32, 0.1, 0.001)].concat();
        let rounds_before: Vec<usize> = (0..64).map(|unit| 2 * unit).collect();
        let at = |count: usize| {
            let before = &rounds_before[..count];
            decision(&values[..count], before, 2 * count, Criteria::FUNCTIONS)
        };
        assert_eq!(at(32).why, Some(Undecided::Time));
        assert_eq!(at(64).why, Some(Undecided::Drift));
    }

    #[test]
    fn a_look_with_too_few_units_is_not_the_last() {
        // Five of the first 64 rounds left a unit, all of the next 64 did.
        let mut rounds_before: Vec<usize> = (0..5).collect();
        rounds_before.extend(64..128);
        let values = units(3, rounds_before.len(), 0.1, 0.001);
        let decision = decision(&values, &rounds_before, 128, Criteria::FUNCTIONS);
        assert_eq!(decision.finding, Finding::Slower, "{decision:?}");
    }

    #[test]
    fn looks_that_exclude_each_other_are_a_drift() {
        // On the edge of the margin at first, so that the first look does not decide.
        let mut changed = units(1, 64, 0.005, 0.003);
        changed.extend(units(2, 448, 0.1, 0.001));
        let decision = decided(&changed, Criteria::FUNCTIONS);
        assert_eq!(decision.finding, Finding::Undecided);
        assert_eq!(
            (decision.why, decision.interval),
            (Some(Undecided::Drift), None)
        );
    }

    #[test]
    fn what_is_decided_stays_decided() {
        let first = units(1, 64, 0.02, 0.001);
        let alone = decided(&first, Criteria::FUNCTIONS);
        let mut more = first;
        more.extend(units(2, 448, 0.1, 0.001));
        let later = decided(&more, Criteria::FUNCTIONS);
        assert_eq!(later, alone);
        assert_eq!((later.finding, later.units), (Finding::Slower, 64));
    }

    #[test]
    fn an_undecided_sequence_has_the_number_it_needs() {
        // From -0.04 to 0.04 in even steps.
        let even: Vec<f64> = (0..64).map(|step| f64::from(step) / 787.5 - 0.04).collect();
        let decision = decided(&even, Criteria::FUNCTIONS);
        assert_eq!(decision.why, Some(Undecided::Time));
        let times = decision.times_needed.unwrap();
        assert!((1.0..100.0).contains(&times), "{times}");
        assert_eq!(times_needed(0.0, 0.01, 0.005), None);
        // Half a width of 0.02 has to fit into a gap of 0.005.
        let times = times_needed(-0.01, 0.03, 0.005).unwrap();
        assert!((times - 16.0).abs() < 1e-9);
    }

    #[test]
    fn the_same_code_is_hardly_ever_called_different() {
        // Symmetric about zero, as a fair coin makes it: of 1000 sequences with an error of 5 %,
        // spread over looks, at most 50 may exclude zero on average; 80 is beyond four standard
        // errors.
        let criteria = Criteria {
            margin: 0.0,
            error: 0.05,
            limit: None,
            size: None,
        };
        let wrong = (0..1_000)
            .filter(|seed| {
                let decision = decided(&units(*seed, 128, 0.0, 1.0), criteria);
                matches!(decision.finding, Finding::Faster | Finding::Slower)
            })
            .count();
        assert!(wrong <= 80, "{wrong}");
        // With hardly any error there would be none.
        assert!(wrong > 0);
    }

    #[test]
    fn looks_are_made_at_growing_distances() {
        let at = |schedule: Schedule| [0, 1, 2, 3].map(|look| schedule.at(look));
        assert_eq!(at(Schedule::Pairs), [64, 128, 256, 512]);
        assert_eq!(at(Schedule::Launches), [16, 24, 36, 54]);
        assert!(Schedule::Pairs.is_due(128) && Schedule::Launches.is_due(36));
        assert!(!Schedule::Pairs.is_due(0) && !Schedule::Pairs.is_due(100));
        assert!(Schedule::Launches.at(u32::MAX) > 1 << 30);
    }

    #[test]
    fn a_smaller_error_needs_more_pairs() {
        // The first look has 6 / pi^2 of the error: 2^-11 is below 6.1e-4, 2^-38 below 6.1e-12.
        for (error, expected) in [(1e-3, 16), (1e-5, 24), (1e-11, 54), (1e-30, 121)] {
            assert_eq!(first_deciding_look(error), Some(expected), "{error}");
        }
        let launches = units(1, 54, 0.1, 0.001);
        let criteria = |error| Criteria {
            error,
            ..Criteria::BUILDS
        };
        let found = |count: usize, error| {
            let units = Units {
                values: launches[..count].to_vec(),
                rounds_before: (0..count).collect(),
                rounds: count,
                ..Units::default()
            };
            decide(&units, Schedule::Launches, criteria(error))
        };
        assert_eq!(found(36, 1e-11).why, Some(Undecided::TooFew));
        assert_eq!(found(54, 1e-11).finding, Finding::Slower);
        assert_eq!(found(54, 1e-30).why, Some(Undecided::TooFew));
    }

    #[test]
    fn the_shares_of_all_looks_are_the_error() {
        let sum: f64 = (0..100_000)
            .map(|look| share(1e-3, look).unwrap().error())
            .sum();
        // Approximate: what is left of the series after this many looks.
        assert!((sum - 1e-3).abs() < 1e-8 && sum <= 1e-3, "{sum}");
    }
}
