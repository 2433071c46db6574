//! Cases whose launches were made in blocks: the launches of a block follow each other in random order, with the same
//! draws of what chance decides for a process, and have the same number.
//!
//! ```text
//! value   = ln(estimate of the case / estimate of the reference) of a block, as the table has them: in cycles where
//!           all launches of both have them, else in the main metric
//! discard = blocks in which one of the two launches does not count in its table; the other one makes a value with the
//!           next launch of the other side that is left without its partner
//! ```

use std::collections::VecDeque;

use tourbillon_record::{LaunchSamples, Metric, Reach, Verdict};

use super::criteria::Criteria;
use super::design::BLOCKS;
use super::judge::fastest;
use super::sequence::{Decision, SHARED, Schedule, Shared, Wider, decide_shared};
use super::units::Units;
use crate::estimate::{LaunchUse, Rules, Usage, median_of, unseen, used};

/// The launches of a case, as a comparison takes them.
#[derive(Clone, Debug)]
pub struct BlockArm {
    case: String,
    metric: Metric,
    launches: Vec<BlockLaunch>,
    /// How many times as long its launches may have taken without a reading that shows it.
    unseen: Unseen,
}

/// That of the launches that count, and of all.
#[derive(Clone, Copy, Debug)]
struct Unseen {
    counted: f64,
    all: f64,
}

/// The estimate of a launch in the main metric, and in cycles.
type Estimates = Option<(f64, Option<f64>)>;

#[derive(Clone, Copy, Debug)]
struct BlockLaunch {
    /// Its number, which is that of its block.
    number: u32,
    /// `None` without one.
    estimates: Estimates,
    /// Whether it counts.
    counts: bool,
    seconds: f64,
}

impl BlockLaunch {
    /// Its estimates, if it counts.
    fn figures(&self) -> Estimates {
        self.estimates.filter(|_| self.counts)
    }
}

impl BlockArm {
    /// The launches of a case.
    pub fn new(case: &str, launches: &[LaunchSamples], rules: &Rules) -> BlockArm {
        let of_launches = used(launches, rules);
        let counts = |used: &LaunchUse| matches!(used.usage, Usage::Used { .. });
        let (metric, frequency) = (main_metric(launches), &rules.frequency);
        let is_counted = |launch: usize| counts(&of_launches[launch]);
        let mut arm = BlockArm {
            case: case.to_owned(),
            metric,
            launches: Vec::with_capacity(launches.len()),
            unseen: Unseen {
                counted: unseen(launches, is_counted, metric, frequency),
                all: unseen(launches, |_| true, metric, frequency),
            },
        };
        for (launch, used) in launches.iter().zip(&of_launches) {
            let counts = counts(used);
            let estimate = used.estimate.filter(|estimate| *estimate > 0.0);
            arm.launches.push(BlockLaunch {
                number: launch.launch,
                estimates: estimate.map(|estimate| (estimate, used.cycles)),
                counts,
                seconds: rules.frequency.nanos(launch.launch_ticks) as f64 / 1e9,
            });
        }
        arm.launches.sort_by_key(|launch| launch.number);
        arm
    }

    /// Whether the ratio of the two means anything: both are durations of one kind.
    pub fn is_comparable(&self, other: &BlockArm) -> bool {
        self.metric == other.metric && self.metric != Metric::Own
    }

    /// The estimate of a launch in the main metric that is typical; `None` where none counts.
    fn typical(&self) -> Option<f64> {
        let estimates = self.launches.iter().filter_map(BlockLaunch::figures);
        median_of(estimates.map(|(estimate, _)| estimate))
    }
}

/// What the launches of a case measure.
fn main_metric(launches: &[LaunchSamples]) -> Metric {
    let measured = launches
        .iter()
        .find_map(|launch| launch.measured.as_deref());
    measured.map_or(Metric::Time, |measured| measured.metric)
}

/// A block, as a comparison of two cases takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Number of the launches.
    pub number: u32,
    /// Figure of the reference and of the case, in one unit. `None` where neither counts, or one does and waits for the
    /// partner that a later block gives it.
    pub figures: Option<(f64, f64)>,
    seconds: f64,
}

/// The blocks that have launches of both cases, in the order of their numbers.
pub fn blocks(reference: &BlockArm, case: &BlockArm) -> Vec<Block> {
    blocks_by(reference, case, BlockLaunch::figures)
}

