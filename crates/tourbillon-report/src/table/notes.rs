//! Findings about results, each reported once for all the cases that it concerns.

use tourbillon_present::{Note, Style};

use super::disturbance::disturbances;
use super::finding::{describe, findings};
use super::gather::found;
use super::input::{Found, Table};
use crate::names::printed_name;

/// What kept the machine busy, then what was found, each kind once, the most serious first, and what else disturbed the
/// run.
pub(crate) fn notes(table: &Table<'_>, found: &[Found<'_>], style: &Style) -> Vec<Note> {
    let noted = noted(found, table, style).into_iter();
    let notes = noted.map(|noted| {
        let names = noted.cases.iter().map(|one| printed_name(one.case));
        Note {
            names: names.collect(),
            ..Note::new("! ", noted.text)
        }
    });
    notes.collect()
}

/// A finding and the cases that it concerns.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What was found, and what to do.
    pub text: String,
    /// Identities of the cases; none for a finding about the whole run.
    pub cases: Vec<String>,
}

impl Table<'_> {
    /// The same findings, each with the identities of all its cases.
    pub fn remarks(&self, style: &Style) -> Vec<Remark> {
        let found = found(self);
        let remarks = noted(&found, self, style).into_iter().map(|noted| Remark {
            text: noted.text,
            cases: noted.cases.iter().map(|one| one.case.id.clone()).collect(),
        });
        remarks.collect()
    }
}

/// A finding in words.
#[derive(Default)]
struct Noted<'a> {
    text: String,
    /// None for a finding about the whole run.
    cases: Vec<&'a Found<'a>>,
}

/// What kept the machine busy, and what was found, the most serious first.
fn noted<'a>(found: &'a [Found<'a>], table: &Table<'_>, style: &Style) -> Vec<Noted<'a>> {
    let events = table.end.and_then(|end| end.machine_events.as_ref());
    let disturbed = disturbances(found, events);
    let is_busy = disturbed.busy.is_some();
    let whole_run = |text| Noted {
        text,
        ..Noted::default()
    };
    let mut noted = Vec::from_iter(disturbed.busy.map(whole_run));
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
    let mut described = Vec::new();
    for finding in findings(found) {
        if is_busy && finding.may_be_of_busy_machine() {
            continue;
        }
        if let Some((rank, text)) = describe(&finding, table.launches, style) {
            let cases = finding.cases;
            described.push((rank, Noted { text, cases }));
        }
    }
    described.sort_by_key(|(rank, _)| *rank);
    noted.extend(described.into_iter().map(|(_, one)| one));
    noted.extend(disturbed.others.into_iter().map(whole_run));
    noted
}
