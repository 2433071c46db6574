//! `--list`: what there is, without measuring.

use tourbillon_record::Case;

use crate::Style;
use crate::escape::{push_safe, push_shortened};
use crate::fill::Page;
use crate::style::Ink;
use crate::text::push;
use crate::tree::{grouped, place};

/// The cases for people: ids under their headings, with tags and the reason why one is ignored.
///
/// Ids are what filters and `--exact` compare with, so they are what is shown.
pub fn list_pretty(cases: &[Case], style: &Style) -> String {
    let mut page = Page::new(style);
    let order = grouped(cases);
    let mut ignored = 0;
    for (i, case) in order.iter().enumerate() {
        let place = place(&order, i, style);
        if place.heading {
            let mut heading = String::new();
            let name = crate::escape(&case.group, style.unicode);
            push_shortened(
                &mut heading,
                &name,
                style.columns(),
                style.glyphs().ellipsis,
            );
            style.paint(&mut page.text, Ink::Heading, &heading);
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
    page.line.counted(cases.len() as u64, "case");
    if ignored > 0 {
        page.line.say(", ").number(ignored).say(" ignored");
    }
    page.fill(Ink::Plain, "");
    page.text
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
