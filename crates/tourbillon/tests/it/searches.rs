//! What is asked about a case is found by its id, through `tourbillon_record::ByCase` or another map: a search among all
//! cases for each of them takes the square of their number.

use crate::tidy::{files, is_rust};

/// How a search for a case begins.
const SEARCHES: [&str; 2] = [".case == ", ".id == "];

/// Where a source does it, and why it may.
const ALLOWED: [(&str, &str); 7] = [
    (
        "crates/cargo-tourbillon/src/explain/",
        "asked about one case",
    ),
    (
        "crates/tourbillon-compare/src/gate/result.rs",
        "compares those that follow each other",
    ),
    (
        "crates/tourbillon-commands/src/arms.rs",
        "at most 250 commands",
    ),
    (
        "crates/tourbillon-criterion/src/files/folder.rs",
        "a file of one benchmark",
    ),
    (
        "crates/tourbillon-criterion/src/outputs.rs",
        "compares those that follow each other",
    ),
    (
        "crates/tourbillon-history/src/index/comparison.rs",
        "asked about one case",
    ),
    (
        "crates/tourbillon-report/src/table/extra_columns.rs",
        "compares two rows",
    ),
];

/// The searches of a source outside of its tests.
fn searches(text: &str) -> usize {
    let code = text.split("mod tests {").next().unwrap_or_default();
    SEARCHES.iter().map(|one| code.matches(one).count()).sum()
}

#[test]
fn no_case_is_searched_for_among_all() {
    let mut used = [false; ALLOWED.len()];
    for (name, text) in files() {
        let is_source = name.starts_with("crates/") && name.contains("/src/") && is_rust(&name);
        if !is_source || searches(&text) == 0 {
            continue;
        }
        let allowed = ALLOWED
            .iter()
            .position(|(place, _)| name.starts_with(place));
        let allowed = allowed.unwrap_or_else(|| {
            panic!("{name} searches for a case; find it by its id, with tourbillon_record::ByCase")
        });
        used[allowed] = true;
    }
    for ((place, why), used) in ALLOWED.iter().zip(used) {
        assert!(
            used,
            "{place} searches no more ({why}); take it out of the list"
        );
    }
}

#[test]
fn a_search_is_found() {
    assert_eq!(
        searches("run.results.iter().find(|result| result.case == id)"),
        1
    );
    assert_eq!(searches("mod tests {\n one.id == other.id"), 0);
}
