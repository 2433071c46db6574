//! `--list`: what there is, without measuring.

use tourbillon_record::Case;

use crate::Style;
use crate::escape::push_safe;
use crate::style::Ink;
use crate::text::push;
use crate::tree::{grouped, place, push_heading};
use crate::wrap::Page;

/// The cases for people: ids under their headings, with tags and the reason why one is ignored.
///
/// Ids are what filters and `--exact` compare with, so they are what is shown.
pub fn list_pretty(cases: &[Case], style: &Style) -> String {
    let mut page = Page::new(style);
    add_cases(&mut page, &grouped(cases), style);
    page.text
}

#[inline(never)]
fn add_cases(page: &mut Page<'_>, order: &[&Case], style: &Style) {
    let mut ignored = 0;
    for at in 0..order.len() {
        let case = order[at];
        let place = place(order, at, style);
        if place.heading {
            push_heading(&mut page.text, &case.group, style.columns(), style);
            page.text.push('\n');
        }
        let line = &mut page.line;
        line.safe(&case.id);
        for tag in &case.tags {
            line.say(" #").safe(tag);
        }
        if let Some(why) = &case.ignored {
            ignored += 1;
            line.say(" (ignored")
                .say(if why.is_empty() { "" } else { ": " });
            line.safe(why).say(")");
        }
        page.fill(Ink::Plain, place.branch);
    }
    page.line.counted(order.len() as u64, "case");
    if ignored > 0 {
        page.line.say(", ").number(ignored).say(" ignored");
    }
    page.fill(Ink::Plain, "");
}

/// The cases for programs, in the form of the standard test harness: `id: benchmark`, a line each.
///
/// Escaped, so that a line stays a line: `--exact` must be compared with `escape(id, true)` too.
pub fn list_terse(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases {
        push_safe(&mut text, &case.id, true);
        push(&mut text, ": benchmark\n");
    }
    text
}
