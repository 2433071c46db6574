//! How the results of a run compare with those of the last one.

use tourbillon_record::store::Last;
use tourbillon_record::{Absence, CaseResult, CompiledOtherwise, Header, Metric};
use tourbillon_report::{Before, CaseResults, Ratio};

/// This run's figure of a case divided by the last one's; `None` where they cannot be compared.
///
/// A case with another metric than wall time is compared by that metric, if the last run has it. Others are
/// compared by cycles where both runs have them and the case follows the core's clock, which changes more
/// between two runs than most code changes; code that waits for memory does not follow it. The interval is
/// that of the quotient of any two values in the two intervals.
pub fn ratio(header: &Header, results: &CaseResults<'_>, last: &Last, case: &str) -> Option<Ratio> {
    let now = results.case(case);
    let is_own = |result: &&&CaseResult| result.metric.is_main() && result.metric != Metric::Time;
    if let Some(result) = now.iter().find(is_own) {
        return ratio_of(result.metric, header, now, last, case);
    }
    let (first, second) = if follows_core(now) {
        (Metric::Cycles, Metric::Time)
    } else {
        (Metric::Time, Metric::Cycles)
    };
    ratio_of(first, header, now, last, case).or_else(|| ratio_of(second, header, now, last, case))
}

/// What the last run says of a case: the [`ratio`], or its result where that is comparable and both have a number.
pub fn before(
    header: &Header,
    results: &CaseResults<'_>,
    last: &Last,
    case: &str,
) -> Option<Before> {
    if let Some(ratio) = ratio(header, results, last, case) {
        return Some(Before::Change(ratio));
    }
    let mut of_case = results.case(case).iter();
    let metric = of_case.find(|result| result.metric.is_main())?.metric;
    let (now, then) = comparable(metric, header, results.case(case), last, case)?;
    (has_number(now) && has_number(then)).then(|| Before::Was(Box::new(then.clone())))
}

/// Whether a row of a result has a number: a figure, a rough one, or a bound.
fn has_number(result: &CaseResult) -> bool {
    let is_bound = result.estimate == Err(Absence::BelowResolution);
    result.estimate.is_ok() || is_bound || result.rough.is_some()
}

/// Why a case that has earlier results has no [`ratio`] to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCompared {
    /// They are of another version of the engine.
    Engine,
    /// They are of another model of the processor.
    Processor,
    /// They are of another kind of core.
    CoreKind,
    /// Their program was compiled otherwise.
    BuiltOtherwise(Vec<CompiledOtherwise>),
    /// They have another metric.
    Metric,
    /// They have no figure.
    NoFigureBefore(Absence),
    /// Their interval does not hold across processes.
    FewLaunchesBefore,
    /// The interval of the new result does not.
    FewLaunches,
}

/// Why a case has no [`ratio`]; `None` where it has one, or no figure, or no earlier results.
pub fn not_compared(
    header: &Header,
    results: &CaseResults<'_>,
    last: &Last,
    case: &str,
) -> Option<NotCompared> {
    let now = results
        .case(case)
        .iter()
        .find(|result| result.metric.is_main())?;
    let (then_header, _) = last.results(case).next()?;
    if now.estimate.is_err() || ratio(header, results, last, case).is_some() {
        return None;
    }
    let is_same = |then: &&CaseResult| now.metric == then.metric && now.own == then.own;
    let then = last.results(case).map(|(_, then)| then).find(is_same);
    let otherwise = header.compiled_otherwise(then_header);
    Some(match then {
        _ if header.engine != then_header.engine => NotCompared::Engine,
        _ if !header.has_processor_of(then_header) => NotCompared::Processor,
        _ if !header.has_core_kinds_of(then_header) => NotCompared::CoreKind,
        _ if !otherwise.is_empty() => NotCompared::BuiltOtherwise(otherwise),
        None => NotCompared::Metric,
        Some(CaseResult {
            estimate: Err(absence),
            ..
        }) => NotCompared::NoFigureBefore(*absence),
        Some(then) if then.across_processes().is_none() => NotCompared::FewLaunchesBefore,
        Some(_) if now.across_processes().is_none() => NotCompared::FewLaunches,
        Some(_) => return None,
    })
}

