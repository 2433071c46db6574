//! Notes about the cases of a comparison: failures, why verdicts are undecided, counts that are missing.

use tourbillon_record::{Fault, FaultKind, Undecided, Verdict};
use tourbillon_report::{Names, Style, finding_words, first_names};

use super::counts::Tally;
use super::gate_result::name;
use super::measured::{Measured, MeasuredCase};
use super::pairing::Comparison;
use super::reason::{Reason, joined};

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
    notes.extend(of_verdicts(measured, &names));
    if measured.interrupted {
        notes.push("interrupted: cases without a verdict are undecided".to_owned());
    }
    notes
}

/// What there is to know about verdicts.
fn of_verdicts(measured: &Measured, names: &Names) -> impl Iterator<Item = String> {
    let cases = measured.cases.iter();
    let verdicts = cases.flat_map(|case| case.verdicts().map(move |verdict| (case, verdict)));
    let reasons = verdicts.flat_map(|(case, verdict)| {
        of_verdict(case, verdict).map(|reason| (name(verdict, names), reason))
    });
    joined(reasons)
        .into_iter()
        .map(|(names, reason)| format!("{}: {}", first_names(&names), reason.text(names.len() > 1)))
}

/// Why a verdict is undecided and the remedy, and whether a percentile differs from the times.
pub(super) fn of_verdict(case: &MeasuredCase, verdict: &Verdict) -> impl Iterator<Item = Reason> {
    let why = why(verdict).filter(|_| case.fault.is_none());
    let differs = tourbillon_report::differs_from_times(verdict);
    why.into_iter().chain(differs.map(Reason::Own))
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
    Some(Reason::Common(format!("{words}: {why}")))
}
