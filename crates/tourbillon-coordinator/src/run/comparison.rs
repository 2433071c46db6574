//! Comparing cases with a reference: those of a group with the case that the attribute marks, or the
//! selected ones with that of `--against`.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use tourbillon_record::Case;
use tourbillon_report::{
    Explanation, Names, Note, Style, answer, asserted_pairs, assertions, cases_named, function,
    outside_of_rows,
};

use crate::runner::{Comparison, Outcome};

/// What the table of a run has no room for: verdicts that stand in no row, cases that are not compared, and assertions.
pub(super) fn text(outcome: &Outcome, names: &Names, style: &Style) -> String {
    let labels = ["reference", "case"].map(str::to_owned);
    let others = outside_of_rows(&outcome.verdicts);
    let mut compared = tourbillon_report::comparisons(&others, names, &labels, style);
    compared.answer.clear();
    compared.add_notes(Note::joined(outcome.not_compared.iter().map(|case| {
        let why =
            "not compared: measured in a metric of its own, or in another one than the reference";
        (
            names.name(case).to_owned(),
            Explanation::Common(why.to_owned()),
        )
    })));
    let mut asserted = assertions(&outcome.assertions, names, style);
    asserted.answer.clear();
    let mut texts = [compared, asserted]
        .map(|document| document.text(style))
        .to_vec();
    texts.retain(|text| !text.is_empty());
    texts.join("\n")
}

/// What comparisons and assertions came to, in words.
pub(super) fn answers(outcome: &Outcome, names: &Names, style: &Style) -> Vec<String> {
    let compared = answer("comparison", &outcome.verdicts, names, style);
    let asserted = answer("assertion", &outcome.assertions, names, style);
    compared.into_iter().chain(asserted).collect()
}

/// The comparisons of the assertions that benchmarks make, of each where both cases run.
///
/// # Errors
///
/// An assertion about a case that does not exist, also where none is compared.
pub(super) fn of_assertions(running: &[Case], all: &[Case]) -> Result<Vec<Comparison>, String> {
    let ids: HashSet<&str> = running.iter().map(|case| &*case.id).collect();
    let mut comparisons = Vec::new();
    for asserted in asserted_pairs(all)? {
        let (case, reference) = (&asserted.case.id, &asserted.reference.id);
        if ids.contains(&**case) && ids.contains(&**reference) {
            comparisons.push(Comparison {
                reference: reference.clone(),
                candidates: vec![case.clone()],
                limit: Some(asserted.limit),
            });
        }
    }
    Ok(comparisons)
}

/// In the coordinator, before anything is measured: the comparisons of the cases that run, with the
/// references of their groups or with the one that was typed.
///
/// # Errors
///
/// When no case has the name that was typed, or several functions have.
pub(super) fn comparisons(
    running: &[Case],
    all: &[Case],
    typed: Option<&str>,
) -> Result<Vec<Comparison>, String> {
    let mut comparisons = Vec::new();
    let Some(typed) = typed else {
        let places = by(running, place);
        for reference in running.iter().filter(|case| case.reference) {
            let peers = &places[&place(reference)];
            comparisons.extend(comparison(reference, peers, |case| !case.reference));
        }
        return Ok(comparisons);
    };
    let (meant, is_whole) = cases_named(all, typed)?;
    let first = meant[0];
    let name = function(&first.id);
    if is_whole {
        // One case, whatever the arguments of the others are.
        let all = &Vec::from_iter(running);
        comparisons.extend(comparison(first, all, |case| case.id != first.id));
        return Ok(comparisons);
    }
    let by_arguments = by(running, arguments);
    for reference in meant {
        let peers = by_arguments
            .get(&arguments(reference))
            .map_or(&[][..], Vec::as_slice);
        comparisons.extend(comparison(reference, peers, |case| {
            function(&case.id) != name
        }));
    }
    Ok(comparisons)
}

