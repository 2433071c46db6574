//! The cases that a command line selects.

use tourbillon_engine::{CaseOptions, Suite, each};
use tourbillon_record::Case;

use super::flags::Selection;
use crate::lasting::Lasting;

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
    pub(crate) fn of(suite: &dyn Suite, selection: &Selection) -> Lasting<Chosen> {
        let mut chosen = Lasting::new(Chosen::default());
        each(suite, &mut |case, options| {
            if !selection.matches(case) {
                chosen.filtered_out += 1;
            } else if selection.runs(case) {
                chosen.runs.push(case.clone());
                chosen.options.push(*options);
            } else {
                chosen.ignored.push(case.clone());
            }
        });
        chosen
    }

    /// Puts the cases that are ignored behind those to run: all that is named.
    pub(crate) fn join(&mut self) {
        self.runs.append(&mut self.ignored);
    }
}
