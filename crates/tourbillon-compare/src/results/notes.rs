//! Notes about the cases of a comparison: failures, why verdicts are undecided, counts that are missing.

use tourbillon_present::{Explanation, Note};
use tourbillon_record::{Fault, FaultKind, Finding, Rounds, Verdict};
use tourbillon_report::{Names, Outcome, Style, counted};
use tourbillon_stepper::{EventChange, PAIRS};

use crate::counts::{CountKind, Pair};
use crate::gate::result::name;
use crate::judgement::Compared;
use crate::measurement::{MeasuredCase, times_calls};
use crate::pairing::Comparison;
use crate::results::case_outcome::CaseOutcome;

/// What failed.
pub(crate) fn failures(compared: &Compared<'_>) -> Vec<Note> {
    let comparison = compared.comparison;
    let names = comparison.names();
    let failures = compared.measured.cases.iter().filter_map(|case| {
        let (side, fault) = case.fault.as_ref()?;
        let name = names.name(&case.case.id);
        let failed = failure(&comparison.builds()[*side].label, fault, name);
        Some(Note::new("! ", format!("{name} {failed}")))
    });
    failures.collect()
}

/// What else there is to know and to do, in order of weight.
pub(crate) fn notes(compared: &Compared<'_>) -> Vec<Note> {
    let interruption = of_interruption(compared).map(|text| Note::new("! ", text));
    let mut notes = Vec::from_iter(interruption);
    notes.extend(of_builds(compared));
    notes.extend(Note::joined(of_verdicts(
        compared,
        &compared.comparison.names(),
    )));
    notes
}

/// Those that are not about verdicts, which the record cannot tell otherwise.
pub(crate) fn of_builds(compared: &Compared<'_>) -> Vec<Note> {
    let (comparison, measured) = (compared.comparison, &compared.measured);
    let names = comparison.names();
    let conditions = &comparison.conditions;
    let texts = conditions.note().into_iter().chain(conditions.unknown());
    let texts = texts.chain(comparison.file_doubts());
    let mut notes: Vec<Note> = texts
        .chain(of_folders(compared))
        .map(|text| Note::new("! ", text))
        .collect();
    let kinds = |case| CountKind::ALL.map(|kind| (case, kind));
    let uncounted = measured
        .cases
        .iter()
        .flat_map(kinds)
        .filter_map(|(case, kind)| {
            let note = uncounted(comparison, case, kind)?;
            Some((
                names.name(&case.case.id).to_owned(),
                Explanation::Common(note),
            ))
        });
    notes.extend(Note::joined(uncounted));
    notes
}

/// That cases have no verdict because a signal ended it.
fn of_interruption(compared: &Compared<'_>) -> Option<String> {
    let is_open = |case: &&MeasuredCase| {
        let mut verdicts = compared.verdicts(case);
        case.fault.is_none() && verdicts.any(|verdict| verdict.finding == Finding::Undecided)
    };
    let measured = &compared.measured;
    let open = measured.cases.iter().filter(is_open).count();
    interruption(open).filter(|_| measured.interrupted)
}

/// That so many cases have no verdict because a signal ended the comparison; `None` where all have one.
pub(crate) fn interruption(open: usize) -> Option<String> {
    (open > 0).then(|| {
        format!(
            "interrupted before {} had a verdict; compare again",
            counted(open, "case")
        )
    })
}

/// The notes of rows, alike ones together.
pub(crate) fn notes_of(rows: &[&CaseOutcome]) -> Vec<Note> {
    let reasons = rows.iter().flat_map(|row| {
        let notes = row.notes.iter().cloned();
        notes.map(|note| (row.name.clone(), note))
    });
    Note::joined(reasons)
}

/// That a difference may come from where a package lies that is not in the workspace of its benches.
fn of_folders(compared: &Compared<'_>) -> Option<String> {
    let differs = |case: &MeasuredCase| {
        let mut verdicts = compared.verdicts(case);
        verdicts.any(|verdict| matches!(verdict.finding, Finding::Faster | Finding::Slower))
    };
    let builds = compared.comparison.builds();
    let [old, new] = builds.map(|build| &build.outside);
    // Two revisions have one path; then a folder of one side only is a new dependency.
    old.iter().find(|folder| !new.contains(folder))?;
    let moved = new.iter().find(|folder| !old.contains(folder))?;
    compared.measured.cases.iter().any(differs).then(|| {
        format!(
            "{} is not in the workspace of its benches: in another folder, the same code of it may be \
             compiled differently; commit, and compare two revisions, which have one path",
            moved.display()
        )
    })
}

/// What there is to know about verdicts, with the names of their cases.
fn of_verdicts(
    compared: &Compared<'_>,
    names: &Names,
) -> impl Iterator<Item = (String, Explanation)> {
    let verdicts = compared.measured.cases.iter().flat_map(|case| {
        let verdicts = compared.verdicts(case);
        // That it was interrupted is why these are undecided.
        let is_known = |verdict: &&Verdict| {
            !compared.measured.interrupted || verdict.finding != Finding::Undecided
        };
        let known = verdicts.filter(is_known);
        known.map(move |verdict| (case, verdict))
    });
    let mut reasons: Vec<_> = verdicts
        .flat_map(|(case, verdict)| {
            let outcome = case.outcome(verdict);
            of_verdict(case, verdict).map(|reason| (outcome, name(verdict, names), reason))
        })
        .collect();
    // What a reader must act on comes first.
    reasons.sort_by_key(|(outcome, ..)| *outcome);
    reasons.into_iter().map(|(_, name, reason)| (name, reason))
}

