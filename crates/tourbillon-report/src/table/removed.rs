//! Bodies of which nothing is seen.

use super::findings::Found;
use super::names::add_names;
use crate::style::Ink;
use crate::wrap::Page;

/// Names the cases that are not told from an empty body: where that is not meant, the compiler has
/// removed what was to be measured.
#[inline(never)]
pub(super) fn name_removed(page: &mut Page<'_>, found: &[Found<'_>]) {
    let mut unseen = Vec::new();
    for found in found {
        if found.is_bound() {
            unseen.push(found);
        }
    }
    if !unseen.is_empty() {
        add_names(page, &unseen, false);
        page.line.say(
            ": costs no more than an empty body, so the compiler may have removed what it does; \
             hide() what goes in, return what comes out, and see what is left (guide: Reading the \
             assembly)",
        );
        page.fill(Ink::Note, "! ");
    }
}