/// The same by any figures of a launch.
fn blocks_by(
    reference: &BlockArm,
    case: &BlockArm,
    figures: fn(&BlockLaunch) -> Estimates,
) -> Vec<Block> {
    let launches = || reference.launches.iter().chain(&case.launches);
    let counted = launches().filter_map(figures);
    let by_cycles =
        counted.clone().count() > 0 && counted.clone().all(|(_, cycles)| cycles > Some(0.0));
    let figure = |launch: &BlockLaunch| {
        let (estimate, cycles) = figures(launch)?;
        if by_cycles { cycles } else { Some(estimate) }
    };
    let mut blocks = Vec::new();
    // Launches of one side whose partners do not count.
    let mut waiting: VecDeque<(bool, f64)> = VecDeque::new();
    let mut candidates = case.launches.iter().peekable();
    for one in &reference.launches {
        while candidates
            .next_if(|other| other.number < one.number)
            .is_some()
        {}
        let Some(other) = candidates.next_if(|other| other.number == one.number) else {
            continue;
        };
        let mut single = |is_reference: bool, own: f64| match waiting.front() {
            Some((side, earlier)) if *side != is_reference => {
                let earlier = *earlier;
                waiting.pop_front();
                Some(if is_reference {
                    (own, earlier)
                } else {
                    (earlier, own)
                })
            }
            _ => {
                waiting.push_back((is_reference, own));
                None
            }
        };
        blocks.push(Block {
            number: one.number,
            figures: match (figure(one), figure(other)) {
                (Some(reference), Some(case)) => Some((reference, case)),
                (Some(reference), None) => single(true, reference),
                (None, Some(case)) => single(false, case),
                (None, None) => None,
            },
            seconds: one.seconds + other.seconds,
        });
    }
    blocks
}

/// The two arms with the smallest typical estimates, the fastest first; `None` for fewer than two arms, or if one has
/// no estimate.
pub fn fastest_arms<'a>(arms: impl Iterator<Item = &'a BlockArm>) -> Option<(usize, usize)> {
    let typical = arms
        .enumerate()
        .map(|(index, arm)| Some((index, arm.typical()?)));
    fastest(typical.collect::<Option<_>>()?)
}

/// How far the comparison of two cases is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlocksLeft {
    /// Blocks until the next look; `None` where nothing more is looked for.
    pub blocks: Option<u32>,
    /// Whether there was a look.
    pub is_looked_at: bool,
}

/// How many more blocks the comparison of two cases waits for, by the planned looks alone.
pub fn blocks_left(reference: &BlockArm, case: &BlockArm, criteria: Criteria) -> BlocksLeft {
    let schedule = Schedule::Launches;
    let blocks = blocks(reference, case);
    let looked_at = schedule.last(blocks.len()).unwrap_or(0);
    let all = || units(&all_blocks(reference, case)[..looked_at]);
    let of_looks = units(&blocks[..looked_at]);
    let is_open =
        decide_shared(&of_looks, all, schedule, criteria, shared(reference, case)).is_open();
    let missing = schedule.next(blocks.len()) - blocks.len();
    BlocksLeft {
        blocks: is_open.then(|| u32::try_from(missing).unwrap_or(u32::MAX)),
        is_looked_at: looked_at > 0,
    }
}

/// Compares a case with its reference. The error of `criteria` is that of this comparison alone.
pub fn judge_blocks(reference: &BlockArm, case: &BlockArm, criteria: Criteria) -> Verdict {
    let blocks = blocks(reference, case);
    let units = units(&blocks);
    let all = || self::units(&all_blocks(reference, case));
    let decision = decide_shared(
        &units,
        all,
        Schedule::Launches,
        criteria,
        shared(reference, case),
    );
    let Decision {
        finding,
        why,
        centre,
        interval,
        times_needed,
        ..
    } = decision;
    let side = |figure: fn((f64, f64)) -> f64| {
        let figures = blocks.iter().filter_map(|block| block.figures);
        median_of(figures.map(figure))
    };
    let medians = side(|(_, case)| case).zip(side(|(reference, _)| reference));
    let seconds = blocks.iter().map(|block| block.seconds).sum();
    Verdict {
        case: case.case.clone(),
        reference: reference.case.clone(),
        metric: (case.metric != Metric::Time).then_some(case.metric),
        finding,
        why,
        ratio: centre.map(f64::exp),
        lower: interval.map(|(lower, _)| lower.exp()),
        upper: interval.map(|(_, upper)| upper.exp()),
        limit: criteria.limit,
        confidence: 1.0 - criteria.error,
        margin: criteria.margin,
        scope: Reach::Processes,
        pairs: units.pairs,
        launches: units.rounds as u32,
        placements: 1,
        discarded: units.discarded,
        seconds,
        seconds_needed: times_needed.map(|times| times * seconds),
        reference_ns: reference.typical(),
        case_ns: case.typical(),
        ratio_of_medians: medians.map(|(case, reference)| case / reference),
        method: BLOCKS.to_owned(),
        ..Verdict::default()
    }
}

