//! Cases under headings.

use std::collections::{HashMap, HashSet};

use tourbillon_present::number::counted;
use tourbillon_present::{Ink, Page, Style, escape, shortened};
use tourbillon_record::Case;

use crate::names::{Names, printed_name};

/// What a case is called below its heading: the name and the values of the arguments, with slashes
/// between them, escaped: `heap/10000`. The axes' names are in the id.
pub(crate) fn case_label(case: &Case, style: &Style) -> String {
    label(case, true, style)
}

/// The same, or only the arguments.
pub(crate) fn label(case: &Case, named: bool, style: &Style) -> String {
    let name = named.then_some(&case.name).into_iter();
    let values = case.arguments.iter().map(|argument| &argument.value);
    let parts: Vec<_> = name.chain(values).map(String::as_str).collect();
    style.safe(&parts.join("/"))
}

/// The printed name of a case without the value on one axis, not escaped: that of its sweep.
pub fn sweep_name(case: &Case, axis: &str) -> String {
    let mut of_sweep = case.clone();
    of_sweep.arguments.retain(|argument| argument.axis != axis);
    printed_name(&of_sweep)
}

/// The cases with those of a group together, groups in the order of their first case, the cases
/// without a group first.
pub(crate) fn grouped(cases: &[Case]) -> Vec<&Case> {
    // Cases without a group come first.
    let mut groups = HashMap::from([("", 0)]);
    for case in cases {
        let next = groups.len();
        groups.entry(&case.group).or_insert(next);
    }
    let mut order: Vec<&Case> = cases.iter().collect();
    order.sort_by_key(|case| groups.get(case.group.as_str()));
    order
}

/// A group's name, cut to this many columns.
pub(crate) fn heading(group: &str, room: usize, style: &Style) -> String {
    shortened(&style.safe(group), room, style.glyphs().ellipsis)
}

/// Where a case is among the cases in the order of [`grouped`].
pub(crate) struct TreePosition {
    /// Whether its group's heading comes before it.
    pub(crate) heading: bool,
    /// Its branch; none for a case without a group.
    pub(crate) branch: &'static str,
}

pub(crate) fn position(order: &[&Case], index: usize, style: &Style) -> TreePosition {
    let group = &order[index].group;
    let (before, after) = (&order[..index], &order[index + 1..]);
    let is_of_group = |case: &&&Case| case.group == *group;
    let branch = match after.first().filter(is_of_group) {
        _ if group.is_empty() => "",
        Some(_) => style.glyphs().tee,
        None => style.glyphs().corner,
    };
    TreePosition {
        heading: !group.is_empty() && before.last().filter(is_of_group).is_none(),
        branch,
    }
}

/// The headings that are the names of all cases below them, which have arguments that tell them apart.
pub(crate) fn named_headings<'c>(order: &[&'c Case]) -> HashSet<&'c str> {
    let groups = order.iter().map(|case| case.group.as_str());
    let mut headings: HashSet<&str> = groups.filter(|group| !group.is_empty()).collect();
    for case in order {
        if case.name != case.group || case.arguments.is_empty() {
            headings.remove(case.group.as_str());
        }
    }
    headings
}

/// `--list`: the cases for people: names under their headings, with tags and the reason why one is
/// ignored.
pub fn list_pretty(cases: &[Case], style: &Style) -> String {
    let mut page = Page::new(style);
    let order = grouped(cases);
    let names = Names::of(cases);
    for (at, case) in order.iter().enumerate() {
        let position = position(&order, at, style);
        if position.heading {
            let heading = heading(&case.group, style.columns(), style);
            page.text += &style.paint(Ink::Heading, &heading);
            page.text.push('\n');
        }
        let mut line = style.safe(names.name(&case.id));
        for tag in &case.tags {
            line += &format!(" #{}", style.safe(tag));
        }
        match case.ignored.as_deref() {
            None => {}
            Some("") => line += " (ignored)",
            Some(why) => line += &format!(" (ignored: {})", style.safe(why)),
        }
        page.line(Ink::Plain, position.branch, &line);
    }
    let ignored = order.iter().filter(|case| case.ignored.is_some()).count();
    let mut total = counted(order.len(), "case");
    if ignored > 0 {
        total += &format!(", {ignored} ignored");
    }
    page.line(Ink::Plain, "", &total);
    page.text
}

/// The cases for programs, in the form of the standard test harness: `id: benchmark`, a line each.
///
/// Escaped, so that a line stays a line: `--exact` must be compared with `escape(id, true)` too.
pub fn list_terse(cases: &[Case]) -> String {
    let lines = cases.iter().map(|case| escape(&case.id, true));
    lines.map(|id| id + ": benchmark\n").collect()
}