/// Why a verdict is undecided, and the remedy.
pub(crate) fn of_verdict(case: &MeasuredCase, verdict: &Verdict) -> Option<Explanation> {
    let untimed = || untimed(&case.launches, verdict).map(Explanation::Common);
    untimed()
        .or_else(|| Explanation::of(verdict))
        .filter(|_| case.fault.is_none())
}

/// That a percentile cannot be compared, because one build does not time its calls.
pub(crate) fn untimed<'r>(
    launches: impl IntoIterator<Item = &'r Rounds>,
    verdict: &Verdict,
) -> Option<String> {
    verdict.metric?;
    let side = match times_calls(launches) {
        [true, false] => "the new build",
        [false, true] => "the reference",
        _ => return None,
    };
    Some(format!(
        "{}: {side} does not time its calls; compare builds that both do",
        Outcome::of(verdict).word()
    ))
}

/// Why the counts of one build are missing; `None` if both builds or neither were counted.
pub(crate) fn uncounted(
    comparison: &Comparison,
    case: &MeasuredCase,
    kind: CountKind,
) -> Option<String> {
    let Some((side, why)) = case.counts.gap(kind) else {
        let pairs = case.counts.pairs(&case.case.id);
        let undecided = |pair: &Pair| pair.change.filter(EventChange::is_undecided);
        let change = pairs
            .iter()
            .find_map(undecided)
            .filter(|_| kind == CountKind::Events)?;
        return Some(format!(
            "{} is undecided: {} pairs of processes took the time that there is for it, {PAIRS} are needed",
            change.metric.name(),
            change.pairs,
        ));
    };
    let label = &comparison.builds()[side].label;
    let what = match kind {
        CountKind::Allocations => "allocations",
        CountKind::Instructions => "instructions",
        CountKind::Events => "counters",
    };
    Some(format!("{what} are not counted in {label}: {why}"))
}

/// What happened to a case of this name in the build of this label, and the remedy.
pub(crate) fn failure(label: &str, fault: &Fault, name: &str) -> String {
    let (what, advice) = tourbillon_report::fault(fault, name, &Style::default());
    let mut text = format!("failed in {label}: {what}");
    // A panic's stderr holds its message, and how to get a backtrace.
    let last = fault.stderr.lines().last();
    if let Some(last) = last.filter(|_| fault.kind != FaultKind::Panic) {
        text += &format!("; stderr ends with: {last}");
    }
    text + "; " + &advice
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tourbillon_record::{Reach, Undecided};

    use super::*;
    use crate::gate::result::tests::measured;
    use crate::results::rows::tests::comparison;

    #[test]
    fn a_difference_in_another_folder_of_a_package_has_a_note() {
        let mut comparison = comparison();
        let folders = |names: &[&str]| names.iter().map(PathBuf::from).collect();
        for (finding, old, new, expected) in [
            (
                Finding::Slower,
                &["/clone", "/x"][..],
                &["/tree", "/x"][..],
                true,
            ),
            (Finding::Faster, &["/clone"], &["/tree"], true),
            (Finding::Same, &["/clone"], &["/tree"], false),
            (Finding::Slower, &["/clone"], &["/clone"], false),
            (
                Finding::Slower,
                &["/clone"],
                &["/clone", "/clone/new"],
                false,
            ),
            (Finding::Slower, &[], &["/clone"], false),
        ] {
            let mut measured = measured(1);
            measured.cases[0].percentiles.clear();
            measured.cases[0].verdict.finding = finding;
            comparison.old.outside = folders(old);
            comparison.new.outside = folders(new);
            let compared = Compared::without_gate(&comparison, measured);
            let note = of_folders(&compared);
            assert_eq!(note.is_some(), expected, "{old:?} {new:?}");
            let starts = |note: &String| note.starts_with("/tree is not in the workspace");
            assert!(note.iter().all(starts), "{note:?}");
        }
    }

    #[test]
    fn an_interruption_has_a_note_where_a_case_has_no_verdict() {
        let comparison = comparison();
        let noted = |finding, is_interrupted| {
            let mut measured = measured(1);
            measured.interrupted = is_interrupted;
            let case = &mut measured.cases[0];
            case.percentiles.clear();
            case.verdict.finding = finding;
            of_interruption(&Compared::without_gate(&comparison, measured))
        };
        let note = "interrupted before 1 case had a verdict; compare again";
        assert_eq!(noted(Finding::Undecided, true).as_deref(), Some(note));
        for (finding, is_interrupted) in [
            (Finding::Undecided, false),
            (Finding::Slower, true),
            (Finding::Unchanged, true),
        ] {
            assert_eq!(noted(finding, is_interrupted), None);
        }
    }

    #[test]
    fn a_difference_on_a_shared_core_has_a_note() {
        let mut measured = measured(1);
        let case = &mut measured.cases[0];
        case.percentiles.clear();
        case.verdict.finding = Finding::Slower;
        case.verdict.why = Some(Undecided::CoreShared);
        case.verdict.scope = Reach::Processes;
        let reason = of_verdict(case, &case.verdict).map(|one| one.text(false));
        let expected = "something else used the core in most pairs of processes; on an idle machine the change may \
                        differ: run it again at a quieter moment, or raise --time";
        assert_eq!(reason.as_deref(), Some(expected));
    }
}
