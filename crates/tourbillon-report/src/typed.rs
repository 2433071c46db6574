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
