//! Cases under headings.

use tourbillon_record::Case;

use crate::Style;
use crate::escape::push_safe;
use crate::text::Text;

/// What a case is called below its heading: the name and the values of the arguments, with slashes
/// between them, escaped: `heap/10000`. The axes' names are in the id.
pub fn case_label(case: &Case, style: &Style) -> String {
    label(case, true, style)
}

/// The same, or only the arguments.
#[inline(never)]
pub(crate) fn label(case: &Case, named: bool, style: &Style) -> String {
    let mut label = String::new();
    if named {
        push_safe(&mut label, &case.name, style.unicode);
    }
    for argument in &case.arguments {
        if !label.is_empty() {
            label.push('/');
        }
        push_safe(&mut label, &argument.value, style.unicode);
    }
    label
}

/// Says the label behind its heading, for use away from the table: `sort/heap/10000`. A name that
/// is its heading's is said once.
pub(crate) fn say_full_label(text: &mut Text, case: &Case, style: &Style) {
    if !case.group.is_empty() && case.group != case.name {
        text.safe(&case.group).say("/");
    }
    text.say(&case_label(case, style));
}

/// The cases with those of a group together, groups in the order of their first case, the cases
/// without a group first.
#[inline(never)]
pub(crate) fn grouped(cases: &[Case]) -> Vec<&Case> {
    let mut order = Vec::with_capacity(cases.len());
    push_group(&mut order, cases, "");
    for (i, case) in cases.iter().enumerate() {
        // A group's cases follow each other, nearly always.
        let continued = i > 0 && cases[i - 1].group == case.group;
        if !continued && !case.group.is_empty() && !has_group(&cases[..i], &case.group) {
            push_group(&mut order, &cases[i..], &case.group);
        }
    }
    order
}

fn has_group(cases: &[Case], group: &str) -> bool {
    cases.iter().any(|case| case.group == group)
}

fn push_group<'a>(order: &mut Vec<&'a Case>, cases: &'a [Case], group: &str) {
    for case in cases {
        if case.group == group {
            order.push(case);
        }
    }
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
    let same = |other: Option<&&Case>| other.is_some_and(|other| other.group == *group);
    let continued = index > 0 && same(order.get(index - 1));
    let heading = !group.is_empty() && !continued;
    let branch = match same(order.get(index + 1)) {
        _ if group.is_empty() => "",
        true => style.glyphs().tee,
        false => style.glyphs().corner,
    };
    Place { heading, branch }
}

/// Whether the heading of a case says its name already: all cases below it have that name, and
/// arguments that tell them apart.
pub(crate) fn heading_is_name(order: &[&Case], index: usize) -> bool {
    let group = &order[index].group;
    if order[index].name != *group {
        return false;
    }
    for case in order {
        if case.group == *group && (case.name != *group || case.arguments.is_empty()) {
            return false;
        }
    }
    true
}
