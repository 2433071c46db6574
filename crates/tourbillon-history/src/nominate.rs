//! Which series are examined, and what changes in them.

use std::collections::{HashMap, HashSet};

use tourbillon_record::Metric;
use tourbillon_tool::exit::Stop;

use crate::branch_runs::BranchRuns;
use crate::case_pattern::is_meant;
use crate::change_points::{ChangeDetector, ChangePoint};
use crate::equal_builds::{Divide, EqualPart};
use crate::index::{CommitVerdict, Index, IndexedRun, Point, Series};
use crate::machine_groups::MachineGroups;

/// A range of commits in which a series changes.
pub(crate) struct Nomination<'r> {
    pub(crate) series: Series,
    /// The number of the part of it.
    pub(crate) part: usize,
    /// Whether a larger figure is the better one.
    pub(crate) more_is_better: bool,
    /// The last run that is certainly before the change, the first that is certainly after it, and the first
    /// after the most likely place.
    pub(crate) before: &'r IndexedRun,
    pub(crate) after: &'r IndexedRun,
    pub(crate) likely: &'r IndexedRun,
    /// The medians of the points before and after the change.
    pub(crate) levels: [f64; 2],
    /// Points of the two levels.
    pub(crate) points: [usize; 2],
    /// The commits of the level before, the newest first, and of the level after, the oldest first: between one of
    /// these and one of those is this change, and no other that is nominated.
    pub(crate) sides: [Vec<&'r str>; 2],
}

/// The nominations in several series.
pub(crate) struct Nominations<'r> {
    pub(crate) found: Vec<Nomination<'r>>,
    /// How many series were examined.
    pub(crate) examined: usize,
    /// How many runs the longest of them has.
    pub(crate) longest: usize,
    /// Where each series is divided.
    pub(crate) divides: Vec<Divide<'r>>,
}

/// Examines series. `error` is the probability that a stable series is nominated.
pub(crate) fn nominate<'r>(
    index: &mut dyn Index,
    runs: &'r BranchRuns,
    all: Vec<Series>,
    error: f64,
) -> Result<Nominations<'r>, Stop> {
    // Series lack the runs of other targets: each has the error for the places that it has.
    let mut detectors: HashMap<usize, ChangeDetector> = HashMap::new();
    let mut nominations = Nominations {
        found: Vec::new(),
        examined: 0,
        longest: 0,
        divides: Vec::new(),
    };
    let mut begins = Vec::new();
    for series in &all {
        let parts = runs.parts(index, series)?;
        let first = parts.first().and_then(|part| part.points.first());
        begins.extend(first.map(|(run, _)| (series, *run)));
        for part in parts {
            nominations.examined += 1;
            nominations.longest = nominations.longest.max(part.points.len());
            nominations.divides.extend(part.divide());
            let values: Vec<f64> = part.points.iter().map(|(_, point)| point.value).collect();
            let exact = exact_steps(series, &part);
            let machines = match &exact {
                Some(_) => vec![0; values.len()],
                None => machines(&part.points),
            };
            let groups = MachineGroups::new(&values, &machines);
            nominations
                .divides
                .extend(other_machines(&part.points, &groups));
            let changes = exact.unwrap_or_else(|| {
                detectors
                    .entry(values.len())
                    .or_insert_with(|| ChangeDetector::new(values.len(), error))
                    .changes_in(&groups)
            });
            let all = 0..changes.len();
            let found = all.map(|number| nomination(series, &part, &groups, &changes, number));
            nominations.found.extend(found);
        }
    }
    let engines = other_engines(begins, |run| runs.place(run));
    nominations.divides.extend(engines);
    Ok(nominations)
}

/// The number of the machine of each point; runs that do not name it are of one.
fn machines(points: &[(&IndexedRun, Point)]) -> Vec<usize> {
    let mut names: HashMap<&str, usize> = HashMap::new();
    let numbers = points.iter().map(|(run, _)| {
        let next = names.len();
        *names.entry(&run.host).or_insert(next)
    });
    numbers.collect()
}

