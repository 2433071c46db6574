//! Assertions about the times of two cases, a line each.

use std::collections::HashSet;

use tourbillon_record::{Case, Verdict};
use tourbillon_values::assertion;

use crate::Style;
use crate::names::{Names, case_pairs, function, module};
use crate::number::confidence;
use crate::outcome::Outcome;
use crate::page::Page;
use crate::style::Ink;
use crate::verdicts::{basis, finding, ratio};

/// An assertion about two cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssertedPair<'c> {
    /// The case.
    pub case: &'c Case,
    /// The case whose time limits it.
    pub reference: &'c Case,
    /// How many times the time of the reference it may take.
    pub limit: f64,
}

/// What benchmarks assert, each assertion once: of two functions, the cases with the same arguments.
///
/// # Errors
///
/// An assertion that is none, or about a case that does not exist.
pub fn asserted_pairs(all: &[Case]) -> Result<Vec<AssertedPair<'_>>, String> {
    let mut asserted = Vec::new();
    let mut seen = HashSet::new();
    for case in all {
        for text in case.verify.iter().flatten() {
            let one = (module(&case.id), text);
            if !seen.insert(one) {
                continue;
            }
            let refused = |what| format!("verify = {text:?} of {}: {what}", function(&case.id));
            let read = assertion(text).map_err(refused)?;
            let pairs = case_pairs(all, &case.id, &read.case, &read.reference).map_err(refused)?;
            asserted.extend(pairs.into_iter().map(|[case, reference]| AssertedPair {
                case,
                reference,
                limit: read.limit,
            }));
        }
    }
    Ok(asserted)
}

/// The verdicts on assertions below a heading; empty when there are none.
pub fn assertions(verdicts: &[Verdict], names: &Names, style: &Style) -> String {
    let mut page = Page::new(style);
    let Some(first) = verdicts.first() else {
        return page.text;
    };
    let items = [
        "assertions, compared by their launches".to_owned(),
        format!("{} confidence", confidence(first.confidence)),
    ];
    page.items(Ink::Plain, "", items);
    for verdict in verdicts {
        let (mark, ink) = Outcome::of(verdict).mark(style);
        let items = [
            asserted(verdict, names, style),
            format!("{} {}", ratio(verdict), finding(verdict)),
            basis(verdict),
        ];
        page.items(ink, &format!("  {mark} "), items);
    }
    page.text
}

/// `sort_unstable <= 1.05 * sort`.
pub fn asserted(verdict: &Verdict, names: &Names, style: &Style) -> String {
    let names = names.pair(&verdict.case, &verdict.reference);
    let [case, reference] = names.map(|name| style.safe(name));
    match verdict.limit {
        Some(1.0) | None => format!("{case} <= {reference}"),
        Some(limit) => format!("{case} <= {limit} * {reference}"),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Argument, Finding, Undecided};

    use super::*;

    fn verdict(finding: Finding, limit: f64) -> Verdict {
        Verdict {
            case: "p/t::quick[n=1]".to_owned(),
            reference: "p/t::std[n=1]".to_owned(),
            finding,
            why: (finding == Finding::Undecided).then_some(Undecided::Time),
            ratio: Some(1.02),
            lower: Some(1.0),
            upper: Some(1.04),
            limit: Some(limit),
            confidence: 0.999,
            launches: 16,
            seconds: 0.5,
            ..Verdict::default()
        }
    }

    #[test]
    fn a_line_has_the_assertion_and_its_outcome() {
        let verdicts = [
            verdict(Finding::Faster, 1.05),
            verdict(Finding::Slower, 1.0),
            verdict(Finding::Undecided, 1.03),
        ];
        let case = |name: &str| Case {
            id: format!("p/t::{name}[n=1]"),
            name: name.to_owned(),
            arguments: vec![Argument {
                axis: "n".to_owned(),
                value: "1".to_owned(),
            }],
            ..Case::default()
        };
        let names = Names::of(&[case("quick"), case("std")]);
        let text = assertions(&verdicts, &names, &Style::FILE);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("assertions, compared by their launches"),
            "{text}"
        );
        let expected = "quick/1 <= 1.05 * std/1";
        assert!(
            lines[1].contains(expected) && lines[1].contains("] holds"),
            "{text}"
        );
        let expected = "quick/1 <= std/1";
        assert!(
            lines[2].contains(expected) && lines[2].contains("] does not hold"),
            "{text}"
        );
        assert!(lines[3].contains("undecided, at the limit"), "{text}");
        assert_eq!(assertions(&[], &Names::default(), &Style::FILE), "");
    }

    #[test]
    fn assertions_are_about_cases_that_exist() {
        let case = |name: &str, n: &str| Case {
            id: format!("p/t::{name}[n={n}]"),
            name: name.to_owned(),
            arguments: vec![Argument {
                axis: "n".to_owned(),
                value: n.to_owned(),
            }],
            ..Case::default()
        };
        let of = |text: &str| {
            let mut cases = [
                case("std", "1"),
                case("std", "2"),
                case("heap", "2"),
                case("heap", "1"),
            ];
            cases[2].verify = Some(vec![text.to_owned()]);
            cases[3].verify = Some(vec![text.to_owned()]);
            let found = asserted_pairs(&cases)?.into_iter();
            let found = found.map(|one| (one.case.id.clone(), one.reference.id.clone(), one.limit));
            Ok::<_, String>(found.collect::<Vec<_>>())
        };
        let pair = |case: &str, reference: &str, limit| {
            (format!("p/t::{case}"), format!("p/t::{reference}"), limit)
        };
        assert_eq!(
            of("heap <= 1.05 * std").unwrap(),
            [
                pair("heap[n=2]", "std[n=2]", 1.05),
                pair("heap[n=1]", "std[n=1]", 1.05)
            ]
        );
        assert_eq!(
            of("heap/2 > std[n=1]").unwrap(),
            [pair("std[n=1]", "heap[n=2]", 1.0)]
        );
        assert_eq!(
            of("std/1 < heap").unwrap(),
            [pair("std[n=1]", "heap[n=1]", 1.0)]
        );
        assert_eq!(
            of("heap <= sort").unwrap_err(),
            "verify = \"heap <= sort\" of p/t::heap: no case has the name \"sort\"; --list shows the ids \
             of the cases"
        );
        // Names are first those of the same module.
        let mut cases = ["std", "sort", "inner::std"].map(|path| Case {
            id: format!("p/t::{path}"),
            name: path.replace("inner::", ""),
            ..Case::default()
        });
        for at in [0, 1, 2] {
            cases[at].verify = Some(vec!["std <= sort".to_owned()]);
        }
        let found = asserted_pairs(&cases).unwrap();
        let ids = found.iter().map(|one| one.case.id.as_str());
        // Once, although two functions of a module assert it.
        assert_eq!(ids.collect::<Vec<_>>(), ["p/t::std", "p/t::inner::std"]);
        assert!(of("heap = std").unwrap_err().contains("has no \"<=\""));
    }
}
