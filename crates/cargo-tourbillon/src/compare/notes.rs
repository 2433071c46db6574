//! Notes about the cases of a comparison: failures, why verdicts are undecided, counts that are missing.

use tourbillon_record::{Fault, FaultKind, Undecided, Verdict};
use tourbillon_report::{Names, Style, duration, finding_words, first_names};

use super::counts::Tally;
use super::gate_result::name;
use super::measured::{Measured, MeasuredCase};
use super::pairing::Comparison;

/// What there is to know about a verdict.
#[derive(Debug)]
pub(super) enum Reason {
    /// It is undecided, in these words, and needs so many seconds.
    NeedsTime { words: &'static str, seconds: f64 },
    /// A sentence.
    Other(String),
}

impl Reason {
    fn is_alike(&self, other: &Reason) -> bool {
        match (self, other) {
            (Reason::NeedsTime { words: one, .. }, Reason::NeedsTime { words: other, .. }) => {
                one == other
            }
            (Reason::Other(one), Reason::Other(other)) => one == other,
            _ => false,
        }
    }

    /// Adds an alike one.
    fn join(&mut self, other: &Reason) {
        if let (Reason::NeedsTime { seconds, .. }, Reason::NeedsTime { seconds: more, .. }) =
            (self, other)
        {
            *seconds = seconds.max(*more);
        }
    }

