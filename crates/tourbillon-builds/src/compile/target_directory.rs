//! The target directories of revisions and variations, each of which several builds use in turn.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tourbillon_record::store::file_name;
use tourbillon_values::limits::SETTINGS_BYTES;
use tourbillon_values::regular_file;
use walkdir::{DirEntry, WalkDir};

use crate::compile::units::{is_hash, of_cargo};
use crate::error::{Result, refused};

/// The folder with the profiles' build scripts, and what they wrote.
const SCRIPTS: &str = "build";

/// The folder in which cargo notes what it has built, and when.
const NOTES: &str = ".fingerprint";

/// What a folder of a profile has of cargo's own, by which it knows what is up to date.
const OF_CARGO: [&str; 3] = [NOTES, "deps", SCRIPTS];

/// What a target directory, or the folder of a target, has of cargo's own besides profiles.
const OF_ROOT: [&str; 2] = ["CACHEDIR.TAG", ".rustc_info.json"];

/// The target directories of revisions in the folder of a repository.
const REVISIONS: [&str; 2] = ["target", "target-2"];

/// The file in a target directory that says which build was the last there, if its programs name the directory.
const STAMP: &str = "tourbillon.built";

/// `CARGO_TARGET_TMPDIR`.
const TEMPORARY: &str = "tmp";

/// A target directory for the workspace at `root` only: cargo identifies packages by name and relative
/// path, so two workspaces must not share one.
pub(crate) fn target_of(cached: &Path, kind: &str, root: &Path) -> PathBuf {
    cached.join(kind).join(file_name(&root.to_string_lossy()))
}

/// The target directory for the next revision that is [built in the same way](super::way_of_others): not one that the programs
/// of another revision name, where two are enough for that. These would start or read what is built there now.
pub(crate) fn target_of_revision(cached: &Path, root: &Path, way: Option<&str>) -> PathBuf {
    let of_way = way.map(|way| format!("-{way}")).unwrap_or_default();
    let [first, second] = REVISIONS.map(|kind| target_of(cached, &format!("{kind}{of_way}"), root));
    let named_since = |target: &Path| {
        let stamp = target.join(STAMP).metadata();
        stamp.and_then(|about| about.modified()).ok()
    };
    match (named_since(&first), named_since(&second)) {
        (None, _) => first,
        (Some(_), None) => second,
        (Some(since_first), Some(since_second)) if since_first <= since_second => first,
        (Some(_), Some(_)) => second,
    }
}

/// Notes which build was the last in target directories, or that none is known whose programs name them.
pub(crate) fn set_stamp(targets: &[PathBuf], stamp: Option<&str>) -> Result<()> {
    let Some(target) = targets.first() else {
        return Ok(());
    };
    let file = target.join(STAMP);
    // A repository may have a link there.
    let written = remove(&file).and_then(|()| match stamp {
        Some(stamp) => File::create_new(&file)?.write_all(stamp.as_bytes()),
        None => Ok(()),
    });
    written.map_err(|error| refused(&file, "written", &error))
}

/// The build that was the last in target directories, if its programs name them.
pub(crate) fn stamp_of(targets: &[PathBuf]) -> Option<String> {
    let file = targets.first()?.join(STAMP);
    regular_file::read_text(&file, SETTINGS_BYTES).ok()
}

/// The line that is printed when a build begins. The first one in a target directory compiles all dependencies, although the user may
/// have built them elsewhere: `why` says why these are of no use.
pub(crate) fn beginning(label: &str, target: Option<&Path>, why: &str) -> String {
    match target {
        Some(target) if !target.is_dir() => {
            format!(
                "building {label}, this once with all dependencies, as after `cargo clean`: {why}\n"
            )
        }
        _ => format!("building {label}\n"),
    }
}

/// Removes what the code of another build left for this one: a build script that only writes what is missing would give
/// it the files of the other one. Cargo knows about none of them; libraries without a hash in their name, which go too,
/// it makes again. Build scripts of packages that are not among these are the same for both builds.
pub(crate) fn clear(target: &Path, packages: &BTreeSet<String>) -> Result<()> {
    let (profiles, mut left) = profiles(target);
    left.retain(|entry| !OF_ROOT.iter().any(|own| entry.file_name() == *own));
    for entry in profiles.iter().flat_map(|entry| within(entry.path())) {
        let is_own = |name: &&str| entry.file_name() == *name;
        if !OF_CARGO.iter().any(is_own) || !is_folder(&entry) {
            left.push(entry);
            continue;
        }
        let inner = within(entry.path()).into_iter();
        left.extend(inner.filter(|inner| {
            let name = inner.file_name().to_string_lossy();
            let is_script = is_own(&SCRIPTS) && packages.iter().any(|one| is_of(&name, one));
            is_script || !is_named(inner)
        }));
    }
    remove_all(left)
}

