//! Which changes of files are saves.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tourbillon_builds::{IgnoreRules, is_of_editor};
use tourbillon_values::regular_file;

use super::saves::Relevant;

/// Of files with more bytes every change counts.
const LONGEST: u64 = 16 << 20;

/// The file that cargo completes for a build, and that gets its former contents back after it.
const LOCK: &str = "Cargo.lock";

/// The endings of files that people write: code, and what cargo reads.
const SOURCES: [&str; 3] = ["rs", "toml", "lock"];

/// Decides which changes of files are saves. A change in a target directory, in git's folder, in a file that git ignores
/// or that an editor keeps for itself is none, nor is one that leaves the contents as they were.
pub(super) struct Relevance {
    targets: Vec<PathBuf>,
    rules: IgnoreRules,
    /// The files that are there, each with a hash of its contents when that was looked for last.
    contents: HashMap<PathBuf, Option<u64>>,
}

impl Relevance {
    /// For a checkout with these files.
    pub(super) fn new(
        rules: IgnoreRules,
        targets: Vec<PathBuf>,
        files: &BTreeSet<PathBuf>,
    ) -> Relevance {
        let known = files.iter().map(|file| {
            let is_lock = file.file_name().is_some_and(|name| name == LOCK);
            let hash = is_lock.then(|| hash(file)).flatten();
            (file.clone(), hash)
        });
        Relevance {
            contents: known.collect(),
            targets,
            rules,
        }
    }

    /// Whether a file is never saved by a person.
    fn is_of_program(&self, file: &Path) -> bool {
        let below = file.strip_prefix(self.rules.root()).unwrap_or(file);
        let is_of_git = below.components().any(|part| part.as_os_str() == ".git");
        is_of_git
            || is_of_editor(file)
            || self.targets.iter().any(|target| file.starts_with(target))
    }

    /// Whether a file has other contents than when that was looked for last.
    fn has_changed(&mut self, file: &Path) -> bool {
        if file.symlink_metadata().is_err() {
            // What was there for a moment only is no file of a person.
            return self.contents.remove(file).is_some();
        }
        let now = hash(file);
        let before = self.contents.insert(file.to_owned(), now);
        now.is_none() || before != Some(now)
    }
}

impl Relevant for Relevance {
    fn keep(&mut self, files: BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let mut kept: Vec<PathBuf> = files
            .into_iter()
            .filter(|file| !self.is_of_program(file))
            .collect();
        let ignored = self.rules.ignored(kept.iter().map(PathBuf::as_path));
        kept.retain(|file| !ignored.contains(file) && self.has_changed(file));
        kept
    }

    fn is_source(&self, file: &Path) -> bool {
        // The root stands for files that are not known, because so many have changed: programs do that.
        let ending = file.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| SOURCES.contains(&ending))
    }
}

/// A hash of the contents of a file; `None` where that says nothing.
fn hash(file: &Path) -> Option<u64> {
    let contents = regular_file::read(file, LONGEST).ok()?;
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tourbillon_builds::Invocation;

    use super::*;

    /// In a repository, or nowhere without git.
    #[test]
    fn what_programs_write_is_no_save() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut init = Invocation::new("git");
        let process = init.words(&["init", "--quiet"]).process();
        if !process
            .current_dir(folder.path())
            .status()
            .is_ok_and(|status| status.success())
        {
            return;
        }
        let rules = IgnoreRules::around(folder.path()).expect("a repository");
        let root = rules.root().to_owned();
        let write = |name: &str, text: &str| {
            let file = root.join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
        };
        write(".gitignore", "*.log\n");
        write("Cargo.lock", "1");
        write("src/lib.rs", "1");
        write("src/old.rs", "1");
        let files = rules.files().expect("git lists");
        let mut relevance = Relevance::new(rules, vec![root.join("out")], &files);
        let mut kept = |names: &[&str]| -> Vec<String> {
            let files = names.iter().map(|name| root.join(name)).collect();
            let kept = relevance.keep(files).into_iter();
            let below = kept.map(|file| file.strip_prefix(&root).expect("below").to_owned());
            below.map(|file| file.display().to_string()).collect()
        };
        for name in ["out/a", "run.log", ".git/new", "src/.lib.rs.swp"] {
            write(name, "2");
            assert!(kept(&[name]).is_empty(), "{name}");
        }
        // Cargo wrote it, and it was restored.
        assert!(kept(&["Cargo.lock", "src/temporary"]).is_empty());
        assert_eq!(kept(&["src/lib.rs", "run.log"]), ["src/lib.rs"]);
        assert!(kept(&["src/lib.rs"]).is_empty(), "the same contents");
        write("src/lib.rs", "2");
        write("Cargo.lock", "2");
        write("src/new.rs", "2");
        fs::remove_file(root.join("src/old.rs")).expect("a file");
        let all = ["Cargo.lock", "src/lib.rs", "src/new.rs", "src/old.rs"];
        assert_eq!(kept(&all), all);
        assert!(kept(&all).is_empty());
        let is_source = |name: &str| relevance.is_source(&root.join(name));
        assert!(["src/lib.rs", "Cargo.toml"].into_iter().all(is_source));
        assert!(!["", "out.log", "data", "rs"].into_iter().any(is_source));
    }
}
