//! Two profiles of one case, function by function.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::profile::{FunctionCount, Profile};

/// A function of which one side executes more instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionDifference {
    pub(crate) title: String,
    pub(crate) before: u64,
    pub(crate) now: u64,
    pub(crate) change: Change,
}

/// What became of a function besides its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    None,
    /// It is executed in the newer build alone.
    New,
    /// It is executed in the older build alone.
    Gone,
    /// It had code of its own, and is inlined now.
    Inlined,
    /// The reverse.
    NoLongerInlined,
}

impl Change {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Change::None => "",
            Change::New => "new",
            Change::Gone => "gone",
            Change::Inlined => "inlined now",
            Change::NoLongerInlined => "no longer inlined",
        }
    }

    fn of(before: &FunctionCount, now: &FunctionCount) -> Change {
        let is_own = |count: &FunctionCount| count.own > 0 && count.inlined == 0;
        let is_inlined = |count: &FunctionCount| count.own == 0 && count.inlined > 0;
        if before.all() == 0 {
            Change::New
        } else if now.all() == 0 {
            Change::Gone
        } else if is_own(before) && is_inlined(now) {
            Change::Inlined
        } else if is_inlined(before) && is_own(now) {
            Change::NoLongerInlined
        } else {
            Change::None
        }
    }
}

impl FunctionDifference {
    /// How many more instructions; negative for fewer.
    pub(crate) fn more(&self) -> i128 {
        i128::from(self.now) - i128::from(self.before)
    }
}

/// The functions that differ, those that differ most first.
///
/// With names of functions, all are listed, and these come first: where instructions do not tell which function takes
/// the time. Those that do not differ stand by their counts.
pub(crate) fn functions(
    [before, now]: [&Profile; 2],
    first: Option<&BTreeSet<String>>,
) -> Vec<FunctionDifference> {
    let keys: BTreeSet<&String> = before
        .functions
        .keys()
        .chain(now.functions.keys())
        .collect();
    let none = FunctionCount::default();
    let mut differences = Vec::new();
    for key in keys {
        let [old, new] = [before, now].map(|side| side.functions.get(key).unwrap_or(&none));
        let change = Change::of(old, new);
        let difference = FunctionDifference {
            // That of code of its own has its modules.
            title: [new, old]
                .into_iter()
                .max_by_key(|count| (count.own > 0, count.all() > 0))
                .map_or_else(String::new, |count| count.title.clone()),
            before: old.all(),
            now: new.all(),
            change,
        };
        if first.is_some() || difference.more() != 0 || change != Change::None {
            let is_first = first.is_some_and(|first| first.contains(key));
            differences.push((is_first, difference));
        }
    }
    differences.sort_by_key(|(is_first, one)| {
        let count = one.before.max(one.now) * u64::from(first.is_some());
        let size = (one.more().unsigned_abs(), count);
        (Reverse((*is_first, size)), one.title.clone())
    });
    differences.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(functions: &[(&str, u64, u64)]) -> Profile {
        let functions = functions.iter().map(|(name, own, inlined)| {
            let count = FunctionCount {
                title: (*name).to_owned(),
                own: *own,
                inlined: *inlined,
            };
            ((*name).to_owned(), count)
        });
        Profile {
            functions: functions.collect(),
            ..Profile::default()
        }
    }

    #[test]
    fn functions_differ_by_counts_and_places() {
        let before = profile(&[
            ("a", 5, 0),
            ("b", 9, 0),
            ("c", 0, 4),
            ("d", 1, 0),
            ("e", 1, 1),
        ]);
        let now = profile(&[
            ("a", 0, 5),
            ("b", 40, 0),
            ("c", 6, 0),
            ("n", 2, 0),
            ("e", 2, 0),
        ]);
        let found = functions([&before, &now], None);
        let shown: Vec<_> = found
            .iter()
            .map(|one| (one.title.as_str(), one.more(), one.change.word()))
            .collect();
        assert_eq!(
            shown,
            [
                ("b", 31, ""),
                ("c", 2, "no longer inlined"),
                ("n", 2, "new"),
                ("d", -1, "gone"),
                ("a", 0, "inlined now"),
            ]
        );
        assert!(functions([&now, &now], None).is_empty());
    }

    #[test]
    fn functions_of_changed_lines_come_first_where_instructions_do_not_tell() {
        let both = profile(&[("a", 5, 0), ("b", 9, 0), ("c", 2, 0)]);
        let more = profile(&[("a", 6, 0), ("b", 9, 0), ("c", 2, 0)]);
        let titles = |first: &[&str], now: &Profile| {
            let first = first.iter().map(|name| (*name).to_owned()).collect();
            let found = functions([&both, now], Some(&first));
            found.into_iter().map(|one| one.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(&["c"], &more), ["c", "a", "b"]);
        assert_eq!(titles(&[], &more), ["a", "b", "c"]);
        assert_eq!(titles(&[], &both), ["b", "a", "c"]);
    }
}
