//! Comparing the cases of a group with its reference.
//!
//! What is here is `#[inline]` and reached through a [`Versus`] that the attribute puts into the
//! entries of functions marked as reference: a bench binary without one does not compile it.

use tourbillon_coordinate::{Afterwards, Contest, Terms, contest, fastest_two, judge, settled};
use tourbillon_record::{Against, Case, Line, Rounds, Verdict};
use tourbillon_report::{Style, verdicts};

/// Time for a comparison at most; most are decided in a hundredth of it.
const BUDGET_NS: u64 = 2_000_000_000;

/// The code that compares, where a function asks for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Versus {
    /// In the worker: whether a comparison is decided.
    pub(crate) settled: fn(&Rounds, &Against) -> bool,
    /// In the coordinator, after the last visit: compares, stores, and returns what is to be printed.
    pub(crate) run: fn(&[Case], &mut Afterwards<'_>, &Style) -> String,
}

impl PartialEq for Versus {
    /// There is one kind of it.
    fn eq(&self, _: &Versus) -> bool {
        true
    }
}

impl Versus {
    /// What the attribute refers to.
    #[inline]
    pub(crate) const fn new() -> Versus {
        Versus {
            settled: is_settled,
            run,
        }
    }
}


#[inline]
fn is_settled(rounds: &Rounds, against: &Against) -> bool {
    settled(
        rounds,
        Terms {
            margin: against.margin,
            error: against.error,
        },
    )
}

#[inline]
fn run(cases: &[Case], stage: &mut Afterwards<'_>, style: &Style) -> String {
    let mut found = Vec::new();
    for reference in cases {
        let rivals = rivals(reference, cases);
        if rivals.is_empty() || stage.interrupted {
            continue;
        }
        let contest = contest(
            &reference.id,
            rivals,
            BUDGET_NS,
            Terms::FUNCTIONS,
            stage.settings,
            stage.hire,
            stage.watch,
        );
        match contest {
            Contest::Interrupted => stage.interrupted = true,
            Contest::Fault(fault) => {
                stage.observer.line(&Line::Fault(fault.clone()));
                stage.faults.push(fault);
            }
            Contest::Rounds(rounds) => {
                let made = all_verdicts(&rounds, stage);
                stage.observer.line(&Line::Rounds(*rounds));
                for verdict in made {
                    stage.observer.line(&Line::Verdict(verdict.clone()));
                    found.push(verdict);
                }
            }
        }
    }
    verdicts(&found, style)
}

/// Each rival against the reference, and, where there are several, the fastest arm against the next
/// one, unless that is said already.
#[inline]
fn all_verdicts(rounds: &Rounds, stage: &Afterwards<'_>) -> Vec<Verdict> {
    let verdict = |first, second| {
        let frequency = &stage.settings.frequency;
        judge(rounds, first, second, Terms::FUNCTIONS, frequency)
    };
    let mut made = Vec::with_capacity(rounds.cases.len());
    for arm in 1..rounds.cases.len() {
        made.push(verdict(0, arm));
    }
    if let Some((fastest, next)) = fastest_two(rounds)
        && fastest != 0
        && next != 0
    {
        made.push(verdict(next, fastest));
    }
    made
}

/// The other cases of the reference's group that have the same arguments.
#[inline]
fn rivals(reference: &Case, cases: &[Case]) -> Vec<String> {
    let mut rivals = Vec::new();
    if !reference.reference {
        return rivals;
    }
    for case in cases {
        let same = case.group == reference.group && case.arguments == reference.arguments;
        // An arm's number is a byte in the record.
        if same && !case.reference && rivals.len() < 200 {
            rivals.push(case.id.clone());
        }
    }
    rivals
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Argument;

    use super::*;

    fn case(id: &str, group: &str, n: &str, reference: bool) -> Case {
        Case {
            id: id.to_owned(),
            group: group.to_owned(),
            arguments: vec![Argument {
                axis: "n".to_owned(),
                value: n.to_owned(),
            }],
            reference,
            ..Case::default()
        }
    }

    #[test]
    fn rivals_are_of_the_group_and_the_size() {
        let cases = [
            case("std 1", "sort", "1", true),
            case("std 2", "sort", "2", true),
            case("heap 1", "sort", "1", false),
            case("quick 1", "sort", "1", false),
            case("heap 2", "sort", "2", false),
            case("map 1", "map", "1", false),
        ];
        assert_eq!(rivals(&cases[0], &cases), ["heap 1", "quick 1"]);
        assert_eq!(rivals(&cases[1], &cases), ["heap 2"]);
        assert_eq!(rivals(&cases[2], &cases), [""; 0]);
    }
}
