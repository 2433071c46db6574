//! One attempt: builds, pairs, verdicts, the answer.

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use tourbillon_builds::{Build, Error, Maker, Snapshot, Subject, Workspace, cargo};
use tourbillon_clock::Stopwatch;
use tourbillon_os::Signals;
use tourbillon_present::{Document, line};
use tourbillon_report::{Outcome, first_names};
use tourbillon_tool::exit::{INTERRUPTED, Stop, say};
use tourbillon_tool::machine_lock::machine_lock;

use super::answer::{Answer, SecondsNeeded};
use super::campaign::{Attempt, Campaign, CaseVerdict};
use super::ledger::{Ledger, moved_on};
use super::spending::error_of;
use crate::judgement::Compared;
use crate::measure::new_seed;
use crate::options::Options;
use crate::pairing::Comparison;
use crate::pairing::builds::{all_listed, find_unchanged, paired};
use crate::pairing::files_read::UnreadFiles;
use crate::pairing::listing::Listed;
use crate::results::case_outcome::CaseOutcome;
use crate::results::document::{EXPLAIN, document, tally};
use crate::results::rows::rows;
use crate::verify::verify;

/// What an attempt is made with.
#[derive(Debug)]
pub(super) struct Trial<'t> {
    pub(super) maker: &'t Maker,
    /// The root of the checkout.
    pub(super) root: &'t Path,
    pub(super) ledger: &'t Ledger,
    pub(super) options: Options,
    /// Since the beginning of the program.
    pub(super) stopwatch: Stopwatch,
}

/// A working tree with the cases of both sides.
struct Sides {
    builds: [Build; 2],
    lists: [Listed; 2],
    comparison: Comparison,
}