/// How much more than nanoseconds the cycles of a case that follows the core's clock may scatter by chance.
const MORE_SCATTER: f64 = 1.5;

/// Whether a case follows the core's clock: it is not known to wait for memory, and from launch to launch
/// its cycles do not scatter more than its nanoseconds.
fn follows_core(results: &[&CaseResult]) -> bool {
    let (mut time, mut cycles) = (f64::INFINITY, 0.0);
    for result in results {
        if result.waits_for_memory() {
            return false;
        }
        if let (Ok(estimate), Some(mad)) = (result.estimate, result.mad) {
            match result.metric {
                Metric::Time => time = mad / estimate,
                Metric::Cycles => cycles = mad / estimate,
                _ => {}
            }
        }
    }
    cycles <= MORE_SCATTER * time
}

fn ratio_of(
    metric: Metric,
    header: &Header,
    results: &[&CaseResult],
    last: &Last,
    case: &str,
) -> Option<Ratio> {
    let (now, then) = comparable(metric, header, results, last, case)?;
    Ratio::of(now, then)
}

/// A result and the last one in a metric, by one method, of programs that were built equally, on machines of one kind.
fn comparable<'n, 'l>(
    metric: Metric,
    header: &Header,
    results: &[&'n CaseResult],
    last: &'l Last,
    case: &str,
) -> Option<(&'n CaseResult, &'l CaseResult)> {
    let (then_header, then) = equally_built(header, last, case, metric)?;
    // Cycles by a counter are those in user mode, by the chain those that passed.
    let is_same = |now: &&&CaseResult| {
        now.metric == metric && now.own == then.own && now.method == then.method
    };
    let now = results.iter().find(is_same)?;
    let same_machine = header.engine == then_header.engine
        && header.has_processor_of(then_header)
        && header.has_core_kinds_of(then_header);
    same_machine.then_some((now, then))
}

/// The last result of a case, if its program was compiled as this one.
pub(super) fn equally_built<'l>(
    header: &Header,
    last: &'l Last,
    case: &str,
    metric: Metric,
) -> Option<(&'l Header, &'l CaseResult)> {
    let found = last.result(case, metric);
    found.filter(|(then, _)| header.compiled_otherwise(then).is_empty())
}

