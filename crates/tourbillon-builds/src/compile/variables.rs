//! The variables that a build has read: one that is kept is used again where they have the same values.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;
use walkdir::WalkDir;

use crate::key::Digest;

/// How the compiler notes `env!` and `option_env!` in its `.d` files, and build scripts what they read.
const STARTS: [&str; 3] = [
    "# env-dep:",
    "cargo:rerun-if-env-changed=",
    "cargo::rerun-if-env-changed=",
];

/// The names of variables, and a hash of their values: these may be secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadVariables {
    names: BTreeSet<String>,
    values: String,
}

impl ReadVariables {
    /// Those that code and build scripts read, by what was built in the folders of profiles, such as `target/release`.
    pub(crate) fn of<'p>(profiles: impl IntoIterator<Item = &'p Path>) -> ReadVariables {
        let mut names = BTreeSet::new();
        for profile in BTreeSet::from_iter(profiles) {
            // `deps/NAME-HASH.d`, and in `build/NAME-HASH` what the script printed.
            let entries = WalkDir::new(profile).max_depth(3).into_iter().flatten();
            for entry in entries.filter(|entry| entry.file_type().is_file()) {
                let path = entry.path();
                if path.extension().is_some_and(|end| end == "d") || path.ends_with("output") {
                    let bytes = regular_file::read(path, DESCRIPTION_BYTES).unwrap_or_default();
                    names.extend(named(&String::from_utf8_lossy(&bytes)));
                }
            }
        }
        ReadVariables::now(names)
    }

    /// As of a build that read `PATH`, which had another value.
    #[cfg(test)]
    pub(crate) fn of_another_path() -> ReadVariables {
        ReadVariables {
            names: ["PATH".to_owned()].into(),
            values: String::new(),
        }
    }

    fn now(names: BTreeSet<String>) -> ReadVariables {
        let values = values(&names);
        ReadVariables { names, values }
    }

    /// The hash of the values that they have now; `None` where they are those of the build.
    pub(crate) fn changed(&self) -> Option<String> {
        let now = values(&self.names);
        (!self.names.is_empty() && now != self.values).then_some(now)
    }
}

fn values(names: &BTreeSet<String>) -> String {
    let value = |name: &String| match env::var_os(name) {
        Some(value) => format!("{name}={}", value.to_string_lossy()),
        None => name.clone(),
    };
    let values: Vec<String> = names.iter().map(value).collect();
    Digest::default().parts(&values).key()
}

/// The names in a file. Without those that cargo sets: here they are those of another program.
fn named(text: &str) -> impl Iterator<Item = String> {
    let names = text.lines().filter_map(|line| {
        let mut found = STARTS.iter().filter_map(|start| line.strip_prefix(start));
        found.next()?.split('=').next()
    });
    names
        .filter(|name| !name.is_empty() && !is_of_cargo(name))
        .map(str::to_owned)
}

fn is_of_cargo(name: &str) -> bool {
    let starts = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"];
    let names = [
        "CARGO",
        "CARGO_CRATE_NAME",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_TARGET_TMPDIR",
        "OUT_DIR",
    ];
    names.contains(&name) || starts.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn variables_that_a_build_read_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for (path, text) in [
            (
                "deps/shop-1.d",
                "shop: a.rs\n\n# env-dep:SHOP_FAST=1\n# env-dep:SHOP_SLOW\n# env-dep:CARGO_PKG_NAME=shop\n",
            ),
            (
                "build/shop-2/output",
                "cargo:rerun-if-env-changed=CC\ncargo::rerun-if-env-changed=OUT_DIR\n\
                 cargo::rerun-if-env-changed=PATH\n",
            ),
            (
                "build/shop-2/out/deep/output",
                "cargo:rerun-if-env-changed=DEEP\n",
            ),
            ("deps/shop-1", "# env-dep:PROGRAM\n"),
        ] {
            fs::create_dir_all(at(path).parent().expect("a folder")).expect("a folder");
            fs::write(at(path), text).expect("a file");
        }
        let read = ReadVariables::of([folder.path(), folder.path()]);
        let names: Vec<&str> = read.names.iter().map(String::as_str).collect();
        assert_eq!(names, ["CC", "PATH", "SHOP_FAST", "SHOP_SLOW"]);
        assert_eq!(read.changed(), None);
        assert_eq!(ReadVariables::default().changed(), None);
        assert!(ReadVariables::of_another_path().changed().is_some());
    }
}
