//! From counted batches of a case to how often events come in an op.

use std::collections::BTreeMap;

use tourbillon_record::{CaseResult, EventCounts, Metric, Scope, Stepped};

/// Name and version of the method.
const EVENTS: &str = "events-1";
/// Pairs of launches by which two builds differ: that all of them differ in the same direction has a chance of 1 in
/// 524 288 if nothing does, which is 1 in 1000 for the 500 counters of a large suite together.
pub const PAIRS: u32 = 20;
/// Differences up to this share of the count are none: the loops around the ops are placed in another way.
const SAME: f64 = 0.001;

/// How often an event came per op in each launch: the mean of the long batches without that of the short ones, divided by
/// the difference of their iterations.
///
/// What reading costs is in both, and drops out. Where all batches have one length, as those of long ops have, it is the
/// quotient, with the instructions of two marks: about a hundred.
pub(crate) fn per_op(event: &EventCounts, ops_per_iteration: u64) -> BTreeMap<u64, f64> {
    let mut launches: BTreeMap<u64, BTreeMap<u64, (f64, f64)>> = BTreeMap::new();
    for (at, launch) in event.launch.iter().enumerate() {
        let lengths = launches.entry(*launch).or_default();
        let (batches, count) = lengths.entry(event.iterations[at]).or_default();
        *batches += 1.0;
        *count += event.counts[at] as f64;
    }
    let mut values = BTreeMap::new();
    for (launch, lengths) in launches {
        let mean = |(batches, count): &(f64, f64)| count / batches;
        let (Some((short, few)), Some((long, many))) =
            (lengths.first_key_value(), lengths.last_key_value())
        else {
            continue;
        };
        let per_iteration = if long > short {
            (mean(many) - mean(few)) / (long - short) as f64
        } else if *short > 0 {
            mean(few) / *short as f64
        } else {
            // A record of others has a batch without iterations.
            continue;
        };
        values.insert(launch, per_iteration / ops_per_iteration.max(1) as f64);
    }
    values
}

/// Instructions in a cycle, in each launch that counted both.
fn ipc(launch: &Stepped) -> BTreeMap<u64, f64> {
    let of = |metric: Metric| {
        let mut events = launch.events.iter().flatten();
        let event = events.find(|event| event.name == metric.name());
        event.map_or_else(BTreeMap::new, |event| counted(event, launch))
    };
    let cycles = of(Metric::CpuCycles);
    let both = of(Metric::CpuInstructions).into_iter();
    let quotients = both.filter_map(|(launch, instructions)| {
        let cycles = cycles.get(&launch).filter(|cycles| **cycles > 0.0)?;
        Some((launch, instructions / cycles))
    });
    quotients.collect()
}

/// How often an event came per op in each launch; nothing where it was not counted.
fn counted(event: &EventCounts, launch: &Stepped) -> BTreeMap<u64, f64> {
    if event.absent.is_some() {
        return BTreeMap::new();
    }
    per_op(event, launch.ops_per_iteration)
}

/// The values of each event, and of what follows from them, by launches.
fn values(launch: &Stepped) -> Vec<(Metric, BTreeMap<u64, f64>)> {
    let mut all = Vec::new();
    for event in launch.events.iter().flatten() {
        if let Some(metric) = Metric::of_name(&event.name).filter(|metric| metric.is_event()) {
            all.push((metric, counted(event, launch)));
        }
    }
    all.push((Metric::Ipc, ipc(launch)));
    all.retain(|(_, values)| !values.is_empty());
    all
}

