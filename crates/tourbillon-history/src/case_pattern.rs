//! Which cases of the history a text means.

use tourbillon_record::{Argument, Case};
use tourbillon_report::is_selected;

/// Whether a text selects the case with an id, as a filter of a bench program does: by a part of the id, or by whole
/// parts of its name in tables.
pub(crate) fn is_meant(id: &str, typed: &str) -> bool {
    is_selected(&case(id), typed)
}

/// The case of an id such as `shop/speed::group::sort[n=100]`: the index has no more.
fn case(id: &str) -> Case {
    let below = id.split_once("::").map_or(id, |(_, below)| below);
    let arguments = below
        .strip_suffix(']')
        .and_then(|below| below.split_once('['));
    let (path, arguments) = arguments.unwrap_or((below, ""));
    let (group, name) = path.rsplit_once("::").unwrap_or(("", path));
    let arguments = arguments.split(',').filter_map(|argument| {
        let (axis, value) = argument.split_once('=')?;
        Some(Argument {
            axis: axis.to_owned(),
            value: value.to_owned(),
        })
    });
    Case {
        id: id.to_owned(),
        group: group.to_owned(),
        name: name.to_owned(),
        arguments: arguments.collect(),
        ..Case::default()
    }
}

#[cfg(test)]
mod tests {
    use super::is_meant;

    #[test]
    fn ids_and_printed_names_select() {
        let id = "shop/speed::lists::sort[n=100,kind=up]";
        for typed in [
            "shop/speed",
            "lists::sort",
            "sort[n=100",
            id,
            "lists/sort",
            "sort/100",
            "lists/sort/100/up",
        ] {
            assert!(is_meant(id, typed), "{typed}");
        }
        for typed in ["sort/10", "sort/up", "lists/sort/100/down"] {
            assert!(!is_meant(id, typed), "{typed}");
        }
        // Of a suite of criterion.
        assert!(is_meant("shop/bench::sort/quick/100", "sort/quick"));
        assert!(is_meant("shop/bench::odd]", "odd]"));
    }
}
