//! What a build has read besides its revision: one that is kept is used again where all of it is the same.

use std::collections::BTreeSet;
use std::env;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;
use walkdir::{DirEntry, WalkDir};

use crate::compile::configuration::cargo_home;
use crate::compile::units::Units;
use crate::compile::whole_path::whole;
use crate::key::Digest;

/// How the compiler notes `env!` and `option_env!` in its `.d` files, and build scripts what they read.
const VARIABLES: [&str; 3] = [
    "# env-dep:",
    "cargo:rerun-if-env-changed=",
    "cargo::rerun-if-env-changed=",
];

/// How build scripts note files and folders.
const FILES: [&str; 2] = ["cargo:rerun-if-changed=", "cargo::rerun-if-changed="];

/// By which cargo marks target directories.
const MARK_OF_TARGETS: &str = "CACHEDIR.TAG";

/// The names of variables and the paths of files and folders, and a hash of their values and dates: values may be secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    variables: BTreeSet<String>,
    files: BTreeSet<PathBuf>,
    /// The folders of packages that are not of the revision.
    #[serde(default)]
    packages: BTreeSet<PathBuf>,
    state: String,
}

impl Surroundings {
    /// What code and build scripts read, by the notes on `units` in the folders of profiles, such as `target/release`. Files
    /// are relative to one of the folders. Those of the `cached` repository are of the revision, or were built. Of
    /// `packages`, the folders of others, all counts: a build script may read any of their files. `manifests` are those by
    /// which cargo chose them.
    pub(crate) fn of(
        profiles: &BTreeSet<PathBuf>,
        units: &Units,
        folders: &[PathBuf],
        cached: &Path,
        packages: &[PathBuf],
        manifests: BTreeSet<PathBuf>,
    ) -> Surroundings {
        let (mut variables, mut files) = (BTreeSet::new(), BTreeSet::new());
        for profile in profiles {
            // `deps/NAME-HASH.d`, and in `build/NAME-HASH` what the script printed, and its own `.d`.
            let entries = WalkDir::new(profile).max_depth(3).into_iter().flatten();
            for entry in entries.filter(|entry| entry.file_type().is_file()) {
                let path = entry.path();
                let is_notes = path.extension().is_some_and(|end| end == "d");
                if (is_notes || path.ends_with("output")) && units.have(path) {
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
        let of_packages: Vec<PathBuf> = packages.iter().map(|folder| whole(folder)).collect();
        let everywhere = files
            .iter()
            .flat_map(|file| folders.iter().map(move |folder| folder.join(file)));
        let elsewhere = everywhere.filter_map(|file| {
            let real = whole(&file);
            let is_in = |folders: &[PathBuf]| folders.iter().any(|own| real.starts_with(own));
            // Most of those that are not there are in another of the folders.
            let is_elsewhere = !is_in(&own) && (real.exists() || !is_in(&of_packages));
            // A link may lead to another file later.
            let is_plain = !file.components().any(|part| part == Component::ParentDir);
            is_elsewhere.then_some(if is_plain { file } else { real })
        });
        let files = elsewhere.chain(manifests).collect();
        Surroundings::now(variables, files, packages.iter().cloned().collect())
    }

    /// As of a build that read `PATH`, which had another value.
    #[cfg(test)]
    pub(crate) fn of_another_path() -> Surroundings {
        Surroundings {
            variables: ["PATH".to_owned()].into(),
            ..Surroundings::default()
        }
    }

    fn now(
        variables: BTreeSet<String>,
        files: BTreeSet<PathBuf>,
        packages: BTreeSet<PathBuf>,
    ) -> Surroundings {
        let mut now = Surroundings {
            variables,
            files,
            packages,
            state: String::new(),
        };
        now.state = now.hash();
        now
    }

    /// The hash of the values and dates that all have now; `None` where they are those of the build.
    pub(crate) fn changed(&self) -> Option<String> {
        let now = self.hash();
        let all = [&self.files, &self.packages];
        let is_any = !self.variables.is_empty() || all.iter().any(|paths| !paths.is_empty());
        (is_any && now != self.state).then_some(now)
    }

    /// Whether something may have been written since then: what was compiled may be what was there before.
    pub(crate) fn are_written_since(&self, time: SystemTime) -> bool {
        let mut all = self.entries();
        all.any(|(_, about)| changed(&about).is_none_or(|changed| changed >= time))
    }

    fn hash(&self) -> String {
        let value = |name: &String| match env::var_os(name) {
            Some(value) => format!("{name}={}", value.to_string_lossy()),
            None => name.clone(),
        };
        let values: Vec<String> = self.variables.iter().map(value).collect();
        // By which cargo goes, too.
        let date = |(path, about): (PathBuf, Metadata)| {
            let date = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            let size = if about.is_dir() { 0 } else { about.len() };
            Some(format!("{path:?} {size} {}", date.as_nanos()))
        };
        let dates: Vec<String> = self.entries().filter_map(date).collect();
        Digest::default().parts(&values).parts(&dates).key()
    }

    /// The files, and what is in the folders. Nothing where nothing is.
    fn entries(&self) -> impl Iterator<Item = (PathBuf, Metadata)> {
        let files = self.files.iter().map(|path| (path, false));
        let packages = self.packages.iter().map(|path| (path, true));
        let all = files.chain(packages).flat_map(|(path, is_package)| {
            let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
            let is_read = move |entry: &DirEntry| !is_package || is_of_package(entry);
            walk.into_iter().filter_entry(is_read).flatten()
        });
        all.filter_map(|entry| {
            let about = entry.metadata().ok()?;
            Some((entry.into_path(), about))
        })
    }
}

/// Whether it is a part of the package that it is in: neither git's folder nor a target directory.
fn is_of_package(entry: &DirEntry) -> bool {
    let is_of_tools = entry.file_name() == ".git" || entry.path().join(MARK_OF_TARGETS).is_file();
    entry.depth() == 0 || !is_of_tools
}

/// When a file was written or put where it is. A date can be set, this cannot.
#[cfg(unix)]
fn changed(about: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    use std::time::Duration;

    let seconds = Duration::from_secs(u64::try_from(about.ctime()).ok()?);
    let rest = Duration::from_nanos(u64::try_from(about.ctime_nsec()).ok()?);
    UNIX_EPOCH.checked_add(seconds)?.checked_add(rest)
}

/// When a file was written.
#[cfg(not(unix))]
fn changed(about: &Metadata) -> Option<SystemTime> {
    about.modified().ok()
}

/// The files in a file: of a `.d` file, all those that the compiler read have a line of their own.
pub(crate) fn read(text: &str) -> impl Iterator<Item = PathBuf> {
    let files = text.lines().filter_map(|line| {
        // Cargo takes what a script says without the blanks around it.
        let said = line.trim();
        let mut of_script = FILES.iter().filter_map(|start| said.strip_prefix(start));
        let of_compiler = || Some(line.strip_suffix(':')?.replace("\\ ", " "));
        of_script.next().map(str::to_owned).or_else(of_compiler)
    });
    files.map(PathBuf::from)
}

/// The names in a file. Without those that cargo sets: here they are those of another program.
fn named(text: &str) -> impl Iterator<Item = String> {
    let names = text.lines().map(str::trim).filter_map(|line| {
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
                " cargo:rerun-if-env-changed=CC\t\ncargo::rerun-if-env-changed=OUT_DIR\n\
                 \tcargo::rerun-if-env-changed=PATH\r\n",
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
        let profiles = [folder.path().to_owned()].into();
        let read = Surroundings::of(
            &profiles,
            &Units::default(),
            &[],
            Path::new("/"),
            &[],
            BTreeSet::new(),
        );
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
             \t cargo:rerun-if-changed={absolute} \ncargo:rerun-if-env-changed=X\n"
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
            Surroundings::of(
                &[at("cached/t/release")].into(),
                &Units::default(),
                &[at("cached/clone/shop")],
                &at("cached"),
                &[],
                BTreeSet::new(),
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

    #[test]
    fn all_files_of_other_packages_count_and_none_of_git_and_of_targets() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        let at = |path: &str| root.join(path);
        let write = |path: &str, text: &str| {
            fs::create_dir_all(at(path).parent().expect("a folder")).expect("a folder");
            fs::write(at(path), text).expect("a file");
        };
        // The second is read from where the first is not.
        let notes = format!(
            "{}:\n{}:\n",
            at("one/src/lib.rs").display(),
            at("one/t/made").display()
        );
        for path in [
            "one/src/lib.rs",
            "one/.git/index",
            "one/t/CACHEDIR.TAG",
            "one/t/made",
            "one/t/other",
        ] {
            write(path, "1");
        }
        write("cached/t/release/deps/one-1.d", &notes);
        let read = || {
            let manifests = [at("Cargo.toml")].into();
            let packages = [at("one")];
            Surroundings::of(
                &[at("cached/t/release")].into(),
                &Units::default(),
                &packages,
                &at("cached"),
                &packages,
                manifests,
            )
        };
        let before = read();
        let expected = ["Cargo.toml", "one/src/lib.rs", "one/t/made"].map(at);
        assert_eq!(before.files, expected.into());
        for path in ["one/.git/index", "one/t/other"] {
            write(path, "another one");
        }
        assert_eq!(before.changed(), None);
        for path in [
            "one/src/lib.rs",
            "one/build.rs",
            "one/texts/new",
            "one/t/made",
            "Cargo.toml",
        ] {
            let before = read();
            write(path, "another one");
            assert!(before.changed().is_some(), "{path}");
        }
        // Of the same size, with an older date.
        let before = read();
        write("one/src/lib.rs", "other again");
        let file = fs::File::options().append(true).open(at("one/src/lib.rs"));
        file.and_then(|file| file.set_modified(UNIX_EPOCH))
            .expect("a date");
        assert!(before.changed().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn what_was_written_meanwhile_is_known_whatever_its_date() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.rs");
        fs::write(&file, "1").expect("a file");
        let opened = fs::File::options().append(true).open(&file);
        opened
            .and_then(|file| file.set_modified(UNIX_EPOCH))
            .expect("a date");
        let own = Surroundings::now(
            BTreeSet::new(),
            BTreeSet::new(),
            [folder.path().to_owned()].into(),
        );
        let about = file.metadata().expect("a file");
        let written = changed(&about).expect("a date");
        assert!(written > UNIX_EPOCH && own.are_written_since(written));
        let later = written + std::time::Duration::from_secs(1);
        assert!(!own.are_written_since(later));
    }
}