    /// With the remedy, for one verdict or for several.
    pub(super) fn text(&self, of_several: bool) -> String {
        match self {
            Reason::NeedsTime { words, seconds } => {
                let bound = if of_several { "up to" } else { "about" };
                let needed = duration((seconds * 1e9) as u64);
                format!("{words}: a verdict needs {bound} {needed} of measuring; raise --time")
            }
            Reason::Other(text) => text.clone(),
        }
    }
}

/// Notes about single cases, and about failures.
pub(super) fn notes(comparison: &Comparison, measured: &Measured) -> Vec<String> {
    let names = comparison.names();
    let named = comparison
        .cases
        .iter()
        .filter(|one| one.reference != one.case.id);
    let named = named.map(|one| {
        let [case, reference] = [&one.case.id, &one.reference].map(|id| names.name(id));
        format!("{case} is compared with {reference}")
    });
    let mut notes: Vec<String> = named.collect();
    for case in &measured.cases {
        let of_case = names.name(&case.case.id);
        if let Some((side, fault)) = &case.fault {
            let failed = failure(&comparison.builds()[*side].label, fault, of_case);
            notes.push(format!("{of_case} {failed}"));
        }
        if let Some((side, _)) = case.counts.gap() {
            let note = uncounted(comparison, case).unwrap_or_default();
            // An executable that cannot count is reported once.
            match &case.counts.sides[side] {
                Tally::Unable(_) if notes.contains(&note) => {}
                Tally::Unable(_) => notes.push(note),
                _ => notes.push(format!("{of_case}: {note}")),
            }
        }
    }
    notes.extend(reasons(measured, &names));
    if measured.interrupted {
        notes.push("interrupted: cases without a verdict are undecided".to_owned());
    }
    notes
}

/// What there is to know about verdicts: each reason once, with the names of the cases that it concerns.
fn reasons(measured: &Measured, names: &Names) -> impl Iterator<Item = String> {
    let mut reasons: Vec<(Reason, Vec<String>)> = Vec::new();
    for case in &measured.cases {
        for verdict in case.verdicts() {
            let name = name(verdict, names);
            for reason in of_verdict(case, verdict) {
                match reasons
                    .iter_mut()
                    .find(|(other, _)| other.is_alike(&reason))
                {
                    Some((other, names)) => {
                        other.join(&reason);
                        names.push(name.clone());
                    }
                    None => reasons.push((reason, vec![name.clone()])),
                }
            }
        }
    }
    let text = |(reason, names): (Reason, Vec<String>)| {
        format!("{}: {}", first_names(&names), reason.text(names.len() > 1))
    };
    reasons.into_iter().map(text)
}

/// Why a verdict is undecided and the remedy, and whether a percentile differs from the times.
pub(super) fn of_verdict(case: &MeasuredCase, verdict: &Verdict) -> impl Iterator<Item = Reason> {
    let why = why(verdict).filter(|_| case.fault.is_none());
    let differs = tourbillon_report::differs_from_times(verdict);
    why.into_iter().chain(differs.map(Reason::Other))
}

/// Why the allocations of one build are missing; `None` if both builds or neither were counted.
pub(super) fn uncounted(comparison: &Comparison, case: &MeasuredCase) -> Option<String> {
    let (side, why) = case.counts.gap()?;
    let label = &comparison.builds()[side].label;
    Some(format!("allocations are not counted in {label}: {why}"))
}

/// What happened to a case of this name in the build of this label, and the remedy.
pub(super) fn failure(label: &str, fault: &Fault, name: &str) -> String {
    let (what, advice) = tourbillon_report::fault(fault, name, &Style::default());
    let mut text = format!("failed in {label}: {what}");
    // A panic's stderr holds its message, and how to get a backtrace.
    let last = fault.stderr.lines().last();
    if let Some(last) = last.filter(|_| fault.kind != FaultKind::Panic) {
        text += &format!("; stderr ends with: {last}");
    }
    text + "; " + &advice
}

/// Why a case is undecided, and the remedy.
fn why(verdict: &Verdict) -> Option<Reason> {
    let words = finding_words(verdict);
    let why = match (verdict.why?, verdict.seconds_needed) {
        (Undecided::Time, Some(seconds)) => return Some(Reason::NeedsTime { words, seconds }),
        (Undecided::Time, None) => {
            "the difference is close to the margin; change --margin, or use the interval"
        }
        (Undecided::TooFew, _) if verdict.metric.is_some() && verdict.discarded > 0 => {
            "fewer than ten calls of a process are beyond the percentile; compare a lower one"
        }
        (Undecided::TooFew, _) => "too few pairs of processes fitted into the time; raise --time",
        (Undecided::Drift, _) => "conditions drifted; run it again when the machine is steady",
        (Undecided::Control, _) => "the reference differs from itself",
        (Undecided::Noise, _) => "too many pairs were interrupted",
    };
    Some(Reason::Other(format!("{words}: {why}")))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::Finding;

    use super::super::gate_result::tests::measured;
    use super::super::rows::tests::comparison;
    use super::*;

    #[test]
    fn alike_reasons_are_one_note() {
        let needed = [Some(20.0), None, Some(90.0), None, None, None];
        let case = |(at, needed): (usize, Option<f64>)| {
            let mut case = measured(1).cases.remove(0);
            case.percentiles.clear();
            case.case.id = format!("p/t::c{at}");
            case.verdict.case.clone_from(&case.case.id);
            case.verdict.finding = Finding::Undecided;
            case.verdict.seconds_needed = needed;
            case.verdict.why = Some(match needed {
                Some(_) => Undecided::Time,
                None => Undecided::Drift,
            });
            case
        };
        let mut measured = Measured {
            cases: needed.into_iter().enumerate().map(case).collect(),
            ..measured(1)
        };
        let drifted = "conditions drifted; run it again when the machine is steady";
        assert_eq!(
            notes(&comparison(), &measured),
            [
                "p/t::c0, p/t::c2: undecided: a verdict needs up to 90 s of measuring; raise --time"
                    .to_owned(),
                format!("p/t::c1, p/t::c3, p/t::c4 and 1 more: undecided: {drifted}"),
            ]
        );
        measured.cases.truncate(1);
        let one = "p/t::c0: undecided: a verdict needs about 20 s of measuring; raise --time";
        assert_eq!(notes(&comparison(), &measured), [one]);
    }
}