impl Trial<'_> {
    /// The folders of the checkout in which cargo builds, and that of the store: what is written there is no change.
    fn written(&self) -> Vec<PathBuf> {
        let workspace = Workspace::of(cargo());
        let mut written = workspace.map_or(Vec::new(), |found| vec![found.target, found.build]);
        written.extend(self.ledger.store().canonicalize());
        written.retain(|folder| folder.starts_with(self.root));
        written
    }

    /// Compares the working tree with the reference of a campaign, and adds the answer to the ledger; `None` where they
    /// do not differ.
    pub(super) fn run(&self, campaign: &Campaign) -> Result<Option<(Attempt, Document)>, Stop> {
        let targets = self.written();
        let snapshot = Snapshot::take(self.root, &targets)?;
        let Some(diff) = snapshot.difference(&campaign.reference)? else {
            return Ok(None);
        };
        let mut attempt = Attempt {
            diff,
            reference: campaign.reference.clone(),
            ..Attempt::default()
        };
        let sides = self.sides(campaign)?;
        if Snapshot::take(self.root, &targets)? != snapshot {
            let what = "files changed while they were built; try again";
            return Err(Stop::Environment(what.to_owned()));
        }
        let mut page = Document::default();
        // Until the answer is in the ledger: another attempt would be measured against a reference that is none any more.
        let _alone = match sides {
            Ok(sides) => {
                let alone = machine_lock("cargo tourbillon attempt", self.options.no_wait)?;
                page = self.compare(sides, campaign, &mut attempt)?;
                alone
            }
            Err(why) => {
                attempt.answer = Some(Answer::Broken);
                attempt.why = why;
                None
            }
        };
        self.ledger.add(|| {
            let known = self.known(campaign)?;
            if attempt.measurement.is_none() {
                attempt.attempt = known.attempts.len() + 1;
            }
            if attempt.answer == Some(Answer::Keep) {
                let (number, why) = (attempt.attempt, &attempt.why);
                let message = format!("cargo tourbillon attempt {number}: {why}\n");
                attempt.commit = Some(snapshot.commit(&attempt.reference, &message)?);
            }
            attempt.seconds = self.stopwatch.elapsed_ns() as f64 / 1e9;
            Ok(attempt.line())
        })?;
        Ok(Some((attempt, page)))
    }

    /// The campaign as it is now, unless it has another reference.
    fn known(&self, campaign: &Campaign) -> Result<Campaign, Stop> {
        let known = self.ledger.campaign()?;
        let is_same = known.reference == campaign.reference;
        is_same.then_some(known).ok_or_else(moved_on)
    }

    /// Builds the reference and the tree, and pairs their cases; or why the tree is broken.
    fn sides(&self, campaign: &Campaign) -> Result<Result<Sides, String>, Stop> {
        let reference = Subject::Revision(campaign.reference.clone());
        let reference = self.maker.make(&reference)?;
        let of_reference = self.listed(&reference)?;
        let tree = match self.maker.make(&Subject::WorkingTree) {
            Ok(tree) => tree,
            Err(Error::Cargo(_, why) | Error::NoBenchmarks(why)) if Signals::first().is_none() => {
                return Ok(Err(why));
            }
            Err(error) => return Err(error.into()),
        };
        let builds = [reference, tree];
        let of_tree = match self.listed(&builds[1]) {
            Ok(listed) => listed,
            Err(stop) => return broken(stop),
        };
        let is_empty = of_reference.cases.iter().all(Vec::is_empty);
        let lists = [of_reference, of_tree];
        let mut comparisons = match paired(&builds, &lists, &self.options, None) {
            Ok(comparisons) => comparisons,
            Err(stop) if is_empty => return Err(stop),
            Err(stop) => return broken(stop),
        };
        Ok(Ok(Sides {
            comparison: comparisons.remove(0),
            builds,
            lists,
        }))
    }

    fn listed(&self, build: &Build) -> Result<Listed, Stop> {
        Ok(all_listed(from_ref(build), &self.options)?.remove(0))
    }

    /// Measures, with the share of the error that is this measurement's, and finds the answer, while nothing else measures.
    fn compare(
        &self,
        sides: Sides,
        campaign: &Campaign,
        attempt: &mut Attempt,
    ) -> Result<Document, Stop> {
        let mut comparison = sides.comparison;
        let mut measurements = self.known(campaign)?.measurements;
        let _files = Build::hold_files(&sides.builds, say)?;
        find_unchanged(&mut comparison, &self.options, &UnreadFiles::default());
        if comparison.measured_cases() > 0 {
            self.ledger.add(|| {
                let known = self.known(campaign)?;
                attempt.attempt = known.attempts.len() + 1;
                known.begin_measurement(attempt);
                measurements = known.measurements;
                Ok(attempt.measuring_line())
            })?;
        }
        let options = Options {
            shared_error: Some(error_of(measurements + 1)),
            // Other placements each time: those that flattered an attempt do not come again when it is repeated.
            seed: Some(new_seed()),
            ..self.options.clone()
        };
        let compared = Compared::measure(&comparison, &options)?;
        if compared.interrupted() {
            return Err(Stop::Code(INTERRUPTED));
        }
        compared.keep(&options)?;
        let style = options.style();
        let found = rows(&compared, None);
        let mut page = document(&compared, &found, &style, options.list_all, EXPLAIN);
        judge(&compared, &found, attempt);
        if attempt.answer == Some(Answer::Keep) {
            let [_, build] = &sides.builds;
            let [_, listed] = &sides.lists;
            let asserted = verify(build, &listed.cases, &options)?;
            if asserted.code == INTERRUPTED {
                return Err(Stop::Code(INTERRUPTED));
            }
            if asserted.code != 0 {
                attempt.answer = Some(Answer::Broken);
                attempt.why = "an assertion does not hold".to_owned();
                page.blocks.extend(asserted.document(&style).blocks);
            }
        }
        Ok(page)
    }
}

/// Notes the verdicts and the answer.
fn judge(compared: &Compared<'_>, found: &[CaseOutcome], attempt: &mut Attempt) {
    attempt.verdicts = found.iter().map(case_verdict).collect();
    attempt.why = line(&tally(found));
    let failed = [Outcome::Failed, Outcome::Missing, Outcome::NotCompared];
    let names = compared.comparison.names();
    let ignored = compared.comparison.ignored.iter();
    let ignored = ignored
        .filter(|left| left.is_new)
        .map(|left| names.name(&left.case.id));
    let lost: Vec<&str> = found
        .iter()
        .filter(|row| failed.contains(&row.outcome))
        .map(|row| row.name.as_str())
        .chain(ignored)
        .collect();
    if !lost.is_empty() {
        attempt.answer = Some(Answer::Broken);
        attempt.why = format!("failed or missing: {}", first_names(&lost));
        return;
    }
    let cases = || compared.measured.cases.iter();
    let answer = Answer::of(cases().flat_map(|case| compared.verdicts(case)));
    attempt.answer = Some(answer);
    if answer == Answer::Undecided {
        let error = compared.measured.criteria.error;
        let needed = SecondsNeeded::of(cases().map(|case| compared.verdict(case)), error);
        attempt.seconds_needed = needed.map(|needed| needed.together);
        attempt.time_needed = needed.map(|needed| needed.of_case);
    }
}

