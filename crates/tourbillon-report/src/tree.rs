//! Cases under headings.

use tourbillon_record::Case;

use crate::Style;
use crate::escape::Safe;
use crate::number::append;

/// What a case is called below its heading: the name and the values of the arguments, with slashes
/// between them, escaped: `heap/10000`. The axes' names are in the id.
pub fn case_label(case: &Case, style: &Style) -> String {
    let mut label = String::new();
    append(
        &mut label,
        format_args!("{}", Safe(&case.name, style.unicode)),
    );
    for argument in &case.arguments {
        append(
            &mut label,
            format_args!("/{}", Safe(&argument.value, style.unicode)),
        );
    }
    label
}

/// The label behind its heading, for use away from the table: `sort/heap/10000`.
pub(crate) fn full_label(case: &Case, style: &Style) -> String {
    let mut label = String::new();
    if !case.group.is_empty() {
        append(
            &mut label,
            format_args!("{}/", Safe(&case.group, style.unicode)),
        );
    }
    label.push_str(&case_label(case, style));
    label
}

/// The cases with those of a group together, groups in the order of their first case, the cases
/// without a group first.
pub(crate) fn grouped(cases: &[Case]) -> Vec<&Case> {
    let mut groups = vec![""];
    for case in cases {
        // From the back: a group's cases follow each other, nearly always.
        if !groups.iter().rev().any(|group| *group == case.group) {
            groups.push(&case.group);
        }
    }
    let mut order = Vec::with_capacity(cases.len());
    for group in groups {
        for case in cases {
            if case.group == group {
                order.push(case);
            }
        }
    }
    order
}

/// Where a case stands among the cases in the order of [`grouped`].
pub(crate) struct Place {
    /// Whether its group's heading comes before it.
    pub(crate) heading: bool,
    /// What it hangs on; a case without a group on nothing.
    pub(crate) branch: &'static str,
}

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
