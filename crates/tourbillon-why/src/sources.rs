//! The checkout of a build: its root, and lines of its files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tourbillon_builds::{Build, Executable, file_of_commit};
use tourbillon_values::regular_file;

/// Most bytes of a source file.
const LONGEST: u64 = 1 << 22;
/// Most characters of a line that is shown.
const WIDEST: usize = 100;

/// The endings of source files.
const SOURCES: [&str; 7] = ["rs", "c", "h", "cc", "cpp", "s", "S"];

/// The sources of a build.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The root of its checkout; `None` where that is not on this machine.
    pub(crate) root: Option<PathBuf>,
    /// The commit whose files they are; `None` for those that are there now.
    pub(crate) commit: Option<String>,
    /// Files that were read.
    known: RefCell<HashMap<PathBuf, Option<String>>>,
}

impl Sources {
    pub(crate) fn new(build: &Build, executable: &Executable) -> Sources {
        let home = executable.home.as_deref();
        // The clone may hold another revision by now, without the package's folder.
        let mut around = home.into_iter().flat_map(Path::ancestors);
        let root = around.find(|folder| folder.join(".git").exists());
        Sources {
            root: root.map(Path::to_owned),
            commit: build.commit.clone().filter(|_| !build.dirty),
            known: RefCell::default(),
        }
    }

    /// A line of a file, without blanks around it.
    pub(crate) fn line(&self, path: &Path, line: u32) -> Option<String> {
        let mut known = self.known.borrow_mut();
        let text = known
            .entry(path.to_owned())
            .or_insert_with(|| self.text(path))
            .as_deref()?;
        let line = text.lines().nth(line.checked_sub(1)? as usize)?.trim();
        Some(line.chars().take(WIDEST).collect())
    }

    fn text(&self, path: &Path) -> Option<String> {
        let within = self.root.as_deref().and_then(|root| {
            let within = path.strip_prefix(root).ok()?;
            Some((root, within))
        });
        match (within, &self.commit) {
            (Some((root, within)), Some(commit)) => file_of_commit(root, commit, within, LONGEST),
            _ => source(path),
        }
    }
}

/// The text of a source file. Executables may be those of a pull request, and name any file: a link to one that is no
/// source is not followed, so that no secret gets into a comment.
fn source(path: &Path) -> Option<String> {
    let whole = path.canonicalize().ok()?;
    let ending = whole.extension()?.to_str()?;
    let text = SOURCES
        .contains(&ending)
        .then(|| regular_file::read_text(&whole, LONGEST));
    text?.ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_no_source_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["lib.rs", "secret"] {
            fs::write(at(name), "text").expect("a file");
        }
        std::os::unix::fs::symlink("secret", at("link.rs")).expect("a link");
        std::os::unix::fs::symlink("lib.rs", at("other.rs")).expect("a link");
        for (name, is_read) in [
            ("lib.rs", true),
            ("other.rs", true),
            ("secret", false),
            ("link.rs", false),
            ("missing.rs", false),
        ] {
            assert_eq!(source(&at(name)).is_some(), is_read, "{name}");
        }
    }
}
