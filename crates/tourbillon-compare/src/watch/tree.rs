//! The reference and the working tree: builds, pairs, verdicts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tourbillon_builds::{Build, Cache, Maker, Subject};
use tourbillon_coordinator::runner::MachineLock;
use tourbillon_os::Signals;
use tourbillon_record::Case;
use tourbillon_report::Outcome;
use tourbillon_tool::exit::{INTERRUPTED, Stop};
use tourbillon_tool::interruptible::unless;
use tourbillon_tool::machine_lock::machine_lock_with;
use tourbillon_tool::screen::ProgressLine;

use super::event::{CaseCounts, Verdicts};
use super::rounds::Sides;
use crate::judgement::Compared;
use crate::measure::{Pace, measure};
use crate::measurement::{Measured, MeasuredCase};
use crate::options::Options;
use crate::pairing::Comparison;
use crate::pairing::builds::{all_listed, find_unchanged, paired};
use crate::pairing::files_read::UnreadFiles;
use crate::pairing::listing::Listed;
use crate::results::document::document;
use crate::results::json_lines::json_lines;
use crate::results::rows::rows;

/// What there is to say of a save that changes no program: the verdicts are those before it.
const SAME: &str = "the same code as before this save";

/// The reference and the working tree.
pub(super) struct Tree {
    maker: Arc<Maker>,
    cache: Cache,
    signals: Signals,
    options: Options,
    /// The command that measures longer.
    confirm: String,
    /// The reference and its cases.
    reference: (Build, Listed),
    /// What is measured next.
    next: Option<Next>,
    /// The newest tree with verdicts, its cases, and these.
    last: Option<(Build, Listed, Vec<MeasuredCase>)>,
    /// What programs were seen not to read.
    unread: UnreadFiles,
}

/// What is measured next.
struct Next {
    comparison: Comparison,
    listed: Listed,
    /// The cases with the code that their last verdict is about.
    kept: HashMap<String, MeasuredCase>,
    /// Whether all cases have the code of the last tree, with verdicts or without.
    is_same: bool,
}

impl Tree {
    /// Builds the reference.
    pub(super) fn new(
        (cache, maker): (Cache, Arc<Maker>),
        reference: Subject,
        signals: Signals,
        options: Options,
        confirm: String,
    ) -> Result<Tree, Stop> {
        let build = interruptible(signals, {
            let maker = Arc::clone(&maker);
            move || Ok(maker.make(&reference)?)
        })?;
        let listed = listed(&build, &options)?;
        Ok(Tree {
            maker,
            cache,
            signals,
            options,
            confirm,
            reference: (build, listed),
            next: None,
            last: None,
            unread: UnreadFiles::default(),
        })
    }

    /// The label of the reference.
    pub(super) fn reference(&self) -> &str {
        &self.reference.0.label
    }

    /// Pairs the cases of a tree with those of the reference.
    fn pair(&self, tree: &Build) -> Result<Next, Stop> {
        let (reference, cases) = &self.reference;
        let builds = [reference.clone(), tree.clone()];
        let lists = [cases.clone(), listed(tree, &self.options)?];
        let mut comparison = paired(&builds, &lists, &self.options, None)?.remove(0);
        let lock = self.lock()?;
        find_unchanged(&mut comparison, &self.options, &self.unread);
        let [_, listed] = lists;
        let (mut kept, is_same) = self.kept(tree, &listed);
        drop(lock);
        let unchanged = comparison
            .cases
            .iter()
            .filter(|case| comparison.is_unchanged(case));
        for case in unchanged {
            kept.remove(&case.case.id);
        }
        Ok(Next {
            comparison,
            listed,
            kept,
            is_same,
        })
    }

    /// No other program measures until this is dropped.
    fn lock(&self) -> Result<Option<MachineLock>, Stop> {
        machine_lock_with(self.signals, "cargo tourbillon watch", self.options.no_wait)
    }

    /// The measured cases of the last tree which have the same code in this one, and whether all cases have it.
    fn kept(&self, tree: &Build, listed: &Listed) -> (HashMap<String, MeasuredCase>, bool) {
        let Some((last, of_last, cases)) = &self.last else {
            return (HashMap::new(), false);
        };
        let since = Comparison::of((last, &of_last.cases), (tree, &listed.cases));
        // Without a case in common, all are new.
        let Ok(mut since) = since else {
            return (HashMap::new(), false);
        };
        find_unchanged(&mut since, &self.options, &self.unread);
        let unchanged = since.cases.iter().filter(|case| since.is_unchanged(case));
        let ids: HashSet<&str> = unchanged.map(|one| one.case.id.as_str()).collect();
        let is_kept = |case: &&MeasuredCase| {
            ids.contains(case.case.id.as_str()) && case.fault.is_none() && !case.is_unchanged()
        };
        let kept = cases.iter().filter(is_kept);
        let kept = kept.map(|case| (case.case.id.clone(), case.clone()));
        (
            kept.collect(),
            is_all(ids.len(), [&listed.cases, &of_last.cases]),
        )
    }

