//! The files of a checkout that programs may read when they run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_record::store::is_of_run;

use crate::error::Result;
use crate::key::Digest;
use crate::source::editor_files::is_of_editor;
use crate::source::git::{git, path_of, query_bytes};

/// With more files, what differs is not looked for.
const MOST: usize = 50_000;

/// Files that cargo, rustup and this program read, in the root and in folders with sources.
const OF_TOOLS: [&str; 5] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain",
    "rust-toolchain.toml",
    "tourbillon.toml",
];
/// Those that cargo reads in a folder `.cargo`.
const OF_CARGO: [&str; 4] = ["config", "config.toml", "credentials", "credentials.toml"];

/// All files but `sources` and those of tools, by their paths from the root, with a hash of what each has now: tracked
/// ones and, unless `is_clean`, those that are not tracked, not ignored, not of an editor and no records. `None` where that is not known.
pub(crate) fn data_files(
    checkout: &Path,
    sources: &BTreeSet<PathBuf>,
    is_clean: bool,
) -> Result<Option<BTreeMap<PathBuf, String>>> {
    let mut listed = git(checkout);
    // `H 100644 HASH 0<tab>PATH`: another letter where git does not look whether the file has changed.
    listed.words(&["ls-files", "-z", "-v", "--stage"]);
    let mut files = BTreeMap::new();
    for entry in split(&query_bytes(&mut listed)?) {
        let mut parts = entry.splitn(2, |byte| *byte == b'\t');
        let [Some(about), Some(path)] = [parts.next(), parts.next()] else {
            return Ok(None);
        };
        if !about.starts_with(b"H ") && !is_clean {
            return Ok(None);
        }
        files.insert(path_of(path), String::from_utf8_lossy(about).into_owned());
    }
    if !is_clean {
        let mut changed = git(checkout);
        changed
            .words(&["status", "-z", "--porcelain", "--no-renames"])
            .words(&["--untracked-files=all", "--ignore-submodules=none"]);
        for entry in split(&query_bytes(&mut changed)?) {
            let Some(path) = entry.get(3..).map(path_of) else {
                return Ok(None);
            };
            let whole = checkout.join(&path);
            // Each run writes another record.
            if entry.starts_with(b"??") && (is_of_editor(&path) || is_of_run(&whole)) {
                continue;
            }
            if whole.symlink_metadata().is_err() {
                files.remove(&path);
            } else if let Some(hash) = hash(&whole) {
                files.insert(path, hash);
            } else {
                return Ok(None);
            }
        }
    }
    let has_manifest = |folder: &Path| files.contains_key(&folder.join("Cargo.toml"));
    let of_tools: BTreeSet<PathBuf> = files
        .keys()
        .filter(|file| is_of_tools(file, sources, has_manifest))
        .cloned()
        .collect();
    files.retain(|file, _| !of_tools.contains(file) && !sources.contains(file));
    // Their names are written as text.
    let is_known = files.len() <= MOST && files.keys().all(|file| file.to_str().is_some());
    Ok(is_known.then_some(files))
}

fn split(listed: &[u8]) -> impl Iterator<Item = &[u8]> {
    let entries = listed.split(|byte| *byte == 0);
    entries.filter(|entry| !entry.is_empty())
}

/// Of what a link leads to, or of the contents of a file; `None` for others.
fn hash(path: &Path) -> Option<String> {
    match fs::read_link(path) {
        Ok(to) => Some(
            Digest::default()
                .part("link")
                .part(to.as_os_str().as_encoded_bytes())
                .key(),
        ),
        Err(_) => Some(Digest::default().file(path).ok()?.key()),
    }
}

/// Whether cargo, rustup or this program reads a file. Below the root these are files of packages, whose folders have a
/// manifest and sources that were compiled; others of such a name may be what a benchmark reads.
fn is_of_tools(
    file: &Path,
    sources: &BTreeSet<PathBuf>,
    has_manifest: impl Fn(&Path) -> bool,
) -> bool {
    let Some(mut folder) = file.parent() else {
        return false;
    };
    let is_any = |names: &[&str]| names.iter().any(|name| file.ends_with(name));
    if folder.ends_with(".cargo") && is_any(&OF_CARGO) {
        folder = folder.parent().unwrap_or(folder);
    } else if !is_any(&OF_TOOLS) {
        return false;
    }
    let is_of_package = || {
        let mut below = sources.range(folder.to_owned()..);
        has_manifest(folder)
            && below
                .next()
                .is_some_and(|source| source.starts_with(folder))
    };
    folder == Path::new("") || is_of_package()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::git::query;

    #[test]
    fn changed_and_new_files_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        if query(git(root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        for file in [
            "Cargo.toml",
            ".cargo/config.toml",
            ".cargo/words.txt",
            "src/lib.rs",
            "a b/data",
            "gone",
            "same",
            "data/Cargo.toml",
            "a/Cargo.toml",
            "a/src/lib.rs",
        ] {
            write(file, "1");
        }
        write(".gitignore", "ignored\n");
        query(git(root).words(&["add", "--all"])).expect("added");
        let mut saved = git(root);
        saved
            .words(&["-c", "user.name=a", "-c", "user.email=a@b"])
            .words(&["commit", "--quiet", "--message=a"]);
        query(&mut saved).expect("a commit");
        let sources = BTreeSet::from(["src/lib.rs", "a/src/lib.rs"].map(PathBuf::from));
        let found = |is_clean| {
            let files = data_files(root, &sources, is_clean).expect("git lists them");
            files.expect("known")
        };
        let before = found(true);
        let names = [
            ".cargo/words.txt",
            ".gitignore",
            "a b/data",
            "data/Cargo.toml",
            "gone",
            "same",
        ];
        let names = names.map(PathBuf::from);
        assert!(before.keys().eq(names.iter()), "{before:?}");
        assert_eq!(found(false), before);
        for file in [
            "src/lib.rs",
            "Cargo.toml",
            "a b/data",
            "new",
            "ignored",
            "a b/.data.swp",
        ] {
            write(file, "2");
        }
        let record = "records/runs/a/t/20260101T000000.000000000Z-1.jsonl";
        write(record, "{\"type\":\"header\",\"schema\":2}\n");
        fs::remove_file(root.join("gone")).expect("removed");
        let now = found(false);
        let names: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
        let differ = names
            .into_iter()
            .filter(|file| before.get(*file) != now.get(*file));
        let differ: Vec<&Path> = differ.map(PathBuf::as_path).collect();
        assert_eq!(differ, ["a b/data", "gone", "new"].map(Path::new));
        // Git does not look at this one.
        let mut hidden = git(root);
        hidden
            .words(&["update-index", "--skip-worktree"])
            .operands("--", ["same"]);
        query(&mut hidden).expect("hidden");
        assert_eq!(
            data_files(root, &sources, false).expect("git lists them"),
            None
        );
    }
}
