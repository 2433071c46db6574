//! Why what may be unchanged is measured.

use std::path::Path;

use tourbillon_builds::{Doubt, Equality};
use tourbillon_present::{SAME_CODE, escape};
use tourbillon_report::first_names;

use crate::pairing::Comparison;

impl Comparison {
    /// Why executables are measured as a whole; `None` where there is none.
    pub(crate) fn doubts(&self) -> Option<String> {
        let pairs = (0..self.pairs.len()).zip(&self.equality);
        let doubts: Vec<String> = pairs
            .filter_map(|(pair, equality)| {
                let name = self.executables(pair)[1].name();
                match equality {
                    Equality::Unproven(why) => Some(format!(
                        "{name} has the {SAME_CODE} in both builds and is measured: {why}"
                    )),
                    Equality::Undivided(why) => {
                        Some(format!("all cases of {name} are measured: {why}"))
                    }
                    Equality::Equal | Equality::Different | Equality::OfCases(_) => None,
                }
            })
            .collect();
        (!doubts.is_empty()).then(|| doubts.join("; "))
    }

    /// What commits change of how both are built, and whether no case is unchanged beside that; `None` where that is
    /// nothing.
    pub(crate) fn also_changed(&self) -> Option<String> {
        let changed = self.conditions.changed()?;
        let is_whole = |equality: &Equality| matches!(equality, Equality::Undivided(_));
        let is_divided = !self.equality.iter().any(is_whole);
        Some(if is_divided {
            changed
        } else {
            format!("{changed}; no case has the {SAME_CODE}")
        })
    }

    /// The executables that are measured as a whole because of files that their benchmarks may read, each with the first
    /// of these files and what is to do about them.
    pub(crate) fn file_doubts(&self) -> Option<String> {
        let pairs = (0..self.pairs.len()).zip(&self.equality);
        let doubts = pairs.filter_map(|(pair, equality)| match equality {
            Equality::Unproven(doubt) | Equality::Undivided(doubt) => Some((pair, doubt)),
            _ => None,
        });
        let of_files: Vec<(String, &Path, bool, usize)> = doubts
            .filter_map(|(pair, doubt)| match doubt {
                Doubt::Files {
                    first,
                    is_new,
                    others,
                } => Some((
                    self.executables(pair)[1].name(),
                    first.as_path(),
                    *is_new,
                    *others,
                )),
                Doubt::Other(_) => None,
            })
            .collect();
        let (_, first, is_new, others) = of_files.first()?;
        let what = if self.measured_cases() == self.cases.len() {
            String::new()
        } else {
            let names: Vec<&str> = of_files.iter().map(|(name, ..)| name.as_str()).collect();
            format!(" of {}", first_names(&names))
        };
        let file = escape(&first.to_string_lossy(), true);
        let more = match others {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let differs = match (is_new, others) {
            (true, 0) => "is new beside the sources",
            (false, 0) => "differs",
            _ => "differ",
        };
        let it = if *others == 0 { "it" } else { "them" };
        let remedy = if *is_new && self.new.commit.is_none() {
            format!("commit {it}, have git ignore {it}, or name {it} in documentation of [compare]")
        } else {
            format!("if none does, name {it} in documentation of [compare]")
        };
        Some(format!(
            "{file}{more} {differs}, and benchmarks may read {it}: nothing{what} was skipped as unchanged; {remedy}"
        ))
    }

    /// Why single cases of executables that differ are measured, after their identities.
    pub(crate) fn differences(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_cases = self.equality.iter().filter_map(|equality| match equality {
            Equality::OfCases(cases) => Some(cases),
            _ => None,
        });
        let reasons = of_cases.flatten();
        reasons.filter_map(|(case, why)| Some((case.as_str(), why.as_deref()?)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::pairing::tests::{build, lists};

    #[test]
    fn another_profile_is_why_nothing_is_unchanged() {
        let (old, new) = (build("v1", &["m"]), build("tree", &["m"]));
        let list = lists(&[&["a"]]);
        let mut comparison = Comparison::of((&old, &list), (&new, &list)).expect("pairs");
        comparison.equality = [Equality::Undivided("each reaches main".into())].into();
        assert_eq!(comparison.also_changed(), None);
        comparison.conditions.files = vec![PathBuf::from("Cargo.toml")];
        let why = "also changed: Cargo.toml; no case has the same machine code";
        assert_eq!(comparison.also_changed().as_deref(), Some(why));
        comparison.equality = [Equality::Equal].into();
        let changed = comparison.also_changed();
        assert_eq!(changed.as_deref(), Some("also changed: Cargo.toml"));
    }

    #[test]
    fn a_file_that_may_be_read_is_named_with_its_remedy() {
        let (old, new) = (build("v1", &["m", "s"]), build("tree", &["m", "s"]));
        let list = lists(&[&["a"], &["b"]]);
        let mut comparison = Comparison::of((&old, &list), (&new, &list)).expect("pairs");
        let doubt = |is_new, others| Doubt::Files {
            first: PathBuf::from("notes.txt"),
            is_new,
            others,
        };
        assert_eq!(comparison.file_doubts(), None);
        for (equality, expected) in [
            ([Equality::Equal, Equality::Different], None),
            (
                [
                    Equality::Different,
                    Equality::Unproven("another reason".into()),
                ],
                None,
            ),
            (
                [
                    Equality::Unproven(doubt(true, 0)),
                    Equality::Undivided(doubt(true, 0)),
                ],
                Some(
                    "notes.txt is new beside the sources, and benchmarks may read it: nothing was skipped as unchanged; \
                     commit it, have git ignore it, or name it in documentation of [compare]",
                ),
            ),
            (
                [Equality::Equal, Equality::Undivided(doubt(false, 2))],
                Some(
                    "notes.txt and 2 more differ, and benchmarks may read them: nothing of shop/s was skipped as \
                     unchanged; if none does, name them in documentation of [compare]",
                ),
            ),
        ] {
            comparison.equality = equality.into();
            assert_eq!(comparison.file_doubts().as_deref(), expected);
        }
        // What a commit brings is committed.
        comparison.new.commit = Some("1a2b3c4".to_owned());
        comparison.equality = [Equality::Unproven(doubt(true, 0)), Equality::Equal].into();
        let text = comparison.file_doubts().unwrap_or_default();
        assert!(
            text.ends_with("; if none does, name it in documentation of [compare]"),
            "{text}"
        );
    }
}
