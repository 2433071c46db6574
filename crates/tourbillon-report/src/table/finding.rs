//! Kinds of findings about cases.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use tourbillon_present::advice::Extent;
use tourbillon_record::{Absence, CaseResult, Note};

use super::input::Found;

/// A kind of finding and the cases that it concerns.
pub(super) struct Finding<'a> {
    pub(super) note: &'a Note,
    /// The worst of the cases.
    pub(super) extent: Extent,
    pub(super) cases: Vec<&'a Found<'a>>,
}

/// The findings about cases, each kind once.
pub(super) fn findings<'a>(found: &'a [Found<'a>]) -> Vec<Finding<'a>> {
    let mut findings: Vec<Finding<'a>> = Vec::new();
    let mut places = HashMap::new();
    for found in found {
        // What concerns the time concerns the cycles too, mostly, and is reported once.
        let results = [found.main, found.cycles, found.instructions];
        let results = results.into_iter().flatten();
        let measured = results.filter(|result| {
            !matches!(result.estimate, Err(Absence::Failed | Absence::NotReached))
        });
        let notes = measured.flat_map(|result| result.notes.iter().map(move |note| (result, note)));
        for (result, note) in notes {
            if follows(result, note) {
                continue;
            }
            let extent = Extent::of(result, note);
            let place = *places
                .entry((kind(note), extent.as_requested))
                .or_insert(findings.len());
            let Some(finding) = findings.get_mut(place) else {
                findings.push(Finding {
                    note,
                    extent,
                    cases: vec![found],
                });
                continue;
            };
            let fewer_is_worse = matches!(note, Note::FewLaunches { .. } | Note::Sampled { .. });
            let worst = &mut finding.extent;
            if (extent.count < worst.count) == fewer_is_worse {
                worst.count = extent.count;
            }
            if extent.amount.abs() > worst.amount.abs() {
                worst.amount = extent.amount;
            }
            let last = finding.cases.last();
            if last.is_none_or(|last| last.case.id != found.case.id) {
                worst.is_of_several = true;
                finding.cases.push(found);
            }
        }
    }
    findings
}

impl Finding<'_> {
    /// Whether a busy machine alone may be the cause: launches that take longer leave room for fewer, what else runs
    /// keeps caches from warming up, and takes more from the batches of one length than from those of the other.
    pub(super) fn may_be_of_busy_machine(&self) -> bool {
        let is_few = self.is_of_few_launches() && !self.extent.as_requested;
        is_few
            || matches!(
                self.note,
                Note::NotWarm { .. } | Note::Curvature { .. } | Note::Imprecise { .. }
            )
    }

    /// Whether launches are missing.
    pub(super) fn is_of_few_launches(&self) -> bool {
        matches!(self.note, Note::FewLaunches { .. } | Note::Shortened { .. })
    }
}

/// Whether another note of the result contains this one, with the same remedy.
fn follows(result: &CaseResult, note: &Note) -> bool {
    let is_few = |note: &Note| matches!(note, Note::FewLaunches { .. });
    matches!(note, Note::Shortened { .. }) && result.notes.iter().any(is_few)
}

/// What notes of one kind have in common.
fn kind(note: &Note) -> (Discriminant<Note>, &str, bool) {
    let (text, is_in_figure) = match note {
        Note::Other(name) => (name.as_str(), false),
        Note::NotCounted { why } | Note::NotStepped { why } | Note::EventsAbsent { why } => {
            (why.as_str(), false)
        }
        Note::Contended { in_figure, .. } => ("", *in_figure),
        _ => ("", false),
    };
    (discriminant(note), text, is_in_figure)
}
