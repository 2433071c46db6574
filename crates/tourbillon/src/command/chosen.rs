//! The cases that a command line selects.

use tourbillon_engine::{CaseOptions, Suite};
use tourbillon_record::Case;

use super::flags::Selection;

/// What a selection makes of the cases of a suite.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// Cases to run.
    pub(crate) runs: Vec<Case>,
    /// What each of them asks for itself.
    pub(crate) options: Vec<CaseOptions>,
    /// Cases that are meant and marked to be ignored: named, not run.
    pub(crate) ignored: Vec<Case>,
    /// How many others there are.
    pub(crate) filtered_out: usize,
}

impl Chosen {
    /// Applies a selection to all cases of a suite.
    #[inline(never)]
    pub(crate) fn of(suite: &dyn Suite, selection: &Selection) -> Chosen {
        let mut chosen = Chosen::default();
        each(suite, &mut |case, options| {
            if !selection.matches(&case) {
                chosen.filtered_out += 1;
            } else if selection.runs(&case) {
                chosen.runs.push(case);
                chosen.options.push(options);
            } else {
                chosen.ignored.push(case);
            }
        });
        chosen
    }

    /// All that is named: the cases to run, then those that are ignored.
    pub(crate) fn into_cases(self) -> Vec<Case> {
        let mut cases = self.runs;
        let mut ignored = self.ignored;
        cases.append(&mut ignored);
        cases
    }
}

/// Hands out all cases of a suite.
#[inline(never)]
pub(crate) fn each(suite: &dyn Suite, take: &mut dyn FnMut(Case, CaseOptions)) {
    for (case, options) in tourbillon_engine::list(suite) {
        take(case, options);
    }
}
