//! What a `Cargo.lock` says of the versions of packages.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use toml::{Table, Value};

/// The packages of a lock file that come from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LockFile {
    /// The versions of each name, and what they come from.
    versions: BTreeMap<String, BTreeSet<(String, String)>>,
    /// Names that a name depends on.
    dependencies: BTreeMap<String, BTreeSet<String>>,
}

/// A package that has another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) name: String,
    pub(super) from: String,
    pub(super) to: String,
}

impl LockFile {
    /// Reads the text of a lock file; the error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<LockFile, String> {
        let whole: Table = text.parse().map_err(|error| format!("{error}"))?;
        let packages = whole.get("package").and_then(Value::as_array);
        let mut lock = LockFile::default();
        for package in packages.ok_or("it has no packages")? {
            let text = |name: &str| package.get(name).and_then(Value::as_str);
            let (Some(name), Some(version)) = (text("name"), text("version")) else {
                return Err("a package has no name or no version".to_owned());
            };
            let known = lock.dependencies.entry(name.to_owned()).or_default();
            let others = package.get("dependencies").and_then(Value::as_array);
            for other in others.into_iter().flatten().filter_map(Value::as_str) {
                // `name`, `name version`, or these with the source.
                known.extend(other.split(' ').next().map(str::to_owned));
            }
            if let Some(source) = text("source") {
                let versions = lock.versions.entry(name.to_owned()).or_default();
                versions.insert((version.to_owned(), source.to_owned()));
            }
        }
        Ok(lock)
    }

    /// The versions of a name that this has and another lock file lacks, in their order.
    fn own(&self, name: &str, other: &LockFile) -> Vec<String> {
        let none = BTreeSet::new();
        let [mine, others] = [self, other].map(|lock| lock.versions.get(name).unwrap_or(&none));
        let own = mine.difference(others);
        own.map(|(version, _)| version.clone()).collect()
    }

    /// The packages that have another version in a newer lock file, those that others depend on first. Versions that
    /// only one of the files has come and go with them.
    pub(super) fn changes(&self, newer: &LockFile) -> Vec<Change> {
        let mut changes = Vec::new();
        for name in newer.dependencies_first() {
            let (from, to) = (self.own(name, newer), newer.own(name, self));
            changes.extend(from.into_iter().zip(to).map(|(from, to)| Change {
                name: name.to_owned(),
                from,
                to,
            }));
        }
        changes
    }

    /// All that differs between two lock files, as a line.
    pub(super) fn difference(&self, newer: &LockFile) -> String {
        let names: BTreeSet<&String> = self.versions.keys().chain(newer.versions.keys()).collect();
        let mut parts = Vec::new();
        for name in names {
            let (from, to) = (self.own(name, newer), newer.own(name, self));
            match (from.join(", "), to.join(", ")) {
                (from, to) if from.is_empty() && to.is_empty() => {}
                (from, to) if from.is_empty() => parts.push(format!("{name} {to} added")),
                (from, to) if to.is_empty() => parts.push(format!("{name} {from} removed")),
                (from, to) => parts.push(format!("{name} {from} -> {to}")),
            }
        }
        parts.join(", ")
    }

    /// Whether it has this version of a package.
    pub(super) fn has(&self, name: &str, version: &str) -> bool {
        let versions = self.versions.get(name);
        versions.is_some_and(|versions| versions.iter().any(|(known, _)| known == version))
    }

    /// All names, each after those that it depends on; where names depend on each other, in any order.
    fn dependencies_first(&self) -> Vec<&str> {
        let (mut order, mut seen) = (Vec::new(), HashSet::new());
        for name in self.dependencies.keys() {
            let mut open = vec![(name.as_str(), false)];
            while let Some((name, is_done)) = open.pop() {
                if is_done {
                    order.push(name);
                } else if seen.insert(name) {
                    open.push((name, true));
                    let others = self.dependencies.get(name).into_iter().flatten();
                    open.extend(others.map(|other| (other.as_str(), false)));
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock file of the registry's packages: name, version, dependencies.
    fn lock(packages: &[(&str, &str, &[&str])]) -> LockFile {
        let mut text =
            "version = 4\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n".to_owned();
        for (name, version, dependencies) in packages {
            text += &format!(
                "\n[[package]]\nname = {name:?}\nversion = {version:?}\nsource = \"registry+r\"\ndependencies = {dependencies:?}\n"
            );
        }
        LockFile::parse(&text).expect("a lock file")
    }

    fn change(name: &str, from: &str, to: &str) -> Change {
        Change {
            name: name.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
        }
    }

    #[test]
    fn what_others_depend_on_changes_first() {
        let old = lock(&[
            ("a", "1.0.0", &["b"]),
            ("b", "1.0.0", &[]),
            ("c", "1.0.0", &[]),
        ]);
        let new = lock(&[
            ("a", "1.1.0", &["b", "z"]),
            ("b", "1.2.0", &["z 1.0.0"]),
            ("c", "1.0.0", &[]),
            ("z", "1.0.0", &[]),
        ]);
        let expected = [change("b", "1.0.0", "1.2.0"), change("a", "1.0.0", "1.1.0")];
        assert_eq!(old.changes(&new), expected);
        assert_eq!(
            old.difference(&new),
            "a 1.0.0 -> 1.1.0, b 1.0.0 -> 1.2.0, z 1.0.0 added"
        );
        assert_eq!(new.changes(&new), []);
        assert_eq!(
            new.difference(&old),
            "a 1.1.0 -> 1.0.0, b 1.2.0 -> 1.0.0, z 1.0.0 removed"
        );
    }

    #[test]
    fn one_of_several_versions_changes() {
        let old = lock(&[("a", "1.0.0", &[]), ("a", "2.0.0", &[])]);
        let new = lock(&[("a", "1.0.0", &[]), ("a", "2.1.0", &[])]);
        assert_eq!(old.changes(&new), [change("a", "2.0.0", "2.1.0")]);
        assert!(old.has("a", "2.0.0") && !old.has("a", "2.1.0") && !old.has("b", "1.0.0"));
    }

    #[test]
    fn a_circle_has_an_order() {
        let old = lock(&[("a", "1.0.0", &["b"]), ("b", "1.0.0", &["a"])]);
        let new = lock(&[("a", "1.1.0", &["b"]), ("b", "1.1.0", &["a"])]);
        assert_eq!(old.changes(&new).len(), 2);
    }

    #[test]
    fn mistakes_have_a_reason() {
        for (text, expected) in [
            ("a", "expected"),
            ("version = 4", "it has no packages"),
            ("[[package]]\nname = \"a\"", "no version"),
        ] {
            let error = LockFile::parse(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}