    /// The verdicts on a comparison, for people and programs.
    fn verdicts(&self, compared: &Compared<'_>, is_same: bool) -> Verdicts {
        let style = self.options.style();
        let rows = rows(compared, None);
        let all = self.options.list_all;
        let mut document = document(compared, &rows, &style, all, &self.confirm);
        if is_same {
            document.answer.push(SAME.to_owned().into());
        }
        // What is not measured needs no second look.
        if rows.iter().any(|row| row.outcome != Outcome::Unchanged) {
            let confirm = format!("confirm with {}", self.confirm);
            document.answer.push(confirm.into());
        }
        Verdicts {
            document,
            lines: json_lines(compared),
            confirm: self.confirm.clone(),
        }
    }
}

impl Sides for Tree {
    fn prepare(&mut self) -> Result<CaseCounts, Stop> {
        let maker = Arc::clone(&self.maker);
        let made = interruptible(self.signals, move || Ok(maker.make(&Subject::WorkingTree)?));
        let next = made.and_then(|tree| self.pair(&tree));
        if self.signals.noted().is_some() {
            // Cargo, or a program that lists its cases, got the signal, too.
            return Err(Stop::Code(INTERRUPTED));
        }
        let next = self.next.insert(next?);
        let mut counts = CaseCounts::default();
        for case in &next.comparison.cases {
            let count = if next.comparison.is_unchanged(case) {
                &mut counts.unchanged
            } else if next.kept.contains_key(&case.case.id) {
                &mut counts.kept
            } else {
                &mut counts.measured
            };
            *count += 1;
        }
        Ok(counts)
    }

    fn measure(&mut self, is_outdated: &dyn Fn() -> bool) -> Result<Option<Verdicts>, Stop> {
        let Some(next) = self.next.take() else {
            return Ok(None);
        };
        let Next {
            comparison,
            listed,
            mut kept,
            is_same,
        } = next;
        let mut due = comparison.clone();
        due.cases.retain(|case| !kept.contains_key(&case.case.id));
        let lock = self.lock()?;
        let mut line = ProgressLine::new();
        let mut measured = measure(&due, &self.options, Pace::QUICK, is_outdated, &mut line)?;
        line.clear();
        drop(lock);
        if self.signals.noted().is_some() {
            return Err(Stop::Code(INTERRUPTED));
        }
        if measured.interrupted {
            return Ok(None);
        }
        measured.note_built_otherwise(&due);
        add(&mut measured, &comparison, &mut kept);
        let compared = Compared::without_gate(&comparison, measured);
        let verdicts = self.verdicts(&compared, is_same);
        let cases = compared.measured.cases;
        self.last = Some((comparison.new, listed, cases));
        self.cache.prune();
        Ok(Some(verdicts))
    }
}

/// Adds cases that were measured before, so that all are in the order of the comparison.
fn add(measured: &mut Measured, comparison: &Comparison, kept: &mut HashMap<String, MeasuredCase>) {
    let mut new = std::mem::take(&mut measured.cases).into_iter();
    let cases = comparison.cases.iter();
    let all = cases.filter_map(|case| kept.remove(&case.case.id).or_else(|| new.next()));
    measured.cases = all.collect();
}

/// Whether so many cases are all that two trees have, by their executables.
fn is_all(count: usize, trees: [&[Vec<Case>]; 2]) -> bool {
    trees.map(|cases| cases.iter().map(Vec::len).sum::<usize>()) == [count; 2]
}

/// The selected cases of a build.
fn listed(build: &Build, options: &Options) -> Result<Listed, Stop> {
    Ok(all_listed(std::slice::from_ref(build), options)?.remove(0))
}

/// What a call returns that may take long; an interrupt does not wait for it.
fn interruptible<T: Send + 'static>(
    signals: Signals,
    call: impl FnOnce() -> Result<T, Stop> + Send + 'static,
) -> Result<T, Stop> {
    let returned = unless(move || signals.noted().is_some(), call);
    match signals.noted() {
        Some(_) => Err(Stop::Code(INTERRUPTED)),
        None => returned.unwrap_or(Err(Stop::Code(INTERRUPTED))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::result::tests::measured;
    use crate::results::rows::tests::comparison;

    #[test]
    fn a_tree_with_another_case_is_not_the_same() {
        let cases = |counts: &[usize]| -> Vec<Vec<Case>> {
            counts
                .iter()
                .map(|count| vec![Case::default(); *count])
                .collect()
        };
        assert!(is_all(3, [&cases(&[1, 2]), &cases(&[3])]));
        assert!(!is_all(3, [&cases(&[1, 2]), &cases(&[4])]));
        assert!(!is_all(2, [&cases(&[3]), &cases(&[3])]));
    }

    #[test]
    fn cases_that_were_measured_before_keep_their_place() {
        let mut comparison = comparison();
        let first = comparison.cases[0].clone();
        comparison.cases = ["a", "b", "c"]
            .map(|id| {
                let mut case = first.clone();
                id.clone_into(&mut case.case.id);
                case
            })
            .into();
        let case = |id: &str, slower| {
            let mut case = measured(slower).cases.remove(0);
            id.clone_into(&mut case.case.id);
            case
        };
        let mut new = measured(1);
        new.cases = vec![case("a", 1), case("c", 1)];
        let mut kept = HashMap::from([("b".to_owned(), case("b", 2))]);
        add(&mut new, &comparison, &mut kept);
        let ids: Vec<&str> = new.cases.iter().map(|case| case.case.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        assert!(kept.is_empty());
    }
}
