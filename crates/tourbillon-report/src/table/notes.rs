//! Findings about results, each reported once for all the cases that it concerns.

use super::disturbance::disturbances;
use super::finding::{describe, findings};
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
                let names = names(cases, page.style);
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
        });
    }
    let events = table.end.and_then(|end| end.machine_events.as_ref());
    let disturbed = disturbances(found, events);
    let mut described = Vec::new();
    for finding in findings(found) {
        if disturbed.busy.is_some() && finding.may_be_of_busy_machine() {
            continue;
        }
        if let Some((rank, text)) = describe(&finding, table.launches, style) {
            let cases = finding.cases;
            described.push((rank, Noted { text, cases }));
        }
    }
    described.sort_by_key(|(rank, _)| *rank);
    noted.extend(described.into_iter().map(|(_, one)| one));
    let whole_run = |text| Noted {
        text,
        ..Noted::default()
    };
    noted.extend(disturbed.busy.into_iter().map(whole_run));
    noted.extend(disturbed.others.into_iter().map(whole_run));
    noted
}

/// `sort/heap, sort/quick, sort/std and 4 more`.
fn names(cases: &[&Found<'_>], style: &Style) -> String {
    let named = cases.iter().map(|found| full_label(found.case, style));
    first_names(&named.collect::<Vec<_>>())
}
