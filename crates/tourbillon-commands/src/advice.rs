//! What decides verdicts that are undecided, as flags to type.

use tourbillon_analysis::more_needed;
use tourbillon_present::{Reason, Remedy, SLACK, round_above};
use tourbillon_record::{Run, Verdict};

/// What decides a verdict.
#[derive(Clone, Debug, PartialEq)]
enum Need {
    /// So many runs of each command, which give a verdict whatever they show, or may.
    Runs(u64, bool),
    /// Time, or another margin.
    Flags(Remedy),
    /// In words.
    Else(String),
}

impl Need {
    fn of(verdict: &Verdict, run: &Run) -> Option<Need> {
        let is_bound = run.header.settings.launches > 0;
        if let Some(remedy) = Remedy::of(verdict) {
            // Where runs are the limit, no time has an effect.
            let times = matches!(remedy, Remedy::Time(_)).then(|| more_needed(verdict));
            return Some(match times.flatten().filter(|_| is_bound) {
                Some(times) => {
                    let runs = f64::from(verdict.launches) * times * SLACK;
                    Need::Runs(round_above(runs), false)
                }
                None => Need::Flags(remedy),
            });
        }
        if let Some((_, runs)) = Reason::runs_needed(verdict) {
            return Some(Need::Runs(runs, true));
        }
        Reason::of(verdict)?.advice.map(Need::Else)
    }

    /// One for both; `None` where they are of different kinds.
    fn and(&self, other: &Need) -> Option<Need> {
        match (self, other) {
            (Need::Runs(one, sure), Need::Runs(other, also)) => {
                Some(Need::Runs(*one.max(other), *sure && *also))
            }
            (Need::Flags(one), Need::Flags(other)) => one.and(*other).map(Need::Flags),
            _ => (self == other).then(|| self.clone()),
        }
    }

    fn text(&self, run: &Run, is_of_several: bool) -> String {
        match self {
            Need::Runs(runs, true) => format!("--runs {runs}"),
            Need::Runs(runs, false) => format!("--runs {runs} may decide"),
            Need::Flags(Remedy::Wider {
                seconds: None,
                margin,
                ..
            }) if !is_of_several => {
                let flag = Remedy::Narrower(*margin).flags();
                format!("for \"same\" within that: {flag}")
            }
            Need::Flags(remedy) => {
                let flags = remedy.flags();
                let is_bound = run.header.settings.launches > 0 && flags.contains("--time");
                let limit = if is_bound {
                    " without a limit of runs"
                } else {
                    ""
                };
                format!("{flags}{limit} may decide")
            }
            Need::Else(text) => text.clone(),
        }
    }
}

/// What decides one verdict.
pub(crate) fn of_one(verdict: &Verdict, run: &Run) -> Option<String> {
    let need = Need::of(verdict, run).filter(|_| is_advised(run))?;
    Some(need.text(run, false))
}

/// What decides most of several: all rows have their own.
pub(crate) fn of_several<'v>(
    verdicts: impl Iterator<Item = &'v Verdict>,
    run: &Run,
) -> Option<String> {
    let mut kinds: Vec<(Need, usize)> = Vec::new();
    for need in verdicts.filter_map(|verdict| Need::of(verdict, run)) {
        let both = kinds
            .iter_mut()
            .find_map(|kind| Some((kind.0.and(&need)?, kind)));
        match both {
            Some((both, kind)) => *kind = (both, kind.1 + 1),
            None => kinds.push((need, 1)),
        }
    }
    // Of as many, the first.
    let most = kinds.iter().rev().max_by_key(|(_, count)| *count)?;
    is_advised(run).then(|| most.0.text(run, true))
}

/// The same beside an interval, or why there is none.
pub(crate) fn short(verdict: &Verdict, run: &Run) -> String {
    let is_flag = Remedy::of(verdict).is_some();
    match Need::of(verdict, run) {
        Some(_) if is_flag && !is_advised(run) => String::new(),
        Some(Need::Runs(runs, false)) => format!("--runs {runs}"),
        _ => Reason::short(verdict).unwrap_or_default(),
    }
}

/// Who ended it knows what it lacks, and a failure comes first.
fn is_advised(run: &Run) -> bool {
    let is_interrupted = run.end.as_ref().is_some_and(|end| end.interrupted);
    run.faults.is_empty() && !is_interrupted
}

#[cfg(test)]
mod tests {
    use tourbillon_analysis::Design;
    use tourbillon_record::{End, Finding, Undecided};

    use super::*;

    /// Measured in 24 rounds and two seconds.
    fn open(case: &str, ends: (f64, f64), seconds_needed: Option<f64>) -> Verdict {
        Verdict {
            case: case.to_owned(),
            finding: Finding::Undecided,
            why: Some(Undecided::Time),
            ratio: Some(1.0),
            lower: Some(ends.0),
            upper: Some(ends.1),
            margin: 0.01,
            pairs: 24,
            launches: 24,
            confidence: 0.999,
            seconds: 2.0,
            seconds_needed,
            method: Design::Commands.method().to_owned(),
            ..Verdict::default()
        }
    }

    fn of_run(runs: u32, is_interrupted: bool) -> Run {
        let mut run = Run {
            end: Some(End {
                interrupted: is_interrupted,
                ..End::default()
            }),
            ..Run::default()
        };
        run.header.settings.launches = runs;
        run
    }

    fn said(verdict: &Verdict, run: &Run) -> String {
        let text = of_one(verdict, run).unwrap_or_default();
        format!("{text} | {}", short(verdict, run))
    }

    #[test]
    fn time_is_advised_where_it_has_an_effect() {
        let timed = of_run(0, false);
        let exact = of_run(24, false);
        let some = open("b", (0.99, 1.08), Some(4.5));
        assert_eq!(said(&some, &timed), "--time 5s may decide | --time 5s");
        assert_eq!(said(&some, &exact), "--runs 100 may decide | --runs 100");
        let wide = open("b", (0.8, 1.4), None);
        assert_eq!(
            said(&wide, &timed),
            "--margin 10% --time 300s may decide | --margin 10% --time 300s"
        );
        let text = of_one(&wide, &exact).expect("advice");
        assert_eq!(
            text,
            "--margin 10% --time 300s without a limit of runs may decide"
        );
        assert_eq!(said(&wide, &of_run(0, true)), " | ");
    }

    #[test]
    fn several_have_the_advice_of_most() {
        let timed = of_run(0, false);
        let of = |verdicts: &[Verdict]| of_several(verdicts.iter(), &timed).unwrap_or_default();
        let some = open("b", (0.99, 1.08), Some(4.5));
        let more = open("c", (0.99, 1.08), Some(38.0));
        let narrow = open("d", (0.992, 1.012), None);
        assert_eq!(
            of(&[narrow.clone(), some, more.clone()]),
            "--time 50s may decide"
        );
        assert_eq!(of(&[narrow, more]), "--margin 1.5% may decide");
        let few = |pairs| Verdict {
            why: Some(Undecided::TooFew),
            pairs,
            ..open("e", (0.9, 1.1), None)
        };
        assert_eq!(of(&[few(10), few(9)]), "--runs 27");
        assert_eq!(of(&[]), "");
        assert_eq!(of_several([few(10)].iter(), &of_run(0, true)), None);
    }
}
