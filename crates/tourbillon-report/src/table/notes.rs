//! Findings about results, each reported once for all the cases that it concerns.

use tourbillon_present::{Note, Style, advice};

use super::disturbance::disturbances;
use super::finding::findings;
use super::input::{Found, Table};
use crate::names::printed_name;

/// What there is to know of a run that was interrupted.
const INTERRUPTED: &str = "interrupted: figures are of the launches until then";

/// Whether the run was interrupted, what kept the machine busy, then what was found, each kind once, the most serious first, and what else disturbed the
/// run.
pub(crate) fn notes(table: &Table<'_>, found: &[Found<'_>], style: &Style) -> Vec<Note> {
    let note = |text: String, cases: &[&Found<'_>]| Note {
        names: cases.iter().map(|one| printed_name(one.case)).collect(),
        ..Note::new("! ", text)
    };
    let events = table.end.and_then(|end| end.machine_events.as_ref());
    let disturbed = disturbances(found, events);
    let is_interrupted = table.end.is_some_and(|end| end.interrupted);
    let interrupted = is_interrupted.then(|| INTERRUPTED.to_owned());
    let of_run = interrupted.into_iter().chain(disturbed.busy);
    let mut notes: Vec<Note> = of_run.map(|text| note(text, &[])).collect();
    let unseen: Vec<_> = found.iter().filter(|found| found.may_be_empty()).collect();
    if !unseen.is_empty() {
        let text = "not distinguishable from an empty body; the compiler may have removed the work: pass inputs \
                    through hide(), return the result, and read what is left: cargo rustc --profile bench --bench NAME \
                    -- --emit asm";
        notes.push(note(text.to_owned(), &unseen));
    }
    let mut described = Vec::new();
    for finding in findings(found) {
        let follows = disturbed.is_busy && finding.may_be_of_busy_machine()
            || is_interrupted && finding.is_of_few_launches();
        if follows {
            continue;
        }
        let advice = advice::of_note(finding.note, &finding.extent, table.launches, style);
        if let Some(advice) = advice
            && let Some(rank) = advice.rank
        {
            described.push((rank, note(advice.text, &finding.cases)));
        }
    }
    described.sort_by_key(|(rank, _)| *rank);
    notes.extend(described.into_iter().map(|(_, one)| one));
    notes.extend(disturbed.others.into_iter().map(|text| note(text, &[])));
    notes
}
