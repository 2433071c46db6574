//! How both builds were made: what their commits change of it, and what differs although no commit and no request says
//! so.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tourbillon_builds::{Build, Executable};
use tourbillon_record::{CompiledOtherwise, Header};
use tourbillon_report::{counted, first_names};

use crate::pairing::listing::header_of;

/// What differs between two builds besides their code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Conditions {
    /// Files of the checkouts that decide how they are built.
    pub(crate) files: Vec<PathBuf>,
    /// Facts that these files, or what the user asked for, explain.
    pub(crate) explained: Vec<CompiledOtherwise>,
    /// Facts that nothing explains, for each pair of executables.
    pub(crate) otherwise: Vec<Vec<CompiledOtherwise>>,
    /// Whether the user asked for a difference.
    is_requested: bool,
    /// How many pairs have an executable of which it is not known how it was compiled.
    unknown: usize,
}

impl Conditions {
    /// Asks the executables of each pair how they were compiled.
    pub(crate) fn of<'e>(
        [old, new]: [&Build; 2],
        pairs: impl Iterator<Item = [&'e Executable; 2]>,
    ) -> Conditions {
        let headers =
            pairs.map(|[one, other]| Some([header_of(old, one)?, header_of(new, other)?]));
        Conditions::between([old, new], headers)
    }

    fn between(
        [old, new]: [&Build; 2],
        headers: impl Iterator<Item = Option<[Header; 2]>>,
    ) -> Conditions {
        let mut conditions = Conditions {
            files: changed(old, new),
            is_requested: [old, new].iter().any(|build| is_requested(build)),
            ..Conditions::default()
        };
        let is_of_commits = is_one_way(old, new);
        for headers in headers {
            let Some([old, new]) = headers else {
                conditions.unknown += 1;
                conditions.otherwise.push(Vec::new());
                continue;
            };
            let differences = new.compiled_otherwise(&old).into_iter();
            let (explained, otherwise) = differences.partition(|one| {
                conditions.is_requested
                    || is_of_commits && one.fact != "rustc"
                    || conditions.files.iter().any(|file| explains(file, one.fact))
            });
            for one in explained {
                if !conditions.explained.contains(&one) {
                    conditions.explained.push(one);
                }
            }
            conditions.otherwise.push(otherwise);
        }
        conditions
    }

    /// Whether the executables of a pair were compiled in different ways that nothing explains.
    pub(crate) fn are_otherwise(&self, pair: usize) -> bool {
        self.otherwise
            .get(pair)
            .is_some_and(|facts| !facts.is_empty())
    }

    /// Whether the commits change versions of dependencies, and nothing else that decides how they are built.
    pub(crate) fn are_lock_files(&self) -> bool {
        let is_lock = |file: &PathBuf| file.file_name().is_some_and(|name| name == "Cargo.lock");
        !self.files.is_empty() && self.files.iter().all(is_lock)
    }

    /// What the commits change, for the line above a table; `None` where that is nothing.
    pub(crate) fn changed(&self) -> Option<String> {
        if self.files.is_empty() && (self.is_requested || self.explained.is_empty()) {
            return None;
        }
        let files: Vec<String> = self
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let facts = facts(&self.explained);
        let colon = if files.is_empty() || facts.is_empty() {
            ""
        } else {
            ": "
        };
        Some(format!(
            "also changed: {}{colon}{facts}",
            first_names(&files)
        ))
    }

    /// How both were compiled in other ways, as a commit or the user asked for; empty where they were not.
    pub(crate) fn explained_facts(&self) -> String {
        facts(&self.explained)
    }

    /// That it is not known how executables were built; `None` where it is.
    pub(crate) fn unknown(&self) -> Option<String> {
        (self.unknown > 0).then(|| {
            let pairs = counted(self.unknown, "executable");
            format!(
                "not known how both sides were built, in {pairs}: what differs besides the code is not named"
            )
        })
    }

    /// What nothing explains, and the remedy; `None` where that is nothing.
    pub(crate) fn note(&self) -> Option<String> {
        let mut all: Vec<CompiledOtherwise> = Vec::new();
        for one in self.otherwise.iter().flatten() {
            if !all.contains(one) {
                all.push(one.clone());
            }
        }
        (!all.is_empty()).then(|| {
            format!(
                "built otherwise: {}, which no commit changes and no flag asks for; build both in one way, or write \
                 what differs as --with",
                facts(&all)
            )
        })
    }
}