/// Why there is no ratio to the last results, if their programs were compiled in another way.
pub(super) fn compiled_otherwise(
    header: &Header,
    last: &Last,
    baseline: Option<&str>,
) -> Option<String> {
    let mut facts: Vec<String> = Vec::new();
    for found in last.found() {
        for one in header.compiled_otherwise(&found.header) {
            let text = one.to_string();
            if !facts.contains(&text) {
                facts.push(text);
            }
        }
    }
    if facts.is_empty() {
        return None;
    }
    let what = match baseline {
        Some(name) => format!("baseline {name}"),
        None => "last run".to_owned(),
    };
    Some(format!(
        "the {what} was built otherwise, so no change since then is shown: {}",
        facts.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tourbillon_record::store::Found;
    use tourbillon_record::{Absence, Fact, FactValue, Note, OwnMetric, Rough, Scope};

    use super::*;

    fn result(estimate: f64, lower: f64, upper: f64) -> CaseResult {
        CaseResult {
            case: "p/t::a".to_owned(),
            estimate: Ok(estimate),
            lower: Some(lower),
            upper: Some(upper),
            scope: Scope::Processes,
            ..CaseResult::default()
        }
    }

    #[test]
    fn code_that_waits_for_memory_does_not_follow_the_core() {
        let with = |metric, mad| CaseResult {
            metric,
            mad: Some(mad),
            ..result(100.0, 90.0, 110.0)
        };
        let of = |time, cycles| [with(Metric::Time, time), with(Metric::Cycles, cycles)];
        let follows = |results: &[CaseResult]| follows_core(&Vec::from_iter(results));
        assert!(follows(&of(4.0, 1.0)));
        let [time, mut cycles] = of(4.0, 1.0);
        cycles.notes.push(Note::WaitsForMemory { touched_bytes: 1 });
        assert!(!follows(&[cycles, time]));
        assert!(follows(&of(1.0, 1.4)));
        assert!(!follows(&of(1.0, 4.0)));
        // Where one of them is unknown, cycles are as good.
        assert!(follows(&of(1.0, 4.0)[..1]));
        assert!(follows(&of(1.0, 4.0)[1..]));
        assert!(follows(&[]));
    }

    fn header() -> Header {
        Header {
            engine: "e".to_owned(),
            ..Header::default()
        }
    }

    #[test]
    fn a_result_stands_where_no_change_is_certain() {
        let before = |now: &CaseResult, then: &CaseResult| {
            let mut last = Last::default();
            last.add(Found {
                path: PathBuf::new(),
                header: header(),
                results: vec![then.clone()],
            });
            match before(&header(), &CaseResults::of([now]), &last, "p/t::a") {
                Some(Before::Change(ratio)) => Some(format!("{} times", ratio.estimate)),
                Some(Before::Was(result)) => Some(format!("was {result:?}")),
                None => None,
            }
        };
        let steady = result(100.0, 90.0, 110.0);
        let rough = CaseResult {
            estimate: Err(Absence::TooScattered),
            rough: Some(Rough {
                estimate: 100.0,
                lower: 80.0,
                upper: 120.0,
            }),
            ..steady.clone()
        };
        let was = |result: &CaseResult| Some(format!("was {result:?}"));
        assert_eq!(before(&steady, &steady).as_deref(), Some("1 times"));
        assert_eq!(before(&steady, &rough), was(&rough));
        assert_eq!(before(&rough, &steady), was(&steady));
        assert_eq!(before(&rough, &rough), was(&rough));
        let failed = CaseResult {
            estimate: Err(Absence::Failed),
            lower: None,
            upper: None,
            ..steady.clone()
        };
        assert_eq!(before(&steady, &failed), None);
        assert_eq!(before(&failed, &steady), None);
        // The ends of an interval that is too wide are no bounds.
        let scattered = CaseResult {
            rough: None,
            ..rough
        };
        assert_eq!(before(&steady, &scattered), None);
    }

    #[test]
    fn only_figures_of_one_metric_have_a_ratio() {
        let own = |metric, name: &str| {
            let own = OwnMetric {
                name: name.to_owned(),
                unit: "bytes".to_owned(),
                ..OwnMetric::default()
            };
            CaseResult {
                metric,
                own: (metric == Metric::Own).then_some(own),
                ..result(100.0, 90.0, 110.0)
            }
        };
        let of = |metric| own(metric, "sent");
        let ratio = |now: CaseResult, then: CaseResult| {
            let mut last = Last::default();
            last.add(Found {
                path: PathBuf::new(),
                header: header(),
                results: vec![then],
            });
            let ratio = ratio(&header(), &CaseResults::of([&now]), &last, "p/t::a")?;
            Some(ratio.metric)
        };
        let main = [
            Metric::Time,
            Metric::CpuTime,
            Metric::UserTime,
            Metric::KernelTime,
            Metric::Own,
        ];
        for now in main {
            for then in main {
                let expected = (now == then).then_some(now);
                assert_eq!(ratio(of(now), of(then)), expected, "{now:?} {then:?}");
            }
        }
        let received = own(Metric::Own, "received");
        assert_eq!(ratio(of(Metric::Own), received), None);
        let by_counter = CaseResult {
            method: "by a counter".to_owned(),
            ..of(Metric::Cycles)
        };
        assert_eq!(ratio(by_counter.clone(), of(Metric::Cycles)), None);
        assert_eq!(ratio(by_counter.clone(), by_counter), Some(Metric::Cycles));
    }

    #[test]
    fn only_programs_that_were_compiled_alike_have_a_ratio() {
        let with = |level: &str| Header {
            facts: vec![Fact {
                name: "opt_level".to_owned(),
                value: FactValue::Text(level.to_owned()),
            }],
            ..header()
        };
        let of = |then: &str, now: &str| {
            let mut last = Last::default();
            last.add(Found {
                path: PathBuf::new(),
                header: with(then),
                results: vec![result(100.0, 90.0, 110.0)],
            });
            let (now, results) = (with(now), [result(100.0, 90.0, 110.0)]);
            let ratio = ratio(&now, &CaseResults::of(&results), &last, "p/t::a");
            let why = not_compared(&now, &CaseResults::of(&results), &last, "p/t::a");
            (ratio.is_some(), compiled_otherwise(&now, &last, None), why)
        };
        assert_eq!(of("3", "3"), (true, None, None));
        let (has_ratio, why, of_case) = of("3", "1");
        assert!(!has_ratio);
        let line = "the last run was built otherwise, so no change since then is shown: opt_level 3, now 1";
        assert_eq!(why.as_deref(), Some(line));
        let Some(NotCompared::BuiltOtherwise(facts)) = of_case else {
            panic!("{of_case:?}");
        };
        assert_eq!((facts.len(), facts[0].fact), (1, "opt_level"));
    }

    #[test]
    fn what_has_no_ratio_says_why() {
        let whole = result(8.0, 6.0, 10.0);
        let with = |change: fn(&mut CaseResult)| {
            let mut changed = whole.clone();
            change(&mut changed);
            changed
        };
        let why = |of: &str, now: &CaseResult, then: &CaseResult| {
            let mut last = Last::default();
            last.add(Found {
                path: PathBuf::new(),
                header: Header {
                    engine: of.to_owned(),
                    ..Header::default()
                },
                results: vec![then.clone()],
            });
            not_compared(&header(), &CaseResults::of([now]), &last, "p/t::a")
        };
        let few = with(|result| result.scope = Scope::Process);
        let busy = with(|result| result.estimate = Err(Absence::MachineBusy));
        let of_cpu = with(|result| result.metric = Metric::CpuTime);
        let elsewhere = CaseResult {
            case: "p/t::b".to_owned(),
            ..whole.clone()
        };
        assert_eq!(why("e", &whole, &whole), None);
        assert_eq!(why("e", &whole, &elsewhere), None);
        assert_eq!(why("e", &busy, &whole), None);
        for (engine, now, then, expected) in [
            ("f", &whole, &whole, NotCompared::Engine),
            ("e", &whole, &of_cpu, NotCompared::Metric),
            (
                "e",
                &whole,
                &busy,
                NotCompared::NoFigureBefore(Absence::MachineBusy),
            ),
            ("e", &whole, &few, NotCompared::FewLaunchesBefore),
            ("e", &few, &whole, NotCompared::FewLaunches),
        ] {
            assert_eq!(why(engine, now, then), Some(expected));
        }
    }

    #[test]
    fn results_of_two_kinds_of_core_have_no_ratio() {
        let whole = result(8.0, 6.0, 10.0);
        let on = |kind: Option<&str>| {
            let mut of_run = header();
            of_run.settings.core_kinds = kind.map(|kind| vec![kind.to_owned()]);
            of_run
        };
        let why = |now: Option<&str>, then: Option<&str>| {
            let mut last = Last::default();
            last.add(Found {
                path: PathBuf::new(),
                header: on(then),
                results: vec![whole.clone()],
            });
            not_compared(&on(now), &CaseResults::of([&whole]), &last, "p/t::a")
        };
        let kinds = [None, Some("performance"), Some("efficiency")];
        for now in kinds {
            for then in kinds {
                let is_other = (now == kinds[2]) != (then == kinds[2]);
                let expected = is_other.then_some(NotCompared::CoreKind);
                assert_eq!(why(now, then), expected, "{now:?} {then:?}");
            }
        }
    }
}
