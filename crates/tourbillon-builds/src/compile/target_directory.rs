//! The target directories of revisions and variations, each of which several builds use in turn.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tourbillon_record::store::file_name;
use walkdir::{DirEntry, WalkDir};

use crate::error::{Result, refused};

/// The folder with the profiles' build scripts, and what they wrote.
const SCRIPTS: &str = "build";

/// What a folder of a profile has of cargo's own, by which it knows what is up to date.
const OF_CARGO: [&str; 3] = [".fingerprint", "deps", SCRIPTS];

/// `CARGO_TARGET_TMPDIR`.
const TEMPORARY: &str = "tmp";

/// A target directory for the workspace at `root` only: cargo identifies packages by name and relative
/// path, so two workspaces must not share one.
pub(crate) fn target_of(cached: &Path, kind: &str, root: &Path) -> PathBuf {
    cached.join(kind).join(file_name(&root.to_string_lossy()))
}

/// The line that is printed when a build begins. The first one in a target directory compiles all dependencies, although the user may
/// have built them elsewhere: `why` says why these are of no use.
pub(crate) fn beginning(label: &str, target: Option<&Path>, why: &str) -> String {
    match target {
        Some(target) if !target.is_dir() => {
            format!("building {label}, this once with all dependencies: {why}\n")
        }
        _ => format!("building {label}\n"),
    }
}

/// Removes what the code of another build left for this one: a build script that only writes what is missing would give
/// it the files of the other one. Cargo knows about none of them. Build scripts of packages that are not among these are
/// the same for both builds.
pub(crate) fn clear(target: &Path, packages: &BTreeSet<String>) -> Result<()> {
    // What is not there yet has no entries.
    let below = |folder: &Path, depth| {
        let entries = WalkDir::new(folder).min_depth(1).max_depth(depth);
        let folders: Vec<DirEntry> = entries.into_iter().flatten().collect();
        folders
    };
    let mut left = vec![target.join(TEMPORARY)];
    // `release`, and `x86_64-unknown-linux-gnu/release`.
    let folders = below(target, 2).into_iter();
    for profile in folders.filter(|entry| entry.path().join(SCRIPTS).is_dir()) {
        let of_profile = below(profile.path(), 1).into_iter();
        let scripts = below(&profile.path().join(SCRIPTS), 1).into_iter();
        let others =
            of_profile.filter(|entry| !OF_CARGO.iter().any(|own| entry.file_name() == *own));
        let own = scripts.filter(|entry| {
            let name = entry.file_name().to_string_lossy();
            packages.iter().any(|package| is_of(&name, package))
        });
        left.extend(others.chain(own).map(DirEntry::into_path));
    }
    for path in left {
        remove(&path).map_err(|error| refused(&path, "removed", &error))?;
    }
    Ok(())
}

/// Whether a folder of build scripts is that of a package: `NAME-HASH`, or `NAME` with one for each hash.
fn is_of(folder: &str, package: &str) -> bool {
    let rest = folder.strip_prefix(package);
    rest.is_some_and(|rest| match rest.strip_prefix('-') {
        Some(hash) => hash.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => rest.is_empty(),
    })
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
            "release/assets/data",
            "release/library.so",
            "release/build/shop-0123456789abcdef/out/made.rs",
            "release/build/shop-core-0123456789abcdef/out/made.rs",
            "release/build/shop/0123456789abcdef/out/made.rs",
            "some-target/release/build/shop-0123456789abcdef/out/made.rs",
        ];
        let kept = [
            ".rustc_info.json",
            "release/.fingerprint/shop-0123456789abcdef/lib-shop",
            "release/deps/libshop-0123456789abcdef.rlib",
            "release/build/shop-of-others-0123456789abcdef/out/made.rs",
            "release/build/others-0123456789abcdef/out/made.rs",
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
        assert_eq!(exists(&left), [false; 7]);
        assert_eq!(exists(&kept), [true; 6]);
        clear(&target.join("none"), &packages).expect("nothing to remove");
    }
}
