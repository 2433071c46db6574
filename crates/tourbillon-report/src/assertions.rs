//! What benchmarks assert about the times of two cases.

use std::collections::HashSet;

use tourbillon_record::Case;
use tourbillon_values::assertion;

use crate::names::{case_pairs, function, module};

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

#[cfg(test)]
mod tests {
    use tourbillon_record::Argument;

    use super::*;

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
