//! Findings about results, each reported once for all the cases that it concerns.

use tourbillon_record::Note;

use super::disturbance::disturbances;
use super::finding::{describe, findings, mean_of};
use super::input::{Found, Table};
use crate::Style;
use crate::names::first_names;
use crate::page::Page;
use crate::style::Ink;
use crate::tree::full_label;

/// Adds a line or more for each kind of finding, the most serious first, then what disturbed the run.
pub(crate) fn add_notes(page: &mut Page<'_>, found: &[Found<'_>], table: &Table<'_>) {
    for noted in noted(found, table, page.style) {
        let line = match noted.cases.as_slice() {
            [] => noted.text,
            cases => {
                let names = names(cases, noted.with_means, page.style);
                format!("{names}: {}", noted.text)
            }
        };
        page.line(Ink::Note, "! ", &line);
    }
}

/// A finding and the cases that it concerns.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What was found, and what to do.
    pub text: String,
    /// Identities of the cases; none for a finding about the whole run.
    pub cases: Vec<String>,
}

/// The same findings, each with the identities of all its cases.
pub(crate) fn remarks(table: &Table<'_>, found: &[Found<'_>], style: &Style) -> Vec<Remark> {
    let remark = |noted: Noted<'_>| Remark {
        text: noted.text,
        cases: noted.cases.iter().map(|one| one.case.id.clone()).collect(),
    };
    noted(found, table, style).into_iter().map(remark).collect()
}

/// A finding in words.
#[derive(Default)]
struct Noted<'a> {
    text: String,
    /// None for a finding about the whole run.
    cases: Vec<&'a Found<'a>>,
    with_means: bool,
}

/// What was found, the most serious first.
fn noted<'a>(found: &'a [Found<'a>], table: &Table<'_>, style: &Style) -> Vec<Noted<'a>> {
    let mut noted = Vec::new();
    let unseen: Vec<_> = found.iter().filter(|found| found.may_be_empty()).collect();
    if !unseen.is_empty() {
        noted.push(Noted {
            text:
                "not distinguishable from an empty body; the compiler may have removed the work: \
                   pass inputs through hide(), return the result, and see what is left (guide: \
                   Reading the assembly)"
                    .to_owned(),
            cases: unseen,
            ..Noted::default()
        });
    }
    let mut described = Vec::new();
    for finding in findings(found) {
        if let Some((rank, text)) = describe(&finding, table.launches, style) {
            let with_means = matches!(finding.note, Note::Skewed) && finding.cases.len() > 1;
            let cases = finding.cases;
            described.push((
                rank,
                Noted {
                    text,
                    cases,
                    with_means,
                },
            ));
        }
    }
    described.sort_by_key(|(rank, _)| *rank);
    noted.extend(described.into_iter().map(|(_, one)| one));
    let events = table.end.and_then(|end| end.machine_events.as_ref());
    let whole_run = |text| Noted {
        text,
        ..Noted::default()
    };
    noted.extend(disturbances(found, events).into_iter().map(whole_run));
    noted
}

/// `sort/heap, sort/quick, sort/std and 4 more`, each with its mean where that is wanted.
fn names(cases: &[&Found<'_>], with_means: bool, style: &Style) -> String {
    let named = cases.iter().map(|found| {
        let label = full_label(found.case, style);
        let mean = mean_of(found).filter(|_| with_means);
        match mean {
            Some(mean) => format!("{label} (mean {mean})"),
            None => label,
        }
    });
    first_names(&named.collect::<Vec<_>>())
}
