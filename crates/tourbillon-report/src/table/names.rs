//! Names of the cases that a finding concerns.

use super::findings::{Found, figure};
use crate::Figure;
use crate::measure;
use crate::tree::say_full_label;
use crate::wrap::Page;

/// Cases that are named before the rest is counted.
const NAMED: usize = 3;

/// `sort/heap, sort/quick, sort/std and 4 more`, each with its mean where that is asked for.
#[inline(never)]
pub(super) fn add_names(page: &mut Page<'_>, cases: &[&Found<'_>], with_means: bool) {
    let (text, style) = (&mut page.line, page.style);
    let mut between = "";
    for found in cases.get(..NAMED).unwrap_or(cases) {
        say_full_label(text.say(between), found.case);
        between = ", ";
        if with_means
            && let Some(main) = found.main
            && let (Some(median), Some(mean)) = (figure(main), main.mean)
        {
            // With the digits of the median that stands in the table.
            let mean = Figure {
                value: mean,
                ..median
            };
            measure::say(text.say(" (mean "), main, mean, style);
            text.say(")");
        }
    }
    if cases.len() > NAMED {
        let more = (cases.len() - NAMED) as u64;
        text.say(" and ").number(more).say(" more");
    }
}
