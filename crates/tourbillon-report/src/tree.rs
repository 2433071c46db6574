//! Cases under headings.

use std::collections::HashMap;

use tourbillon_present::number::counted;
use tourbillon_present::{Ink, Place, Style, TextLines, escape, shortened};
use tourbillon_record::{Argument, Case};

use crate::names::{Names, printed_name};

/// What a case is called below its heading: the name and the values of the arguments, with slashes
/// between them, escaped: `heap/10000`. The axes' names are in the id.
pub(crate) fn case_label(case: &Case, style: &Style) -> String {
    style.safe(&label(case, true))
}

/// The same, or only the arguments, not escaped.
fn label(case: &Case, named: bool) -> String {
    let name = named.then_some(&case.name).into_iter();
    let values = case.arguments.iter().map(|argument| &argument.value);
    let parts: Vec<_> = name.chain(values).map(String::as_str).collect();
    parts.join("/")
}

/// The printed name of a case without the value on one axis, not escaped: that of its sweep.
pub fn sweep_name(case: &Case, axis: &str) -> String {
    let mut of_sweep = case.clone();
    of_sweep.arguments.retain(|argument| argument.axis != axis);
    printed_name(&of_sweep)
}

/// What a case stands below: its group, or its function, if that has arguments; empty for a case of its own.
pub(crate) fn above(case: &Case) -> &str {
    if case.group.is_empty() && !case.arguments.is_empty() {
        &case.name
    } else {
        &case.group
    }
}

/// The cases with those below one heading together, headings in the order of their first case, the cases
/// without one first.
pub(crate) fn grouped(cases: &[Case]) -> Vec<&Case> {
    let mut headings = HashMap::from([("", 0)]);
    for case in cases {
        let next = headings.len();
        headings.entry(above(case)).or_insert(next);
    }
    let mut order: Vec<&Case> = cases.iter().collect();
    order.sort_by_key(|case| headings.get(above(case)));
    order
}

/// The headings of cases.
pub(crate) struct Headings<'c> {
    of_names: HashMap<&'c str, Heading<'c>>,
}

/// What the cases below a heading have in common.
struct Heading<'c> {
    /// The axes of all of them; none where they differ.
    axes: Vec<&'c str>,
    /// Whether it is the name of all of them, whose arguments tell them apart.
    is_name: bool,
}

impl<'c> Headings<'c> {
    /// Those of these cases.
    pub(crate) fn of(cases: impl IntoIterator<Item = &'c Case>) -> Headings<'c> {
        let mut of_names: HashMap<&str, Heading<'_>> = HashMap::new();
        for case in cases {
            let name = above(case);
            let named = case
                .arguments
                .iter()
                .filter(|argument| !is_unnamed(case, argument));
            let axes = named.map(|argument| &*argument.axis);
            let axes: Vec<&str> = axes.collect();
            let is_name = case.name == name && !case.arguments.is_empty();
            let heading = of_names.entry(name).or_insert_with(|| Heading {
                axes: axes.clone(),
                is_name,
            });
            heading.is_name &= is_name;
            if heading.axes != axes {
                heading.axes.clear();
            }
        }
        Headings { of_names }
    }

    /// Where a case stands, not escaped: below `encode(n)`, called `1024`.
    pub(crate) fn place(&self, case: &Case) -> Place {
        let name = above(case);
        let heading = self.of_names.get(name);
        let axes = heading.map_or(&[][..], |heading| &heading.axes);
        Place {
            heading: if name.is_empty() || axes.is_empty() {
                name.to_owned()
            } else {
                format!("{name}({})", axes.join(", "))
            },
            name: label(case, !heading.is_some_and(|heading| heading.is_name)),
        }
    }
}

/// Whether code has no name for an argument: records of criterion's benchmarks call theirs `parameter`, their ids do not.
fn is_unnamed(case: &Case, argument: &Argument) -> bool {
    argument.axis == "parameter" && !case.id.contains('[')
}

/// The branch of a case among those in the order of [`grouped`]; none for one without a heading.
fn branch(order: &[&Case], index: usize, style: &Style) -> &'static str {
    let heading = above(order[index]);
    match order.get(index + 1) {
        _ if heading.is_empty() => "",
        Some(next) if above(next) == heading => style.glyphs().tee,
        _ => style.glyphs().corner,
    }
}

/// `--list`: the cases for people: names under their headings, with tags and the reason why one is
/// ignored.
pub fn list_pretty(cases: &[Case], style: &Style) -> String {
    let mut page = TextLines::new(style);
    let order = grouped(cases);
    let (names, headings) = (Names::of(cases), Headings::of(cases));
    for (at, case) in order.iter().enumerate() {
        let is_first = at == 0 || above(order[at - 1]) != above(case);
        let heading = style.safe(&headings.place(case).heading);
        if is_first && !heading.is_empty() {
            let cut = shortened(&heading, style.columns(), style.glyphs().ellipsis);
            page.text += &style.paint(Ink::Heading, &cut);
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
        page.line(Ink::Plain, branch(&order, at, style), &line);
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