/// What contention may do to their ratio: where it may have lengthened one of them more than the other, unseen.
fn shared(reference: &BlockArm, case: &BlockArm) -> Shared {
    let wider = |unseen: fn(&BlockArm) -> f64| {
        let of_case = (unseen(case) / unseen(reference)).ln();
        Wider {
            lower: of_case.max(0.0),
            upper: (-of_case).max(0.0),
        }
    };
    Shared {
        counted: wider(|arm| arm.unseen.counted),
        all: wider(|arm| arm.unseen.all).or(Wider::by(SHARED)),
    }
}

/// The same of all launches, contended ones included.
fn all_blocks(reference: &BlockArm, case: &BlockArm) -> Vec<Block> {
    blocks_by(reference, case, |launch| launch.estimates)
}

fn units(blocks: &[Block]) -> Units {
    let mut units = Units {
        rounds: blocks.len(),
        ..Units::default()
    };
    for (before, block) in blocks.iter().enumerate() {
        match block.figures {
            Some((reference, case)) => {
                units.values.push((case / reference).ln());
                units.rounds_before.push(before);
            }
            None => units.discarded += 1,
        }
    }
    units.pairs = units.values.len() as u64;
    units
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Finding, Undecided};

    use super::*;

    /// A case of so many launches of this length, of which some are contended.
    fn arm(case: &str, estimate: f64, launches: u32, is_contended: fn(u32) -> bool) -> BlockArm {
        let launch = |number| BlockLaunch {
            number,
            // Never quite the same.
            estimates: Some((estimate * (1.0 + f64::from(number % 7) / 1e4), None)),
            counts: !is_contended(number),
            seconds: 0.01,
        };
        BlockArm {
            case: case.to_owned(),
            metric: Metric::Time,
            launches: (0..launches).map(launch).collect(),
            unseen: Unseen {
                counted: 1.0,
                all: 1.0,
            },
        }
    }

    /// The verdict of the first candidate of a group, and the blocks that it waits for.
    fn of_group(
        arms: usize,
        estimate: f64,
        launches: u32,
        is_contended: fn(u32) -> bool,
    ) -> (Verdict, Option<u32>) {
        let reference = arm("one", 10.0, launches, |_| false);
        let case = arm("other", estimate, launches, is_contended);
        let criteria = Criteria::CASES.of_pair(arms, (0, 1));
        let left = blocks_left(&reference, &case, criteria);
        (judge_blocks(&reference, &case, criteria), left.blocks)
    }

    #[test]
    fn many_members_are_decided_by_the_launches_of_the_table() {
        let (verdict, _) = of_group(31, 20.0, 20, |number| number.is_multiple_of(10));
        assert_eq!((verdict.finding, verdict.why), (Finding::Slower, None));
        assert!((verdict.ratio.unwrap() - 2.0).abs() < 0.01, "{verdict:?}");
    }

    #[test]
    fn what_contention_cannot_do_is_decided_however_few_launches_count() {
        // A third of them counts, then two thirds: too few of so many members in either case.
        for is_contended in [
            |number: u32| !number.is_multiple_of(3),
            |number: u32| number.is_multiple_of(3),
        ] {
            let (verdict, open) = of_group(31, 1000.0, 20, is_contended);
            assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
            assert_eq!(verdict.why, Some(Undecided::CoreShared));
            assert!(verdict.lower.unwrap() < 70.0 && verdict.upper.unwrap() > 140.0);
            // More blocks may say how much slower.
            assert_eq!(open, Some(4));
            // What contention may do is not decided by contended launches.
            let (verdict, _) = of_group(31, 13.0, 20, is_contended);
            assert_eq!(verdict.finding, Finding::Undecided, "{verdict:?}");
        }
        let (verdict, _) = of_group(31, 13.0, 20, |number| number.is_multiple_of(3));
        assert_eq!(verdict.why, Some(Undecided::TooFew));
    }

    #[test]
    fn only_planned_looks_end_a_comparison() {
        let criteria = Criteria::CASES;
        let of = |launches| {
            let reference = arm("one", 10.0, launches, |_| false);
            // The first sixteen leave it open, all twenty would not.
            let mut case = arm("other", 10.05, launches, |_| false);
            for launch in case.launches.iter_mut().skip(14) {
                launch.estimates = Some((12.0, None));
            }
            blocks_left(&reference, &case, criteria).blocks
        };
        assert_eq!(of(15), Some(1));
        assert_eq!(of(16), Some(8));
        assert_eq!(of(20), Some(4));
    }
}
