//! What a build has read besides its revision: one that is kept is used again where all of it is the same.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;
use walkdir::WalkDir;

use crate::compile::configuration::cargo_home;
use crate::key::Digest;

/// How the compiler notes `env!` and `option_env!` in its `.d` files, and build scripts what they read.
const VARIABLES: [&str; 3] = [
    "# env-dep:",
    "cargo:rerun-if-env-changed=",
    "cargo::rerun-if-env-changed=",
];

/// How build scripts note files and folders.
const FILES: [&str; 2] = ["cargo:rerun-if-changed=", "cargo::rerun-if-changed="];

/// The names of variables and the paths of files and folders, and a hash of their values and dates: values may be secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    variables: BTreeSet<String>,
    files: BTreeSet<PathBuf>,
    state: String,
}

impl Surroundings {
    /// What code and build scripts read, by what was built in the folders of profiles, such as `target/release`. Files
    /// are relative to one of the folders. Those of the `cached` repository are of the revision, or were built.
    pub(crate) fn of<'p>(
        profiles: impl IntoIterator<Item = &'p Path>,
        folders: &[PathBuf],
        cached: &Path,
    ) -> Surroundings {
        let (mut variables, mut files) = (BTreeSet::new(), BTreeSet::new());
        for profile in BTreeSet::from_iter(profiles) {
            // `deps/NAME-HASH.d`, and in `build/NAME-HASH` what the script printed, and its own `.d`.
            let entries = WalkDir::new(profile).max_depth(3).into_iter().flatten();
            for entry in entries.filter(|entry| entry.file_type().is_file()) {
                let path = entry.path();
                if path.extension().is_some_and(|end| end == "d") || path.ends_with("output") {
                    let bytes = regular_file::read(path, DESCRIPTION_BYTES).unwrap_or_default();
                    let text = String::from_utf8_lossy(&bytes);
                    variables.extend(named(&text));
                    files.extend(read(&text));
                }
            }
        }
        // Packages of registries are the same in every build.
        let home = cargo_home().unwrap_or_default();
        let own = [cached, &home.join("registry"), &home.join("git")].map(whole);
        let everywhere = files
            .iter()
            .flat_map(|file| folders.iter().map(move |folder| folder.join(file)));
        let elsewhere = everywhere
            .map(|file| whole(&file))
            .filter(|file| !own.iter().any(|own| file.starts_with(own)));
        Surroundings::now(variables, elsewhere.collect())
    }

    /// As of a build that read `PATH`, which had another value.
    #[cfg(test)]
    pub(crate) fn of_another_path() -> Surroundings {
        Surroundings {
            variables: ["PATH".to_owned()].into(),
            ..Surroundings::default()
        }
    }

    fn now(variables: BTreeSet<String>, files: BTreeSet<PathBuf>) -> Surroundings {
        let state = state(&variables, &files);
        Surroundings {
            variables,
            files,
            state,
        }
    }

    /// The hash of the values and dates that all have now; `None` where they are those of the build.
    pub(crate) fn changed(&self) -> Option<String> {
        let now = state(&self.variables, &self.files);
        let is_any = !(self.variables.is_empty() && self.files.is_empty());
        (is_any && now != self.state).then_some(now)
    }
}

fn state(variables: &BTreeSet<String>, files: &BTreeSet<PathBuf>) -> String {
    let value = |name: &String| match env::var_os(name) {
        Some(value) => format!("{name}={}", value.to_string_lossy()),
        None => name.clone(),
    };
    let values: Vec<String> = variables.iter().map(value).collect();
    let dates: Vec<String> = files.iter().flat_map(|file| dates(file)).collect();
    Digest::default().parts(&values).parts(&dates).key()
}

/// The sizes and dates, by which cargo goes, too, of a file or of what is in a folder. Nothing where nothing is.
fn dates(path: &Path) -> Vec<String> {
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    let date = |entry: walkdir::DirEntry| {
        let about = entry.metadata().ok()?;
        let date = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let size = if about.is_dir() { 0 } else { about.len() };
        Some(format!("{:?} {size} {}", entry.path(), date.as_nanos()))
    };
    walk.into_iter().flatten().filter_map(date).collect()
}

/// A path without links; as it is where nothing is.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The files in a file: of a `.d` file, all those that the compiler read have a line of their own.
pub(crate) fn read(text: &str) -> impl Iterator<Item = PathBuf> {
    let files = text.lines().filter_map(|line| {
        let mut of_script = FILES.iter().filter_map(|start| line.strip_prefix(start));
        let of_compiler = || Some(line.strip_suffix(':')?.replace("\\ ", " "));
        of_script.next().map(str::to_owned).or_else(of_compiler)
    });
    files.map(PathBuf::from)
}

/// The names in a file. Without those that cargo sets: here they are those of another program.
fn named(text: &str) -> impl Iterator<Item = String> {
    let names = text.lines().filter_map(|line| {
        let mut found = VARIABLES
            .iter()
            .filter_map(|start| line.strip_prefix(start));
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
        let read = Surroundings::of([folder.path(), folder.path()], &[], Path::new("/"));
        let names: Vec<&str> = read.variables.iter().map(String::as_str).collect();
        assert_eq!(names, ["CC", "PATH", "SHOP_FAST", "SHOP_SLOW"]);
        assert_eq!(read.changed(), None);
        assert_eq!(Surroundings::default().changed(), None);
        assert!(Surroundings::of_another_path().changed().is_some());
    }

    #[test]
    fn files_elsewhere_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        let at = |path: &str| root.join(path);
        let write = |path: &str, text: &str| {
            fs::create_dir_all(at(path).parent().expect("a folder")).expect("a folder");
            fs::write(at(path), text).expect("a file");
        };
        let absolute = at("data a/b.txt");
        let absolute = absolute.to_str().expect("a text");
        let script = format!(
            "cargo:rerun-if-changed=build.rs\ncargo::rerun-if-changed=../../../made\n\
             cargo:rerun-if-changed={absolute}\ncargo:rerun-if-env-changed=X\n"
        );
        let dependencies = "t/deps/shop-1: a.rs ../../../c\\ d.txt\n\na.rs:\n../../../c\\ d.txt:\n";
        for (path, text) in [
            ("cached/t/release/build/shop-2/output", script.as_str()),
            ("cached/t/release/deps/shop-1.d", dependencies),
            ("cached/clone/shop/build.rs", ""),
            ("cached/clone/shop/a.rs", ""),
            ("c d.txt", "1"),
            ("data a/b.txt", "1"),
            ("made/deep/file", "1"),
        ] {
            write(path, text);
        }
        let read = || {
            let profile = at("cached/t/release");
            Surroundings::of(
                [profile.as_path()],
                &[at("cached/clone/shop")],
                &at("cached"),
            )
        };
        let before = read();
        let expected = ["c d.txt", "data a/b.txt", "made"].map(at);
        assert_eq!(
            before.files.iter().collect::<Vec<_>>(),
            expected.iter().collect::<Vec<_>>()
        );
        assert_eq!(before.changed(), None);
        write("cached/clone/shop/a.rs", "changed");
        assert_eq!(before.changed(), None);
        for path in ["c d.txt", "data a/b.txt", "made/deep/file", "made/new"] {
            let before = read();
            write(path, "another one");
            assert!(before.changed().is_some(), "{path}");
        }
        let before = read();
        fs::remove_file(at("c d.txt")).expect("removed");
        assert!(before.changed().is_some());
    }
}
