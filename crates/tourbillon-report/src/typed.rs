//! Names as users type them: what a list or a table prints selects its case.

use tourbillon_record::Case;

use crate::Style;
use crate::escape::escape;
use crate::tree::full_label;

/// Whether `typed` selects a case: a part of its id, or one or several whole parts of its name in
/// tables.
///
/// # Examples
///
/// ```
/// use tourbillon_record::{Argument, Case};
/// use tourbillon_report::{is_named, is_selected};
///
/// let n = Argument { axis: "n".to_owned(), value: "100".to_owned() };
/// let case = Case {
///     id: "shop/speed::sort[n=100]".to_owned(),
///     name: "sort".to_owned(),
///     arguments: vec![n],
///     ..Case::default()
/// };
/// assert!(is_selected(&case, "sort") && !is_named(&case, "sort"));
/// assert!(is_named(&case, "sort/100") && is_named(&case, "sort[n=100]"));
/// ```
pub fn is_selected(case: &Case, typed: &str) -> bool {
    // An id with control characters is typed as it is shown, and test runners read it so.
    let is_part = |id: &str| id.contains(typed);
    let printed = full_label(case, &Style::FILE);
    is_part(&case.id)
        || is_part(&escape(&case.id, true))
        || format!("/{printed}/").contains(&format!("/{typed}/"))
}

/// Whether `typed` is the whole name of a case: its id, its id without package and target, or its name
/// in tables.
pub fn is_named(case: &Case, typed: &str) -> bool {
    let is_id = |id: &str| {
        let below_target = id.split_once("::").map(|(_, below)| below);
        id == typed || below_target == Some(typed)
    };
    is_id(&case.id) || is_id(&escape(&case.id, true)) || full_label(case, &Style::FILE) == typed
}

/// The cases of a function, or the one case, that `typed` names; and whether it is one case, with its arguments.
/// There is at least one.
///
/// # Errors
///
/// That there is none, or that several functions have the name.
pub fn cases_named<'c>(all: &'c [Case], typed: &str) -> Result<(Vec<&'c Case>, bool), String> {
    let is_case = |case: &Case| is_end(&case.id, typed) || is_named(case, typed);
    let is_meant = |case: &&Case| is_case(case) || is_end(function(&case.id), typed);
    let meant: Vec<&Case> = all.iter().filter(is_meant).collect();
    let Some(first) = meant.first() else {
        return Err(format!(
            "no case has the name {typed:?}; --list shows the ids of the cases"
        ));
    };
    let name = function(&first.id);
    if let Some(other) = meant.iter().find(|case| function(&case.id) != name) {
        return Err(format!(
            "{typed:?} is {name} or {}; write more of the one that you mean",
            function(&other.id)
        ));
    }
    let is_whole = is_case(first);
    Ok((meant, is_whole))
}

/// The pairs of cases that two names mean: of two functions, those with the same arguments.
///
/// # Errors
///
/// As those of [`cases_named`], and that no two cases have the same arguments.
pub fn case_pairs<'c>(
    all: &'c [Case],
    case: &str,
    reference: &str,
) -> Result<Vec<[&'c Case; 2]>, String> {
    let (cases, is_case) = cases_named(all, case)?;
    let (references, is_reference) = cases_named(all, reference)?;
    let any = is_case || is_reference;
    let cases = if is_case { &cases[..1] } else { &cases[..] };
    let references = if is_reference {
        &references[..1]
    } else {
        &references[..]
    };
    let mut pairs = Vec::new();
    for one in cases {
        let others = references
            .iter()
            .filter(|other| one.id != other.id && (any || one.arguments == other.arguments));
        pairs.extend(others.map(|other| [*one, *other]));
    }
    if pairs.is_empty() {
        return Err(format!(
            "no case of {case} has the arguments of one of {reference}; write the arguments of both"
        ));
    }
    Ok(pairs)
}

/// Whether `typed` is the name, or the end of it from the start of one of its parts.
fn is_end(name: &str, typed: &str) -> bool {
    name.strip_suffix(typed)
        .is_some_and(|before| before.is_empty() || before.ends_with("::") || before.ends_with('/'))
}

/// The identity of a case without its arguments.
pub fn function(id: &str) -> &str {
    id.split('[').next().unwrap_or(id)
}