/// A warning about references that the filter does not select, while other cases of their groups are selected.
pub(super) fn missing_references(running: &[Case], all: &[Case]) -> Option<String> {
    let selected: HashSet<&str> = running.iter().map(|case| &*case.id).collect();
    let places: HashSet<_> = running.iter().map(place).collect();
    let is_wanted = |case: &&Case| {
        case.reference && !selected.contains(&*case.id) && places.contains(&place(case))
    };
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    for missing in all.iter().filter(is_wanted) {
        let name = if missing.group.is_empty() {
            missing.name.clone()
        } else {
            format!("{}/{}", missing.group, missing.name)
        };
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| {
        format!(
            "{} not selected: without the reference, the cases of a group are not compared",
            names.join(", ")
        )
    })
}

/// Cases by what some of them have in common.
fn by<'a, K: Eq + Hash>(
    cases: &'a [Case],
    key: impl Fn(&'a Case) -> K,
) -> HashMap<K, Vec<&'a Case>> {
    let mut found: HashMap<K, Vec<&Case>> = HashMap::new();
    for case in cases {
        found.entry(key(case)).or_default().push(case);
    }
    found
}

/// What a reference and its candidates have in common.
fn place(case: &Case) -> (&str, Vec<(&str, &str)>) {
    (&case.group, arguments(case))
}

fn arguments(case: &Case) -> Vec<(&str, &str)> {
    let arguments = case.arguments.iter();
    arguments.map(|one| (&*one.axis, &*one.value)).collect()
}

/// The comparison of a reference with those that are its candidates, if there are any.
fn comparison(
    reference: &Case,
    running: &[&Case],
    is_candidate: impl Fn(&Case) -> bool,
) -> Option<Comparison> {
    let mut candidates = Vec::new();
    for case in running {
        if is_candidate(case) {
            candidates.push(case.id.clone());
        }
    }
    (!candidates.is_empty()).then(|| Comparison {
        reference: reference.id.clone(),
        candidates,
        limit: None,
    })
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

    fn found(comparisons: Vec<Comparison>) -> Vec<(String, String)> {
        comparisons
            .into_iter()
            .map(|comparison| (comparison.reference, comparison.candidates.join(" ")))
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
    fn candidates_are_of_the_group_and_the_arguments() {
        let cases = cases();
        assert_eq!(
            found(comparisons(&cases, &cases, None).unwrap()),
            [
                pair("std[1]", "heap[1] quick[1]"),
                pair("std[2]", "heap[2]")
            ]
        );
        // Without a reference that runs, nothing is compared.
        assert!(comparisons(&cases[2..], &cases, None).unwrap().is_empty());
        let warned = missing_references(&cases[2..], &cases).unwrap_or_default();
        assert!(
            warned.contains("not selected: without the reference"),
            "{warned}"
        );
        assert_eq!(missing_references(&cases, &cases), None);
        assert!(comparisons(&cases[..2], &cases, None).unwrap().is_empty());
    }

    #[test]
    fn no_candidate_is_dropped() {
        let of = |candidates: usize| {
            let mut cases = vec![case("std", "sort", "1", true)];
            for number in 0..candidates {
                cases.push(case(&format!("other{number}"), "sort", "1", false));
            }
            let by_group = comparisons(&cases, &cases, None);
            assert_eq!(comparisons(&cases, &cases, Some("std")), by_group);
            by_group
        };
        let most = of(1_000).unwrap();
        assert_eq!(most[0].candidates.len(), 1_000);
    }

    #[test]
    fn the_reference_may_be_typed() {
        let cases = cases();
        let typed = |typed| comparisons(&cases[1..], &cases, Some(typed)).map(found);
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
        ]
        .map(|case| Case {
            name: "heap".to_owned(),
            ..case
        });
        let typed = |typed| comparisons(&cases, &cases, Some(typed)).map(found);
        let one = [pair("p/t::b::heap[1]", "p/t::a::heap[1]")];
        assert_eq!(typed("b::heap").unwrap(), one);
        assert_eq!(typed("t::b::heap[1]").unwrap(), one);
        assert_eq!(typed("b/heap/1").unwrap(), one);
        assert_eq!(
            typed("heap").unwrap_err(),
            "\"heap\" is p/t::a::heap or p/t::b::heap; write more of the one that you mean"
        );
        assert_eq!(
            typed("hea").unwrap_err(),
            "no case has the name \"hea\"; --list shows the ids of the cases; did you mean a/heap/1?"
        );
    }
}
