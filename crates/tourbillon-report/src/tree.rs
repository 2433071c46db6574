//! Cases under headings.

use tourbillon_record::Case;

use crate::Style;
use crate::escape::{display_width, escape, push_shortened};
use crate::style::Ink;
use crate::text::{Text, same};

/// What a case is called below its heading: the name and the values of the arguments, with slashes
/// between them, escaped: `heap/10000`. The axes' names are in the id.
pub fn case_label(case: &Case, style: &Style) -> String {
    let mut text = Text::new(style);
    say_label(&mut text, case, true);
    text.string
}

/// Says the same, or only the arguments.
#[inline(never)]
pub(crate) fn say_label(text: &mut Text, case: &Case, named: bool) {
    let start = text.string.len();
    if named {
        text.safe(&case.name);
    }
    for argument in &case.arguments {
        let first = text.string.len() == start;
        text.say(if first { "" } else { "/" });
        text.safe(&argument.value);
    }
}

/// Says the label behind its heading, for use away from the table: `sort/heap/10000`. A name that
/// is its heading's is said once.
#[inline(never)]
pub(crate) fn say_full_label(text: &mut Text, case: &Case) {
    if !case.group.is_empty() && !same(&case.group, &case.name) {
        text.safe(&case.group).say("/");
    }
    say_label(text, case, true);
}

/// Says the same without the value on one axis.
pub(crate) fn say_sweep_label(text: &mut Text, case: &Case, axis: &str) {
    if !case.group.is_empty() && !same(&case.group, &case.name) {
        text.safe(&case.group).say("/");
    }
    text.safe(&case.name);
    for argument in &case.arguments {
        if !same(&argument.axis, axis) {
            text.say("/").safe(&argument.value);
        }
    }
}

/// The cases with those of a group together, groups in the order of their first case, the cases
/// without a group first.
#[inline(never)]
pub(crate) fn grouped(cases: &[Case]) -> Vec<&Case> {
    let mut order = Vec::with_capacity(cases.len());
    push_group(&mut order, cases, "");
    let mut before = "";
    for case in cases {
        // A group's cases follow each other, nearly always.
        let continued = same(&case.group, before);
        before = &case.group;
        if !continued && !case.group.is_empty() && !has_group(&order, before) {
            push_group(&mut order, cases, before);
        }
    }
    order
}

fn has_group(order: &[&Case], group: &str) -> bool {
    for case in order {
        if same(&case.group, group) {
            return true;
        }
    }
    false
}

fn push_group<'a>(order: &mut Vec<&'a Case>, cases: &'a [Case], group: &str) {
    for case in cases {
        if same(&case.group, group) {
            order.push(case);
        }
    }
}

/// Appends a group's name, cut to so many columns; how many it takes.
#[inline(never)]
pub(crate) fn push_heading(text: &mut String, group: &str, room: usize, style: &Style) -> usize {
    let mut name = String::new();
    let group = escape(group, style.unicode);
    push_shortened(&mut name, &group, room, style.glyphs().ellipsis);
    style.paint(text, Ink::Heading, &name);
    display_width(&name)
}

/// Where a case stands among the cases in the order of [`grouped`].
pub(crate) struct Place {
    /// Whether its group's heading comes before it.
    pub(crate) heading: bool,
    /// What it hangs on; a case without a group on nothing.
    pub(crate) branch: &'static str,
}

#[inline(never)]
pub(crate) fn place(order: &[&Case], index: usize, style: &Style) -> Place {
    let group = &order[index].group;
    if group.is_empty() {
        let branch = "";
        return Place {
            heading: false,
            branch,
        };
    }
    let glyphs = style.glyphs();
    let goes_on = index + 1 < order.len() && same(&order[index + 1].group, group);
    Place {
        heading: index == 0 || !same(&order[index - 1].group, group),
        branch: if goes_on { glyphs.tee } else { glyphs.corner },
    }
}

/// Whether a heading says the names of the cases below it already: all have that name, and arguments
/// that tell them apart.
#[inline(never)]
pub(crate) fn heading_is_name(order: &[&Case], heading: &str) -> bool {
    for case in order {
        if same(&case.group, heading) && (!same(&case.name, heading) || case.arguments.is_empty()) {
            return false;
        }
    }
    true
}