fn case_verdict(row: &CaseOutcome) -> CaseVerdict {
    let of = row.verdict.as_ref();
    CaseVerdict {
        case: row.name.clone(),
        verdict: row.outcome.word().to_owned(),
        ratio: of.and_then(|verdict| verdict.ratio),
        lower: of.and_then(|verdict| verdict.lower),
        upper: of.and_then(|verdict| verdict.upper),
    }
}

/// Why the tree is broken, unless an interrupt ended it.
fn broken<T>(stop: Stop) -> Result<Result<T, String>, Stop> {
    if Signals::first().is_some() || matches!(stop, Stop::Code(INTERRUPTED)) {
        return Err(stop);
    }
    Ok(Err(stop.into_parts().1))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Fault, FaultKind, Finding, Undecided};

    use super::*;
    use crate::gate::result::tests::measured;
    use crate::pairing::LeftOut;
    use crate::results::rows::tests::comparison;

    /// The answer where the only case has this verdict on its time, and `is_missing` names another one.
    fn judged(finding: Finding, fault: Option<FaultKind>, is_missing: bool) -> Attempt {
        let mut comparison = comparison();
        if !is_missing {
            comparison.only_old.clear();
            comparison.refused_cases.clear();
        }
        judged_in(&comparison, finding, fault)
    }

    fn judged_in(comparison: &Comparison, finding: Finding, fault: Option<FaultKind>) -> Attempt {
        let mut measured = measured(1);
        let case = &mut measured.cases[0];
        case.percentiles.clear();
        case.verdict.finding = finding;
        case.verdict.why = Some(Undecided::Time);
        case.verdict.seconds_needed = Some(7.5);
        case.fault = fault.map(|kind| {
            let fault = Fault {
                kind,
                ..Fault::default()
            };
            (1, fault)
        });
        let compared = Compared::without_gate(comparison, measured);
        let mut attempt = Attempt::default();
        judge(&compared, &rows(&compared, None), &mut attempt);
        attempt
    }

    #[test]
    fn failures_and_missing_cases_outrank_what_is_faster() {
        let answer = |finding, fault, is_missing| judged(finding, fault, is_missing).answer;
        for (finding, expected) in [
            (Finding::Faster, Answer::Keep),
            (Finding::Slower, Answer::Revert),
            (Finding::Same, Answer::Revert),
            (Finding::Undecided, Answer::Undecided),
        ] {
            assert_eq!(answer(finding, None, false), Some(expected));
            assert_eq!(answer(finding, None, true), Some(Answer::Broken));
            for fault in [FaultKind::EmptyBody, FaultKind::Exit(1)] {
                let broken = answer(finding, Some(fault), false);
                assert_eq!(broken, Some(Answer::Broken));
            }
        }
        let missing = judged(Finding::Faster, None, true);
        assert_eq!(missing.why, "failed or missing: gone, other");
    }

    #[test]
    fn a_case_that_the_tree_ignores_is_missing_unless_the_reference_ignores_it() {
        let mut comparison = comparison();
        comparison.only_old.clear();
        comparison.refused_cases.clear();
        for (is_new, expected) in [(false, Answer::Keep), (true, Answer::Broken)] {
            let case = comparison.only_new[0].clone();
            comparison.ignored = vec![LeftOut { case, is_new }];
            let judged = judged_in(&comparison, Finding::Faster, None);
            assert_eq!(judged.answer, Some(expected));
            assert_eq!(judged.why == "failed or missing: added", is_new);
        }
    }

    #[test]
    fn an_undecided_attempt_has_the_time_that_it_needs() {
        let undecided = judged(Finding::Undecided, None, false);
        assert_eq!(undecided.seconds_needed, Some(7.5));
        assert_eq!(undecided.time_needed, Some(7.5));
        let words: Vec<&str> = undecided
            .verdicts
            .iter()
            .map(|one| one.verdict.as_str())
            .collect();
        assert_eq!(words, ["undecided", "new"]);
        assert_eq!(judged(Finding::Faster, None, false).seconds_needed, None);
    }
}