/// Where a machine begins to measure and too few runs from there on can be compared with those before.
fn other_machines<'r>(
    points: &[(&'r IndexedRun, Point)],
    groups: &MachineGroups,
) -> Vec<Divide<'r>> {
    let few = ChangeDetector::FEWEST;
    let places = few..(points.len() + 1).saturating_sub(few);
    let hosts = |points: &[(&'r IndexedRun, Point)]| -> HashSet<&'r str> {
        points.iter().map(|(run, _)| &*run.host).collect()
    };
    let mut known = hosts(&points[..few.min(points.len())]);
    let breaks = places.filter_map(|place| {
        let [(then, _), (first, _)] = [points[place - 1], points[place]];
        let is_new = known.insert(&first.host);
        let is_few = |side: &Vec<usize>| side.len() < few;
        if !is_new || !groups.around(place, few).iter().any(is_few) {
            return None;
        }
        let [then, now] = [then, first].map(|run| match &*run.host {
            "" => "without a name",
            name => name,
        });
        Some(Divide {
            first,
            facts: format!("machine {then}, now {now}"),
        })
    });
    breaks.collect()
}

/// Digits of the identity of an engine in texts.
const ENGINE_DIGITS: usize = 9;

/// Where another engine begins to measure: its figures are a series of their own. `begins` has each series and its
/// first run.
fn other_engines<'r>(
    mut begins: Vec<(&Series, &'r IndexedRun)>,
    place: impl Fn(&IndexedRun) -> usize,
) -> Vec<Divide<'r>> {
    fn of(series: &Series) -> [&str; 4] {
        [&series.case, &series.metric, &series.unit, &series.machine]
    }
    begins.sort_by(|(one, first), (other, second)| {
        let order = of(one).cmp(&of(other));
        order.then(place(first).cmp(&place(second)))
    });
    let pairs = begins.windows(2).filter_map(|pair| {
        let [(then, _), (now, first)] = pair else {
            return None;
        };
        if of(then) != of(now) || then.engine == now.engine {
            return None;
        }
        let [then, now] = [then, now].map(|one| {
            let name = one.engine.get(..ENGINE_DIGITS);
            name.unwrap_or(&one.engine)
        });
        Some(Divide {
            first,
            facts: format!("engine {then}, now {now}"),
        })
    });
    pairs.collect()
}

/// The steps of a count that never varies between processes, nor between runs of a commit: each is a change, without a
/// test. `None` for other series.
fn exact_steps(series: &Series, part: &EqualPart<'_>) -> Option<Vec<ChangePoint>> {
    let is_counted = Metric::of_name(&series.metric).is_some_and(Metric::is_counted);
    let is_exact = |(_, point): &(&IndexedRun, Point)| {
        point.lower == Some(point.value) && point.upper == point.lower
    };
    if !is_counted || !part.points.iter().all(is_exact) {
        return None;
    }
    let mut steps = Vec::new();
    for (last, pair) in (1..).zip(part.points.windows(2)) {
        let [(one, before), (other, after)] = pair else {
            continue;
        };
        if before.value != after.value {
            if one.commit == other.commit {
                return None;
            }
            steps.push(ChangePoint {
                first: last - 1,
                last,
                place: last,
            });
        }
    }
    Some(steps)
}

impl Nomination<'_> {
    /// The level after the change divided by that before it; `None` where that is 0.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let [before, after] = self.levels;
        Some(after / before).filter(|ratio| ratio.is_finite())
    }

    /// Whether the level becomes the worse one: higher, or lower where a larger figure is the better one.
    pub(crate) fn is_worse(&self) -> bool {
        let [before, after] = self.levels;
        if self.more_is_better {
            after < before
        } else {
            after > before
        }
    }

    /// Whether a comparison of two commits can confirm it: of what cases are measured in.
    pub(crate) fn can_be_compared(&self) -> bool {
        let [old, new] = &self.sides;
        is_compared(&self.series.metric) && !old.is_empty() && !new.is_empty() && old[0] != new[0]
    }

    /// Whether a verdict is about what the series has.
    pub(crate) fn is_about(&self, verdict: &CommitVerdict) -> bool {
        let Series { metric, unit, .. } = &self.series;
        verdict.number.as_ref().map_or_else(
            || is_wall_time(metric) || verdict.is_of_equal_code(),
            |number| number.name == *metric && number.unit == *unit,
        )
    }
}

fn nomination<'r>(
    series: &Series,
    part: &EqualPart<'r>,
    groups: &MachineGroups,
    changes: &[ChangePoint],
    number: usize,
) -> Nomination<'r> {
    let (points, change) = (&part.points, changes[number]);
    // The levels reach to the changes around this one.
    let begin = number.checked_sub(1).map_or(0, |at| changes[at].place);
    let end = changes
        .get(number + 1)
        .map_or(points.len(), |next| next.place);
    // Their certain parts.
    let certain = number.checked_sub(1).map_or(0, |at| changes[at].last);
    let until = changes
        .get(number + 1)
        .map_or(points.len() - 1, |next| next.first);
    Nomination {
        series: series.clone(),
        part: part.number,
        more_is_better: points[change.last].0.is_better_with_more(series),
        before: points[change.first].0,
        after: points[change.last].0,
        likely: points[change.place].0,
        levels: groups.levels([begin, change.place, end]),
        points: [change.place - begin, end - change.place],
        sides: [
            commits(points[certain..=change.first].iter().rev()),
            commits(points[change.last..=until].iter()),
        ],
    }
}

