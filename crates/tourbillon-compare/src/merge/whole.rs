//! Whether a run that ended has all of its lines, and an answer for each of its cases.

use std::collections::BTreeSet;

use tourbillon_record::{Absence, ByCase, CaseResult, Run};
use tourbillon_report::counted;

use crate::facts::is_comparison;
use crate::numbers::number_launches;

/// What a run that ended lacks: lines that were damaged or lost. `None` if each of its cases has a figure, a verdict on
/// its time or a fault.
pub(super) fn gap(run: &Run) -> Option<String> {
    if let Some(error) = run.damaged.first() {
        return Some(format!("is damaged: {error}"));
    }
    if !run.skipped.is_empty() {
        let lines = counted(run.skipped.len(), "line");
        return Some(format!("has {lines} of unknown types"));
    }
    let end = run.end.as_ref()?;
    let lines = run.lines() as u64;
    if let Some(all) = end.lines.filter(|all| *all != lines) {
        return Some(format!("has {lines} of {}", counted(all, "line")));
    }
    let (all, known) = (end.faults, run.faults.len() as u64);
    if all != known {
        let all = counted(all, "failure");
        return Some(format!("had {all}, of which the record has {known}"));
    }
    if known == 0 && end.exit_code != 0 {
        return Some(format!("ended with exit code {}", end.exit_code));
    }
    let verdicts = || run.verdicts.iter().filter(|one| one.metric.is_none());
    if is_comparison(run) {
        let of_pairs = run.rounds.iter().filter_map(|of| of.cases.last());
        let of_numbers = number_launches(run).map(|[_, new]| &new.case);
        let launches = ByCase::of(of_pairs.chain(of_numbers).map(|case| (&**case, ())));
        let lacking = verdicts()
            .filter(|one| launches.case(&one.case).len() as u64 != u64::from(one.launches))
            .count();
        if lacking > 0 {
            let verdicts = counted(lacking, "verdict");
            return Some(format!("does not have the launches of {verdicts}"));
        }
    }
    let answered: BTreeSet<&str> = verdicts()
        .map(|verdict| &*verdict.case)
        .chain(run.results.iter().filter(is_figure).map(|one| &*one.case))
        .chain(run.faults.iter().map(|fault| &*fault.case))
        .collect();
    let open = run
        .cases
        .iter()
        .filter(|case| !answered.contains(&*case.id));
    match open.count() {
        0 => None,
        open => Some(format!("has no answer for {}", counted(open, "case"))),
    }
}

/// Whether it tells how long a case takes, or why that cannot be told.
fn is_figure(result: &&CaseResult) -> bool {
    let is_open = matches!(result.estimate, Err(Absence::Failed | Absence::NotReached));
    result.metric.is_main() && !is_open
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Case, End, Entry, Fact, FactValue, Fault, Header, Metric, Verdict};

    use super::*;
    use crate::gate::records::tests as stored_tests;

    /// A run of a case, and nothing about it.
    fn run() -> Run {
        Run {
            cases: vec![Case {
                id: "c".to_owned(),
                ..Case::default()
            }],
            end: Some(End::default()),
            ..Run::default()
        }
    }

    #[test]
    fn each_case_has_an_answer() {
        let result = |metric, estimate| {
            let mut run = run();
            run.results = vec![CaseResult {
                case: "c".to_owned(),
                metric,
                estimate,
                ..CaseResult::default()
            }];
            gap(&run)
        };
        assert_eq!(result(Metric::Time, Ok(1.0)), None);
        assert_eq!(result(Metric::Time, Err(Absence::MachineBusy)), None);
        let open = Some("has no answer for 1 case".to_owned());
        assert_eq!(gap(&run()), open);
        assert_eq!(result(Metric::Allocs, Ok(1.0)), open);
        assert_eq!(result(Metric::Time, Err(Absence::Failed)), open);
        let verdict = |metric| {
            let mut run = run();
            run.verdicts = vec![Verdict {
                case: "c".to_owned(),
                metric,
                ..Verdict::default()
            }];
            gap(&run)
        };
        assert_eq!(verdict(None), None);
        assert_eq!(verdict(Some(Metric::P99)), open);
    }

    #[test]
    fn the_end_agrees_with_the_lines() {
        let failed = |faults, lines, exit_code| {
            let mut run = run();
            run.faults = vec![
                Fault {
                    case: "c".to_owned(),
                    ..Fault::default()
                };
                lines
            ];
            run.end = Some(End {
                faults,
                exit_code,
                ..End::default()
            });
            gap(&run)
        };
        assert_eq!(failed(2, 2, 3), None);
        let text = failed(2, 0, 101);
        assert_eq!(
            text.as_deref(),
            Some("had 2 failures, of which the record has 0")
        );
        let text = failed(0, 0, 101);
        assert_eq!(text.as_deref(), Some("ended with exit code 101"));
    }

    /// The facts of a comparison.
    fn builds() -> Vec<Fact> {
        let labels = ["reference", "candidate"].map(|name| Fact {
            name: name.to_owned(),
            value: FactValue::Text(name.to_owned()),
        });
        labels.into()
    }

    #[test]
    fn lost_lines_are_noticed() {
        let mut whole = stored_tests::run("c", 1);
        assert_eq!(gap(&whole), None);
        whole.header.facts = builds();
        whole.end = Some(End {
            lines: Some(whole.lines() as u64 + 1),
            ..End::default()
        });
        assert_eq!(gap(&whole), None);
        let lost = |change: fn(&mut Run)| {
            let mut run = whole.clone();
            change(&mut run);
            gap(&run)
        };
        let fewer = "has 21 of 22 lines";
        assert_eq!(lost(|run| drop(run.rounds.pop())).as_deref(), Some(fewer));
        assert_eq!(lost(|run| drop(run.verdicts.pop())).as_deref(), Some(fewer));
        // Of a record whose lines were not counted.
        let mut uncounted = whole.clone();
        uncounted.rounds.truncate(12);
        uncounted.end = Some(End::default());
        let other = "does not have the launches of 1 verdict";
        assert_eq!(gap(&uncounted).as_deref(), Some(other));
        let unknown = lost(|run| {
            run.rounds.pop();
            run.skipped.push("{\"type\":\"roundz\"}".to_owned());
        });
        assert_eq!(unknown.as_deref(), Some("has 1 line of unknown types"));
    }

    #[test]
    fn lost_launches_of_numbers_are_noticed() {
        let mut run = stored_tests::of_numbers(100.0, 90.0);
        run.header.facts = builds();
        run.end = Some(End::default());
        assert_eq!(gap(&run), None);
        run.build_launches.remove(4);
        let lost = "does not have the launches of 1 verdict";
        assert_eq!(gap(&run).as_deref(), Some(lost));
    }

    #[test]
    fn damage_is_named() {
        let header = Entry::Header(&Header::default()).encode();
        let lines = format!("{header}\n{{\"type\":\"case\",\"schema\":2}}\n");
        let text = gap(&Run::parse(&lines).expect("a header")).expect("damage");
        assert!(text.starts_with("is damaged: line 2"), "{text}");
    }
}