/// The results of counted batches: of each event the median of the launches, from the least to the most.
///
/// A count is not negative: where chance makes a slope so, it is 0.
pub fn event_results(case: &str, launch: &Stepped) -> Vec<CaseResult> {
    let of = |(metric, by_launch): (Metric, BTreeMap<u64, f64>)| {
        let mut sorted: Vec<f64> = by_launch
            .into_values()
            .map(|value| value.max(0.0))
            .collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let count = sorted.len();
        // Instructions in a cycle have as many as both of their counters.
        let name = if metric == Metric::Ipc {
            Metric::CpuCycles
        } else {
            metric
        }
        .name();
        let mut events = launch.events.iter().flatten();
        let batches = events.find(|event| event.name == name);
        let all = batches.map_or(&[][..], |event| &event.iterations);
        let iterations = tourbillon_record::total(all.iter().copied());
        CaseResult {
            estimate: Ok(median(&sorted)),
            lower: sorted.first().copied().filter(|_| count > 1),
            upper: sorted.last().copied().filter(|_| count > 1),
            confidence: (count > 1).then(|| 1.0 - 2.0_f64.powi(1 - count as i32)),
            scope: if count > 1 {
                Scope::Processes
            } else {
                Scope::Process
            },
            launches: count as u32,
            samples: all.len() as u64,
            ops: iterations.saturating_mul(launch.ops_per_iteration),
            iterations,
            ..CaseResult::without_figures(case, metric, EVENTS)
        }
    };
    values(launch).into_iter().map(of).collect()
}

/// The middle of sorted values; 0 without any.
fn median(sorted: &[f64]) -> f64 {
    let (Some(low), Some(high)) = (
        sorted.get(sorted.len().saturating_sub(1) / 2),
        sorted.get(sorted.len() / 2),
    ) else {
        return 0.0;
    };
    f64::midpoint(*low, *high)
}

/// How a count differs between two builds, by pairs of launches that ran one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventChange {
    /// What was counted.
    pub metric: Metric,
    /// The least difference, the median, and the most, per op.
    pub difference: [f64; 3],
    /// The count of the older build.
    pub before: f64,
    /// Pairs of launches.
    pub pairs: usize,
}

impl EventChange {
    /// Whether all pairs differ in one direction, by more than a thousandth.
    pub fn differs(&self) -> bool {
        self.is_one_sided() && self.are_enough()
    }

    /// Whether all pairs have more than was allowed more; `None` if they do and are too few to say so.
    pub fn exceeds(&self, allowed: f64) -> Option<bool> {
        let is_above = self.is_one_sided() && self.difference[0] > allowed;
        (!is_above || self.are_enough()).then_some(is_above)
    }

    /// Whether all pairs differ in one direction, and are too few to say so.
    pub fn is_undecided(&self) -> bool {
        self.is_one_sided() && !self.are_enough()
    }

    fn is_one_sided(&self) -> bool {
        let [least, middle, most] = self.difference;
        (least > 0.0 || most < 0.0) && middle.abs() > SAME * self.before
    }

    fn are_enough(&self) -> bool {
        self.pairs >= PAIRS as usize
    }
}