/// Whether `compare` compares a metric: wall time, also for cycles, processor times, and numbers of bodies.
fn is_compared(metric: &str) -> bool {
    is_wall_time(metric) || Metric::of_name(metric).is_none_or(Metric::is_main)
}

fn is_wall_time(metric: &str) -> bool {
    metric == Metric::Time.name() || metric == Metric::Cycles.name()
}

/// The different commits of points, in their order.
fn commits<'r: 'p, 'p>(points: impl Iterator<Item = &'p (&'r IndexedRun, Point)>) -> Vec<&'r str> {
    let mut commits: Vec<&str> = points
        .filter_map(|(run, _)| run.commit.as_deref())
        .collect();
    commits.dedup();
    commits
}

/// The series of one metric: the named one, else for each case on each machine the one that is best to compare over
/// time: cycles, which do not depend on the processor's frequency, else time, else any other.
pub(crate) fn of_metric(all: Vec<Series>, metric: Option<&str>) -> Vec<Series> {
    if let Some(metric) = metric {
        return all.into_iter().filter(|one| one.metric == metric).collect();
    }
    let rank = |series: &Series| match series.metric.as_str() {
        "cycles" => 0,
        "time" => 1,
        _ => 2,
    };
    fn of(series: &Series) -> [&str; 3] {
        [&series.case, &series.machine, &series.engine]
    }
    let mut best: HashMap<[&str; 3], u8> = HashMap::new();
    for series in &all {
        let best = best.entry(of(series)).or_insert(u8::MAX);
        *best = rank(series).min(*best);
    }
    let is_best = |series: &&Series| best.get(&of(series)) == Some(&rank(series));
    all.iter().filter(is_best).cloned().collect()
}

/// The series of the cases that one of the filters selects; all without filters.
pub(crate) fn of_cases(all: Vec<Series>, filters: &[String]) -> Vec<Series> {
    let is_selected = |series: &Series| {
        filters.is_empty() || filters.iter().any(|one| is_meant(&series.case, one))
    };
    all.into_iter().filter(is_selected).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::NumberName;

    #[test]
    fn a_change_has_the_direction_of_its_metric() {
        let run = IndexedRun {
            number: 1,
            record: String::new(),
            commit: None,
            started_unix_ns: 0,
            package: String::new(),
            target: String::new(),
            machine: String::new(),
            machine_name: String::new(),
            host: String::new(),
            compilation: None,
            more_is_better: Some(r#"[["a","\"hits"],["b","hits"]]"#.to_owned()),
        };
        let of = |case: &str, metric: &str, levels: [f64; 2]| {
            let series = series(case, metric, "m");
            let nomination = Nomination {
                more_is_better: run.is_better_with_more(&series),
                series,
                part: 0,
                before: &run,
                after: &run,
                likely: &run,
                levels,
                points: [4, 4],
                sides: [vec!["old"], vec!["new"]],
            };
            let of_hits = nomination.is_about(&verdict(Some("hits")));
            let of_time = nomination.is_about(&verdict(None));
            let can_be_compared = nomination.can_be_compared();
            (nomination.is_worse(), can_be_compared, of_hits, of_time)
        };
        fn verdict(number: Option<&str>) -> CommitVerdict {
            let number = number.map(|name| NumberName {
                name: name.to_owned(),
                unit: String::new(),
            });
            CommitVerdict {
                number,
                ..CommitVerdict::default()
            }
        }
        assert_eq!(of("a", "hits", [1.0, 2.0]), (true, true, true, false));
        assert_eq!(of("b", "hits", [1.0, 2.0]), (false, true, true, false));
        assert_eq!(of("b", "hits", [2.0, 1.0]), (true, true, true, false));
        assert_eq!(of("a", "\"hits", [2.0, 1.0]), (true, true, false, false));
        assert_eq!(of("a", "cycles", [1.0, 2.0]), (true, true, false, true));
        assert_eq!(of("a", "cpu_time", [2.0, 1.0]), (false, true, false, false));
        assert_eq!(of("a", "allocs", [1.0, 2.0]), (true, false, false, false));
    }

    #[test]
    fn a_count_that_never_varies_needs_no_test() {
        let run = |commit: &str| IndexedRun {
            commit: Some(commit.to_owned()),
            ..IndexedRun::default()
        };
        let runs = ["a", "b", "b", "c"].map(run);
        let steps = |metric: &str, values: [f64; 4], width: f64| {
            let points = runs.iter().zip(values);
            let points = points.map(|(run, value)| {
                let point = Point {
                    run: 0,
                    value,
                    lower: Some(value),
                    upper: Some(value + width),
                };
                (run, point)
            });
            let part = EqualPart {
                number: 0,
                points: points.collect(),
                otherwise: Vec::new(),
            };
            let found = exact_steps(&series("a", metric, "m"), &part);
            found.map(|found| found.iter().map(|step| step.place).collect::<Vec<_>>())
        };
        assert_eq!(steps("allocs", [3.0, 3.0, 3.0, 3.0], 0.0), Some(vec![]));
        // From the first commit on.
        assert_eq!(steps("allocs", [3.0, 4.0, 4.0, 3.0], 0.0), Some(vec![1, 3]));
        // Two runs of one commit differ; processes differ; times.
        assert_eq!(steps("allocs", [3.0, 3.0, 4.0, 4.0], 0.0), None);
        assert_eq!(steps("allocs", [3.0, 3.0, 3.0, 4.0], 0.5), None);
        assert_eq!(steps("time", [3.0, 3.0, 3.0, 4.0], 0.0), None);
    }

    #[test]
    fn another_machine_is_named_once_where_it_takes_the_place_of_one() {
        let lines = |hosts: &[&str]| {
            let run = |(number, host): (usize, &&str)| IndexedRun {
                commit: Some(format!("commit{number}")),
                host: (*host).to_owned(),
                ..IndexedRun::default()
            };
            let runs: Vec<IndexedRun> = hosts.iter().enumerate().map(run).collect();
            let point = Point {
                run: 0,
                value: 1.0,
                lower: None,
                upper: None,
            };
            let points: Vec<_> = runs.iter().map(|run| (run, point)).collect();
            let values = vec![1.0; points.len()];
            let groups = MachineGroups::new(&values, &machines(&points));
            let found = other_machines(&points, &groups);
            found.iter().map(Divide::words).collect::<Vec<_>>()
        };
        let expected = "other conditions from commit6 on, so no change there is shown: machine without a name, now a";
        let replaced = [[""; 6], ["a"; 6]].concat();
        assert_eq!(lines(&replaced), [expected]);
        // In turn, of which enough are compared; a new one for each run; one.
        assert_eq!(lines(&["a", "b"].repeat(9)), [""; 0]);
        assert_eq!(
            lines(&["a", "b", "c", "d", "e", "f", "g", "h", "i"]),
            [""; 0]
        );
        assert_eq!(lines(&["a"; 12]), [""; 0]);
    }

    #[test]
    fn another_engine_begins_other_series() {
        let runs: Vec<IndexedRun> = (0..4)
            .map(|number| IndexedRun {
                number,
                commit: Some(format!("commit{number}")),
                ..IndexedRun::default()
            })
            .collect();
        let of = |case: &str, engine: &str| Series {
            engine: engine.to_owned(),
            ..series(case, "time", "m")
        };
        let all = [
            (of("a", "0123456789"), 0),
            (of("a", "e"), 2),
            (of("b", "e"), 3),
            (of("b", "0123456789"), 1),
            (of("c", "e"), 1),
        ];
        // In the order of the index, by engine.
        let begins = all.iter().map(|(series, run)| (series, &runs[*run]));
        let found = other_engines(begins.collect(), |run| run.number as usize);
        let lines: Vec<String> = found.iter().map(Divide::words).collect();
        let expected = ["commit2", "commit3"].map(|from| {
            format!("other conditions from {from} on, so no change there is shown: engine 012345678, now e")
        });
        assert_eq!(lines, expected);
    }

    fn series(case: &str, metric: &str, machine: &str) -> Series {
        Series {
            number: 0,
            case: case.to_owned(),
            metric: metric.to_owned(),
            unit: String::new(),
            machine: machine.to_owned(),
            engine: "e".to_owned(),
            method: "m".to_owned(),
        }
    }

    #[test]
    fn each_case_has_one_metric() {
        let all = vec![
            series("a", "allocs", "m1"),
            series("a", "cycles", "m1"),
            series("a", "time", "m1"),
            series("a", "time", "m2"),
            series("b", "allocs", "m1"),
            series("b", "bytes", "m1"),
        ];
        let picked = |metric| -> Vec<String> {
            let series = of_metric(all.clone(), metric);
            let text = |one: &Series| format!("{} {} {}", one.case, one.metric, one.machine);
            series.iter().map(text).collect()
        };
        assert_eq!(
            picked(None),
            ["a cycles m1", "a time m2", "b allocs m1", "b bytes m1"]
        );
        assert_eq!(picked(Some("time")), ["a time m1", "a time m2"]);
        assert_eq!(of_cases(all.clone(), &["b".to_owned()]).len(), 2);
        assert_eq!(of_cases(all, &[]).len(), 6);
    }
}