/// `opt_level 3, now 1`.
fn facts(differences: &[CompiledOtherwise]) -> String {
    let texts: Vec<String> = differences.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

/// Whether the user asked for this way of building: a variation, or an executable that was built before.
fn is_requested(build: &Build) -> bool {
    let is_file = build.commit.is_none() && build.toolchain.is_empty();
    is_file || !build.flags.is_empty()
}

/// Whether both were built by the same flags, variables and configuration, so that commits decide what differs: their
/// build scripts too, and whatever these and their configuration read. Which toolchain there is, they do not decide.
fn is_one_way(old: &Build, new: &Build) -> bool {
    !old.way.is_empty() && old.way == new.way
}

/// The files that are not the same in both checkouts.
fn changed(old: &Build, new: &Build) -> Vec<PathBuf> {
    let (Some(old), Some(new)) = (&old.decisive, &new.decisive) else {
        return Vec::new();
    };
    let files: BTreeSet<&PathBuf> = old.keys().chain(new.keys()).collect();
    let differ = files
        .into_iter()
        .filter(|file| old.get(*file) != new.get(*file));
    differ.cloned().collect()
}

/// Whether a change of a file may change a fact.
fn explains(file: &Path, fact: &str) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        "Cargo.lock" => false,
        "Cargo.toml" => fact != "rustc",
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Fact, FactValue};

    use super::*;

    fn header(level: &str, rustc: &str) -> Header {
        let fact = |name: &str, value: &str| Fact {
            name: name.to_owned(),
            value: FactValue::Text(value.to_owned()),
        };
        Header {
            facts: vec![fact("opt_level", level), fact("rustc", rustc)],
            ..Header::default()
        }
    }

    fn build(files: &[(&str, &str)]) -> Build {
        let file = |(name, hash): &(&str, &str)| (PathBuf::from(*name), (*hash).to_owned());
        Build {
            commit: Some("1a2b3c4".to_owned()),
            decisive: Some(files.iter().map(file).collect()),
            ..Build::default()
        }
    }

    #[test]
    fn facts_that_no_file_explains_are_built_otherwise() {
        let both = [header("3", "rustc 1"), header("1", "rustc 2")];
        let of = |old: &Build, new: &Build| {
            let conditions = Conditions::between([old, new], [Some(both.clone())].into_iter());
            let names = |facts: &[CompiledOtherwise]| -> Vec<&str> {
                facts.iter().map(|one| one.fact).collect()
            };
            (
                names(&conditions.explained),
                names(&conditions.otherwise[0]),
            )
        };
        let plain = build(&[("Cargo.toml", "1"), ("Cargo.lock", "1")]);
        let all = vec!["rustc", "opt_level"];
        assert_eq!(of(&plain, &plain), (vec![], all.clone()));
        let locked = build(&[("Cargo.toml", "1"), ("Cargo.lock", "2")]);
        assert_eq!(of(&plain, &locked), (vec![], all.clone()));
        let manifest = build(&[("Cargo.toml", "2"), ("Cargo.lock", "1")]);
        assert_eq!(of(&plain, &manifest), (vec!["opt_level"], vec!["rustc"]));
        let chosen = build(&[
            ("Cargo.toml", "1"),
            ("Cargo.lock", "1"),
            ("rust-toolchain", "1"),
        ]);
        assert_eq!(of(&plain, &chosen), (all.clone(), vec![]));
        let one_way = Build {
            way: "1".to_owned(),
            ..plain.clone()
        };
        assert_eq!(of(&one_way, &one_way), (vec!["opt_level"], vec!["rustc"]));
        assert_eq!(of(&plain, &one_way), (vec![], all.clone()));
        let varied = Build {
            flags: "profile=small".to_owned(),
            ..plain.clone()
        };
        assert_eq!(of(&plain, &varied), (all.clone(), vec![]));
        // Executables that the user names.
        assert_eq!(of(&Build::default(), &Build::default()), (all, vec![]));
    }

    #[test]
    fn what_differs_is_named() {
        let both = [header("3", "rustc 1"), header("1", "rustc 1")];
        let of = |old: &Build, new: &Build| {
            Conditions::between([old, new], [Some(both.clone())].into_iter())
        };
        let (plain, changed) = (build(&[("Cargo.toml", "1")]), build(&[("Cargo.toml", "2")]));
        let explained = of(&plain, &changed);
        assert_eq!(
            explained.changed().as_deref(),
            Some("also changed: Cargo.toml: opt_level 3, now 1")
        );
        assert_eq!(
            (explained.note(), explained.are_otherwise(0)),
            (None, false)
        );
        assert_eq!(explained.unknown(), None);
        let unknown = Conditions::between([&plain, &plain], [None, None].into_iter());
        assert!(!unknown.are_otherwise(1));
        let line = unknown.unknown().expect("a line");
        assert!(line.contains("were built, in 2 executables:"), "{line}");
        let one_way = Build {
            way: "1".to_owned(),
            ..plain.clone()
        };
        let scripted = of(&one_way, &one_way).changed();
        assert_eq!(
            scripted.as_deref(),
            Some("also changed: opt_level 3, now 1")
        );
        let otherwise = of(&plain, &plain);
        assert_eq!(otherwise.changed(), None);
        assert!(otherwise.are_otherwise(0));
        let note = otherwise.note().expect("a note");
        assert!(
            note.starts_with("built otherwise: opt_level 3, now 1, which no commit"),
            "{note}"
        );
    }
}
