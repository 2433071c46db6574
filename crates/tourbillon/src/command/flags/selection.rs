//! Which cases a command line means.

use tourbillon_record::Case;
use tourbillon_report::escape;

use crate::contains::{among, contains};
use crate::text::{append, owned, text};

/// Which cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(super) filters: Vec<String>,
    pub(super) exact: bool,
    pub(super) skip: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) ignored: IgnoredCases,
}

/// What becomes of cases that are marked to be ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IgnoredCases {
    /// They are named, not run.
    #[default]
    Leave,
    /// They are run and nothing else is.
    Only,
    /// They are run as all others.
    Include,
}

impl Selection {
    /// Whether the case is meant, ignored or not.
    pub(crate) fn matches(&self, case: &Case) -> bool {
        // An id with control characters is typed as it is shown, and test runners read it so.
        let ids = [case.id.as_str(), &escape(&case.id, true)];
        (self.filters.is_empty() || self.hits(&self.filters, &ids))
            && !self.hits(&self.skip, &ids)
            && (self.tags.is_empty() || has_any(&case.tags, &self.tags))
            && (self.ignored != IgnoredCases::Only || case.ignored.is_some())
    }

    /// Whether one of the patterns means one of the forms of an id.
    #[inline(never)]
    fn hits(&self, patterns: &[String], ids: &[&str; 2]) -> bool {
        for pattern in patterns {
            for id in ids {
                if pattern == id || !self.exact && contains(id, pattern) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a case that is meant is run, not merely named.
    pub(crate) fn runs(&self, case: &Case) -> bool {
        self.ignored != IgnoredCases::Leave || case.ignored.is_none()
    }

    /// What was asked for, as a part of a sentence; `None` when everything was.
    #[inline(never)]
    pub(crate) fn describe(&self) -> Option<String> {
        let mut text = String::new();
        let exact = self.exact;
        add(
            &mut text,
            if exact { "named" } else { "with" },
            &self.filters,
        );
        add(
            &mut text,
            if exact { "not named" } else { "without" },
            &self.skip,
        );
        add(&mut text, "tagged", &self.tags);
        if self.ignored == IgnoredCases::Only {
            append(&mut text, ", marked as ignored");
        }
        Some(owned(text.get(2..)?))
    }
}

/// Whether the two have a word in common.
fn has_any(words: &[String], wanted: &[String]) -> bool {
    for word in words {
        if among(wanted, word) {
            return true;
        }
    }
    false
}

/// Appends `, with "a" or "b"`, if there are patterns.
#[inline(never)]
fn add(text: &mut String, what: &str, patterns: &[String]) {
    let mut first = true;
    for pattern in patterns {
        append(
            text,
            &match first {
                true => text!(", {what} {pattern:?}"),
                false => text!(" or {pattern:?}"),
            },
        );
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::super::{Environment, HighArgs, LowArgs};
    use super::*;

    fn selection(line: &str) -> Selection {
        typed(line.split_whitespace())
    }

    fn typed<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Selection {
        let low = LowArgs::parse(
            &arguments
                .into_iter()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
        .expect("flags");
        HighArgs::new(&low, &Environment::default())
            .expect("no contradiction")
            .selection
    }

    fn case(id: &str, tags: &[&str], ignored: bool) -> Case {
        Case {
            id: id.to_owned(),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            ignored: ignored.then(String::new),
            ..Case::default()
        }
    }

    #[test]
    fn selections() {
        let cases = [
            case("p/t::a", &[], false),
            case("p/t::ab", &["slow"], false),
            case("p/t::b[n=1]", &["slow", "net"], true),
        ];
        for (line, matched, run) in [
            ("", "a ab b[n=1]", "a ab"),
            ("a", "a ab", "a ab"),
            ("p/t::a --exact", "a", "a"),
            ("a --exact", "", ""),
            ("::ab n=1", "ab b[n=1]", "ab"),
            ("--skip ab", "a b[n=1]", "a"),
            ("--skip p/t::a --exact", "ab b[n=1]", "ab"),
            ("--tag slow", "ab b[n=1]", "ab"),
            ("--tag net --tag none", "b[n=1]", ""),
            ("--ignored", "b[n=1]", "b[n=1]"),
            ("--include-ignored", "a ab b[n=1]", "a ab b[n=1]"),
            ("nothing", "", ""),
        ] {
            let selection = selection(line);
            let names = |cases: &[&Case]| {
                let names: Vec<&str> = cases
                    .iter()
                    .filter_map(|case| case.id.strip_prefix("p/t::"))
                    .collect();
                names.join(" ")
            };
            let hits: Vec<&Case> = cases
                .iter()
                .filter(|case| selection.matches(case))
                .collect();
            let runs: Vec<&Case> = hits.iter().copied().filter(|c| selection.runs(c)).collect();
            assert_eq!(
                (names(&hits).as_str(), names(&runs).as_str()),
                (matched, run),
                "{line}"
            );
        }
    }

    #[test]
    fn an_id_is_found_as_it_is_and_as_it_is_shown() {
        let hostile = case("p/t::a[s=\u{1b}]", &[], false);
        let exact = |pattern| typed(["--exact", pattern]);
        assert!(exact("p/t::a[s=\u{1b}]").matches(&hostile));
        assert!(exact(r"p/t::a[s=\u{1b}]").matches(&hostile));
        assert!(!exact("p/t::a[s=]").matches(&hostile));
    }

    #[test]
    fn a_selection_says_what_it_is() {
        assert_eq!(selection("").describe(), None);
        let describe = |line| selection(line).describe();
        assert_eq!(
            describe("a b --skip c --tag d --ignored").as_deref(),
            Some("with \"a\" or \"b\", without \"c\", tagged \"d\", marked as ignored")
        );
        assert_eq!(describe("a --exact").as_deref(), Some("named \"a\""));
    }
}