/// The changes of all events that both sides have.
pub fn event_changes([before, now]: [&Stepped; 2]) -> Vec<EventChange> {
    let of_now = values(now);
    let changes = values(before).into_iter().filter_map(|(metric, then)| {
        let (_, now) = of_now.iter().find(|(other, _)| *other == metric)?;
        let pairs = then
            .iter()
            .filter_map(|(launch, value)| Some(now.get(launch)? - value));
        let mut differences: Vec<f64> = pairs.collect();
        differences.sort_unstable_by(f64::total_cmp);
        let mut sorted: Vec<f64> = then.into_values().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(EventChange {
            metric,
            difference: [
                *differences.first()?,
                median(&differences),
                *differences.last()?,
            ],
            before: median(&sorted),
            pairs: differences.len(),
        })
    });
    changes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches of two short and two long batches, of an event that comes `each` times in an iteration, and `read` times
    /// in a reading.
    fn event(metric: Metric, each: &[u64], read: u64) -> EventCounts {
        let mut counts = EventCounts {
            name: metric.name().to_owned(),
            ..EventCounts::default()
        };
        for (launch, each) in (0..).zip(each) {
            for iterations in [10, 20, 10, 20] {
                counts.launch.push(launch);
                counts.iterations.push(iterations);
                counts.counts.push(each * iterations + read);
            }
        }
        counts
    }

    fn launch(events: Vec<EventCounts>) -> Stepped {
        Stepped {
            counts: Ok(tourbillon_record::Steps::default()),
            events: Some(events),
            ..Stepped::default()
        }
    }

    fn figures(launch: &Stepped) -> Vec<(Metric, f64, [Option<f64>; 2])> {
        let results = event_results("c", launch).into_iter();
        let figure = |one: CaseResult| (one.metric, one.estimate.unwrap(), [one.lower, one.upper]);
        results.map(figure).collect()
    }

    #[test]
    fn what_reading_costs_drops_out() {
        let cycles = event(Metric::CpuCycles, &[30, 31, 33], 700);
        let instructions = event(Metric::CpuInstructions, &[90, 93, 99], 1_000);
        let all = launch(vec![cycles, instructions]);
        let expected = [
            (Metric::CpuCycles, 31.0, [Some(30.0), Some(33.0)]),
            (Metric::CpuInstructions, 93.0, [Some(90.0), Some(99.0)]),
            (Metric::Ipc, 3.0, [Some(3.0), Some(3.0)]),
        ];
        assert_eq!(figures(&all), expected);
        let four = Stepped {
            ops_per_iteration: 4,
            ..all
        };
        assert_eq!(
            figures(&four)[0],
            (Metric::CpuCycles, 7.75, [Some(7.5), Some(8.25)])
        );
    }

    #[test]
    fn batches_of_one_length_have_a_quotient() {
        let mut long = event(Metric::Branches, &[50], 6);
        long.iterations = vec![1; 4];
        long.counts = vec![56; 4];
        assert_eq!(
            figures(&launch(vec![long])),
            [(Metric::Branches, 56.0, [None, None])]
        );
    }

    /// As records of others may have it.
    #[test]
    fn a_batch_without_iterations_has_no_figure() {
        let mut none = event(Metric::Branches, &[50], 6);
        none.iterations = vec![0; 4];
        assert_eq!(figures(&launch(vec![none.clone()])), []);
        none.counts = vec![u64::MAX; 4];
        none.iterations = vec![0, 1, 0, 1];
        let [(_, figure, _)] = figures(&launch(vec![none]))[..] else {
            panic!("one figure");
        };
        assert_eq!(figure, 0.0);
    }

    #[test]
    fn chance_makes_no_negative_count() {
        let mut faults = event(Metric::MinorFaults, &[0, 0], 0);
        faults.counts[0] = 2;
        let expected = [(Metric::MinorFaults, 0.0, [Some(0.0), Some(0.0)])];
        assert_eq!(figures(&launch(vec![faults])), expected);
    }

    #[test]
    fn what_was_not_counted_has_no_figure() {
        let mut misses = event(Metric::CacheMisses, &[3, 3], 0);
        misses.absent = Some("too few counters".to_owned());
        let cycles = event(Metric::CpuCycles, &[3, 3], 0);
        let known = figures(&launch(vec![misses, cycles]));
        assert_eq!(known.len(), 1);
        assert_eq!(known[0].0, Metric::CpuCycles);
        assert!(event_results("c", &Stepped::default()).is_empty());
    }

    #[test]
    fn builds_differ_if_all_pairs_do() {
        let of = |each: &[u64]| launch(vec![event(Metric::CpuInstructions, each, 9)]);
        let change = |then: &[u64], now: &[u64]| event_changes([&of(then), &of(now)])[0];
        let mut then = [1_000; PAIRS as usize];
        (then[1], then[3]) = (1_010, 1_020);
        // The launches scatter by more than the pairs differ.
        let more = change(&then, &then.map(|count| count + 5));
        assert_eq!(
            (more.difference, more.before, more.pairs),
            ([5.0; 3], 1_000.0, 20)
        );
        assert!(more.differs() && !more.is_undecided());
        assert_eq!(
            [4.9, 5.0].map(|allowed| more.exceeds(allowed)),
            [Some(true), Some(false)]
        );
        let fewer = change(&then, &then.map(|count| count - 5));
        assert!(fewer.differs() && fewer.exceeds(0.0) == Some(false));
        let mut mixed = then.map(|count| count + 5);
        mixed[3] = then[3] - 1;
        assert!(!change(&then, &mixed).differs());
        assert!(
            !change(&then, &then.map(|count| count + 1)).differs(),
            "a thousandth"
        );
        let few = change(&then[..19], &then.map(|count| count + 5)[..19]);
        assert!(!few.differs() && few.is_undecided());
        assert_eq!(
            [4.9, 5.0].map(|allowed| few.exceeds(allowed)),
            [None, Some(false)]
        );
        assert!(!change(&then[..4], &mixed[..4]).is_undecided());
    }
}
