//! Comparing the cases of a group with its reference.
//!
//! What is here is `#[inline]` and reached through a [`Comparing`] that the attribute puts into the
//! entries of functions marked as reference: a bench binary without one does not compile it.

use crate::text::{append, text};
use tourbillon_analysis::{Criteria, Design, disturbed, fastest_two, is_look, judge};
use tourbillon_clock::Clock;
use tourbillon_engine::{Next, Suite};
use tourbillon_record::{Against, Case, Entry, Frame, Plan, Rounds, Verdict};
use tourbillon_report::{Style, escape, verdicts};
use tourbillon_runner::{PostRun, run_comparison};

/// The code that compares, where a function asks for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparing {
    /// In the worker: makes the comparison of a plan.
    pub(crate) measure: Measure,
    /// In the coordinator, before anything is measured: who is compared with whom, given the cases
    /// that run, all cases, and the reference asked for on the command line.
    pub(crate) contests: fn(&[Case], &[Case], Option<&str>) -> Contests,
    /// In the coordinator, after the last visit: compares, stores, and returns what is to be printed.
    pub(crate) run: fn(&[Candidates], &mut PostRun<'_>, &Style) -> String,
}

/// The most cases that one reference is compared with: an arm's number is a byte in the record, and the
/// reference and its control have one each.
const MOST_RIVALS: usize = u8::MAX as usize - 1;

/// Who is compared with whom, or why that cannot be said.
pub(crate) type Contests = Result<Vec<Candidates>, String>;

/// Makes the comparison of a plan, and says what comes of it.
pub(crate) type Measure = fn(&dyn Suite, &Plan, &Against, &Clock, &mut dyn FnMut(Frame));

/// Cases that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidates {
    /// What the others are compared with.
    reference: String,
    /// The others, at least one.
    candidates: Vec<String>,
}

impl PartialEq for Comparing {
    /// There is one kind of it.
    fn eq(&self, _: &Comparing) -> bool {
        true
    }
}

impl Comparing {
    /// What the attribute refers to.
    #[inline]
    pub(crate) const fn new() -> Comparing {
        Comparing {
            measure,
            contests,
            run,
        }
    }
}

#[inline]
fn measure(
    suite: &dyn Suite,
    plan: &Plan,
    against: &Against,
    clock: &Clock,
    send: &mut dyn FnMut(Frame),
) {
    let terms = Criteria {
        margin: against.margin,
        error: against.error,
    };
    // One process of many: it decides nothing.
    let mut next = |rounds: &Rounds| match (disturbed(rounds, terms), is_look(rounds)) {
        (Some(true), _) => Next::LongerTurns { if_not: true },
        (Some(false), true) => Next::Enough,
        (None, _) | (Some(false), false) => Next::More,
    };
    tourbillon_engine::compare(suite, plan, clock, &mut next, send);
}

#[inline]
fn run(contests: &[Candidates], stage: &mut PostRun<'_>, style: &Style) -> String {
    let mut found = Vec::new();
    let mut left = String::new();
    for opponents in contests {
        if stage.interrupted {
            break;
        }
        let Some(candidates) = standing(opponents, stage, &mut left) else {
            continue;
        };
        let contested = run_comparison(
            &opponents.reference,
            &candidates,
            Criteria::FUNCTIONS,
            stage.settings,
            stage.spawner,
            stage.run_clock,
        );
        stage.interrupted = contested.interrupted;
        if let Some(fault) = contested.fault {
            stage.observer.entry(Entry::Fault(&fault));
            stage.faults.push(fault);
        }
        let made = all_verdicts(&contested.launches, stage);
        for rounds in &contested.launches {
            stage.visit_ticks = stage.visit_ticks.saturating_add(rounds.visit_ticks);
            stage.batch_ticks = rounds
                .ticks
                .iter()
                .fold(stage.batch_ticks, |sum, ticks| sum.saturating_add(*ticks));
            stage.observer.entry(Entry::Rounds(rounds));
        }
        for verdict in made {
            stage.observer.entry(Entry::Verdict(&verdict));
            found.push(verdict);
        }
    }
    verdicts(&found, style) + &left
}