/// Has cargo build packages again, whatever the dates of their files are: those of the last build may be of a clock that
/// was ahead.
pub(crate) fn forget(target: &Path, packages: &BTreeSet<String>) -> Result<()> {
    let (profiles, _) = profiles(target);
    let notes = profiles
        .iter()
        .flat_map(|profile| within(&profile.path().join(NOTES)));
    let is_of_one = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        packages.iter().any(|one| is_of(&name, one))
    };
    remove_all(notes.filter(is_of_one))
}

/// The folders of profiles in a target directory, and what else there is beside them.
fn profiles(target: &Path) -> (Vec<DirEntry>, Vec<DirEntry>) {
    let (mut profiles, mut left) = (Vec::new(), Vec::new());
    for entry in within(target) {
        // `release`, and `x86_64-unknown-linux-gnu/release`.
        let inner = if is_folder(&entry) {
            within(entry.path())
        } else {
            Vec::new()
        };
        if is_profile(&entry) {
            profiles.push(entry);
        } else if inner.iter().any(is_profile) {
            let (own, others): (Vec<_>, Vec<_>) = inner.into_iter().partition(is_profile);
            profiles.extend(own);
            left.extend(others);
        } else {
            left.push(entry);
        }
    }
    (profiles, left)
}

/// What is in a folder; what is not there yet has no entries.
fn within(folder: &Path) -> Vec<DirEntry> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(1);
    entries.into_iter().flatten().collect()
}

/// Whether it is a folder, to which a link may not lead, and not that of programs.
fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.file_name() != TEMPORARY
}

fn is_profile(entry: &DirEntry) -> bool {
    is_folder(entry) && entry.path().join(SCRIPTS).is_dir()
}

/// Whether it has a name of cargo's: `NAME-HASH`, or `NAME` with a folder for each hash.
fn is_named(entry: &DirEntry) -> bool {
    let has_hash = of_cargo(&entry.file_name().to_string_lossy()).is_some();
    let inner = || within(entry.path());
    let is_of_hash = |inner: &DirEntry| is_hash(&inner.file_name().to_string_lossy());
    has_hash || is_folder(entry) && !inner().is_empty() && inner().iter().all(is_of_hash)
}

/// Whether a folder of build scripts, or of notes, is that of a package.
fn is_of(folder: &str, package: &str) -> bool {
    of_cargo(folder).map_or(folder, |(name, _)| name) == package
}

fn remove_all(entries: impl IntoIterator<Item = DirEntry>) -> Result<()> {
    for entry in entries {
        let path = entry.path();
        remove(path).map_err(|error| refused(path, "removed", &error))?;
    }
    Ok(())
}

/// Removes a file, a link or a folder, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    let Ok(about) = path.symlink_metadata() else {
        return Ok(());
    };
    if about.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_build_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path();
        let left = [
            "tmp/data",
            "tmp/release/build/data",
            "table.rs",
            "assets/table.rs",
            "some-target/table.rs",
            "release/deps/table.rs",
            "release/deps/libshop.so",
            "release/build/table.rs",
            "release/build/assets/table.rs",
            "release/.fingerprint/table.rs",
            "release/assets/data",
            "release/library.so",
            "release/build/shop-0123456789abcdef/out/made.rs",
            "release/build/shop-core-0123456789abcdef/out/made.rs",
            "release/build/shop/0123456789abcdef/out/made.rs",
            "some-target/release/build/shop-0123456789abcdef/out/made.rs",
        ];
        let kept = [
            ".rustc_info.json",
            "CACHEDIR.TAG",
            "some-target/CACHEDIR.TAG",
            "release/.fingerprint/shop-0123456789abcdef/lib-shop",
            "some-target/release/.fingerprint/shop/0123456789abcdef/lib-shop",
            "release/deps/libshop-0123456789abcdef.rlib",
            "release/build/shop-of-others-0123456789abcdef/out/made.rs",
            "release/build/others-0123456789abcdef/out/made.rs",
            "release/build/others/0123456789abcdef/out/made.rs",
            "release/deps/others-0123456789abcdef.others.0-cgu.0.rcgu.dwo",
            "some-target/release/deps/speed-0123456789abcdef",
        ];
        for file in left.iter().chain(&kept) {
            let path = target.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        let packages = BTreeSet::from(["shop".to_owned(), "shop-core".to_owned()]);
        for _ in 0..2 {
            clear(target, &packages).expect("removed");
        }
        let exists = |files: &[&str]| -> Vec<bool> {
            files
                .iter()
                .map(|file| target.join(file).exists())
                .collect()
        };
        assert_eq!(exists(&left), [false; 16]);
        assert_eq!(exists(&kept), [true; 11]);
        clear(&target.join("none"), &packages).expect("nothing to remove");
        forget(target, &packages).expect("removed");
        let noted = kept.map(|file| file.contains("/.fingerprint/"));
        assert_eq!(exists(&kept), noted.map(|of_shop| !of_shop));
    }
}
