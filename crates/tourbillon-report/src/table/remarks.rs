//! Findings with all their cases, for a page that links them.

use super::findings::Found;
use super::notes::{MEANINGS, Told, all_told, rank, say_meaning};
use crate::Style;
use crate::text::Text;

/// A finding and the cases that it concerns.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What was found, and what to do.
    pub text: String,
    /// Identities of the cases.
    pub cases: Vec<String>,
}

/// The findings of the notes, the most severe first, each with the identities of all its cases.
#[inline]
pub(crate) fn remarks(found: &[Found<'_>], launches: u32, style: &Style) -> Vec<Remark> {
    let mut all = all_told(found);
    all.retain(|told| usize::from(rank(told.note)) < MEANINGS.len());
    all.sort_by_key(|told| rank(told.note));
    let remark = |told: &Told<'_>| {
        let mut text = Text::new(style);
        say_meaning(&mut text, told, launches);
        Remark {
            text: text.string,
            cases: told
                .cases
                .iter()
                .map(|found| found.case.id.clone())
                .collect(),
        }
    };
    all.iter().map(remark).collect()
}