/// The rivals that did not fail when they were measured alone, and are measured in wall time as
/// comparisons are; `None` where there is no comparison to be had. Others are named in `left`.
#[inline]
fn standing(opponents: &Candidates, stage: &PostRun<'_>, left: &mut String) -> Option<Vec<String>> {
    let failed = |id: &str| stage.faults.iter().any(|fault| fault.case == id);
    let mut otherwise = |id: &String| {
        let found = stage.otherwise.contains(id);
        if found {
            append(left, &escape(id, true));
            append(left, " is not compared: it is not measured in wall time\n");
        }
        found
    };
    if failed(&opponents.reference) || otherwise(&opponents.reference) {
        return None;
    }
    let mut candidates = opponents.candidates.clone();
    candidates.retain(|candidate| !failed(candidate) && !otherwise(candidate));
    (!candidates.is_empty()).then_some(candidates)
}

/// Each rival against the reference, and, where there are several, the fastest arm against the next
/// one, unless that is said already.
#[inline]
fn all_verdicts(launches: &[Rounds], stage: &PostRun<'_>) -> Vec<Verdict> {
    let verdict = |first, second| {
        let (criteria, frequency) = (Criteria::FUNCTIONS, &stage.settings.frequency);
        judge(
            Design::Processes,
            launches,
            first,
            second,
            criteria,
            frequency,
        )
    };
    let mut made = Vec::new();
    for arm in 1..launches.first().map_or(0, |rounds| rounds.cases.len()) {
        made.push(verdict(0, arm));
    }
    if let Some((fastest, next)) = fastest_two(launches)
        && fastest != 0
        && next != 0
    {
        made.push(verdict(next, fastest));
    }
    made
}

/// Who is compared with whom: the cases that run with the reference of their group, or with the one
/// that was typed.
///
/// # Errors
///
/// When no case has the name that was typed, or several functions have; when a reference has more
/// rivals than a comparison holds.
#[inline]
fn contests(running: &[Case], all: &[Case], typed: Option<&str>) -> Contests {
    let mut contests = Vec::new();
    let Some(typed) = typed else {
        for reference in running {
            let same_group = |case: &Case| case.group == reference.group && !case.reference;
            if reference.reference {
                contests.extend(opponents(reference, running, same_group)?);
            }
        }
        return Ok(contests);
    };
    let mut meant: Vec<&Case> = Vec::new();
    for case in all {
        if is_called(&case.id, typed) || is_called(function(&case.id), typed) {
            meant.push(case);
        }
    }
    let Some(first) = meant.first() else {
        return Err(text!(
            "no case is called {typed:?}; --list shows the ids of the cases"
        ));
    };
    let name = function(&first.id);
    if let Some(other) = meant.iter().find(|case| function(&case.id) != name) {
        return Err(text!(
            "{typed:?} may be {name} or {}; write more of the one that is meant",
            function(&other.id)
        ));
    }
    if is_called(&first.id, typed) {
        // One case: whatever the others' arguments are.
        let candidates = candidates(running, |case| case.id != first.id);
        contests.extend(against(first, candidates)?);
        return Ok(contests);
    }
    for reference in meant {
        let others = |case: &Case| function(&case.id) != name;
        contests.extend(opponents(reference, running, others)?);
    }
    Ok(contests)
}

/// Whether `typed` is the name, or the end of it from the start of one of its parts.
#[inline]
fn is_called(name: &str, typed: &str) -> bool {
    name.strip_suffix(typed)
        .is_some_and(|before| before.is_empty() || before.ends_with("::") || before.ends_with('/'))
}

/// The identity of a case without its arguments.
#[inline]
fn function(id: &str) -> &str {
    match id.find('[') {
        Some(end) => &id[..end],
        None => id,
    }
}

/// The cases that `counts` picks out of those with the arguments of the reference.
#[inline]
fn opponents(
    reference: &Case,
    running: &[Case],
    counts: impl Fn(&Case) -> bool,
) -> Result<Option<Candidates>, String> {
    let same = |case: &Case| case.arguments == reference.arguments && counts(case);
    against(reference, candidates(running, same))
}

#[inline]
fn against(reference: &Case, candidates: Vec<String>) -> Result<Option<Candidates>, String> {
    if candidates.len() > MOST_RIVALS {
        return Err(text!(
            "{} is to be compared with {} cases, and {MOST_RIVALS} is the most; select fewer with a \
             filter, or divide the group",
            reference.id,
            candidates.len()
        ));
    }
    Ok((!candidates.is_empty()).then(|| Candidates {
        reference: reference.id.clone(),
        candidates,
    }))
}

#[inline]
fn candidates(running: &[Case], counts: impl Fn(&Case) -> bool) -> Vec<String> {
    let mut candidates = Vec::new();
    for case in running {
        if counts(case) {
            candidates.push(case.id.clone());
        }
    }
    candidates
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

    fn found(contests: Vec<Candidates>) -> Vec<(String, String)> {
        contests
            .into_iter()
            .map(|opponents| (opponents.reference, opponents.candidates.join(" ")))
            .collect()
    }

    fn pair(reference: &str, candidates: &str) -> (String, String) {
        (reference.to_owned(), candidates.to_owned())
    }

    fn cases() -> [Case; 6] {
        [
            case("std[1]", "sort", "1", true),
            case("std[2]", "sort", "2", true),
            case("heap[1]", "sort", "1", false),
            case("quick[1]", "sort", "1", false),
            case("heap[2]", "sort", "2", false),
            case("map[1]", "map", "1", false),
        ]
    }

    #[test]
    fn rivals_are_of_the_group_and_the_size() {
        let cases = cases();
        assert_eq!(
            found(contests(&cases, &cases, None).unwrap()),
            [
                pair("std[1]", "heap[1] quick[1]"),
                pair("std[2]", "heap[2]")
            ]
        );
        // Without a reference that runs, nothing is compared.
        assert!(contests(&cases[2..], &cases, None).unwrap().is_empty());
        assert!(contests(&cases[..2], &cases, None).unwrap().is_empty());
    }

    #[test]
    fn no_rival_is_dropped() {
        let of = |candidates: usize| {
            let mut cases = vec![case("std", "sort", "1", true)];
            for number in 0..candidates {
                cases.push(case(&format!("other{number}"), "sort", "1", false));
            }
            let by_group = contests(&cases, &cases, None);
            assert_eq!(contests(&cases, &cases, Some("std")), by_group);
            by_group
        };
        assert_eq!(of(MOST_RIVALS).unwrap()[0].candidates.len(), MOST_RIVALS);
        assert_eq!(
            of(MOST_RIVALS + 1).unwrap_err(),
            "std is to be compared with 255 cases, and 254 is the most; select fewer with a filter, or \
             divide the group"
        );
    }

    #[test]
    fn the_reference_may_be_typed() {
        let cases = cases();
        let typed = |typed| contests(&cases[1..], &cases, Some(typed)).map(found);
        assert_eq!(
            typed("heap").unwrap(),
            [
                pair("heap[1]", "quick[1] map[1]"),
                pair("heap[2]", "std[2]")
            ]
        );
        assert_eq!(
            typed("std[1]").unwrap(),
            [pair("std[1]", "std[2] heap[1] quick[1] heap[2] map[1]")]
        );
        let cases = [
            case("p/t::a::heap[1]", "a", "1", false),
            case("p/t::b::heap[1]", "b", "1", false),
        ];
        let typed = |typed| contests(&cases, &cases, Some(typed)).map(found);
        let one = [pair("p/t::b::heap[1]", "p/t::a::heap[1]")];
        assert_eq!(typed("b::heap").unwrap(), one);
        assert_eq!(typed("t::b::heap[1]").unwrap(), one);
        assert_eq!(
            typed("heap").unwrap_err(),
            "\"heap\" may be p/t::a::heap or p/t::b::heap; write more of the one that is meant"
        );
        assert_eq!(
            typed("hea").unwrap_err(),
            "no case is called \"hea\"; --list shows the ids of the cases"
        );
    }
}
