//! The git revision of the package, read from the repository's files: no process is started.

use std::path::{Path, PathBuf};

use tourbillon_report::Pieces;

use super::fact::{self, Facts, Known};
use crate::contains::is_hexadecimal;
use crate::text::{owned, text};

#[inline(never)]
pub(super) fn add(facts: &mut Facts) {
    let revision = found();
    let dirty = match &revision {
        Ok(_) => owned("the work tree is not compared"),
        Err(why) => why.clone(),
    };
    facts.text("revision", revision);
    facts.absent("dirty", &dirty);
}

/// The revision of the folder of the package, as cargo tells it to what it runs, else of that of the
/// executable. The current folder says nothing about where this program comes from.
fn found() -> Known<String> {
    if let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR") {
        return revision(Path::new(&folder), "the package");
    }
    match std::env::current_exe() {
        Ok(executable) => revision(&executable, "the executable"),
        Err(error) => Err(text!("no path of this program: {error}")),
    }
}

/// The commit that is checked out in the repository that holds `what`, which is at `path`.
#[inline(never)]
fn revision(path: &Path, what: &str) -> Known<String> {
    let Some(git) = repository(path) else {
        return Err(text!("{what} is in no git repository"));
    };
    let git = linked(git)?;
    let head = read_in(&git, "HEAD")?;
    let Some(reference) = head.strip_prefix("ref: ") else {
        return commit(&head);
    };
    branch(&git, reference)
}

/// The commit of a branch. Branches are kept in the main repository, which a linked work tree names.
#[inline(never)]
fn branch(git: &Path, reference: &str) -> Known<String> {
    let common = git.join(read_in(git, "commondir").unwrap_or_default());
    if let Ok(found) = read_in(&common, reference) {
        return commit(&found);
    }
    let packed = read_in(&common, "packed-refs").unwrap_or_default();
    match in_packed(&packed, reference) {
        Some(found) => commit(found),
        None if read_in(&common, "reftable/tables.list").is_ok() => Err(owned(
            "the repository keeps its branches in a reftable, which is not read",
        )),
        None => Err(text!("{reference} has no commit yet")),
    }
}

/// What is called `.git` in the nearest folder above that has it.
fn repository(path: &Path) -> Option<PathBuf> {
    for folder in path.ancestors() {
        let git = folder.join(".git");
        if git.exists() {
            return Some(git);
        }
    }
    None
}

#[inline(never)]
fn read_in(folder: &Path, name: &str) -> Known<String> {
    fact::read_file(&folder.join(name))
}

/// The folder of the repository: `.git` itself, or what it names when it is a file, as in a linked
/// work tree or a submodule.
fn linked(git: PathBuf) -> Known<PathBuf> {
    if git.is_dir() {
        return Ok(git);
    }
    let text = fact::read_file(&git)?;
    match text.strip_prefix("gitdir: ") {
        Some(target) => Ok(git.parent().unwrap_or(&git).join(target)),
        None => Err(text!("{} is not understood", git.display())),
    }
}

/// The commit of a reference in a packed-refs file: lines of commit and name; `#` begins a comment
/// and `^` what a tag points to.
fn in_packed<'a>(packed: &'a str, reference: &str) -> Option<&'a str> {
    for line in Pieces::of(packed) {
        let mut parts = Pieces::divided(line, b' ');
        let commit = parts.next()?;
        let named = parts
            .rest()
            .is_some_and(|name| name.trim_ascii_end() == reference);
        if named && !matches!(commit.as_bytes().first(), Some(b'#' | b'^')) {
            return Some(commit);
        }
    }
    None
}

/// Checks that this is the name of a commit, SHA-1 or SHA-256.
fn commit(text: &str) -> Known<String> {
    if matches!(text.len(), 40 | 64) && is_hexadecimal(text) {
        Ok(owned(text))
    } else {
        Err(owned("what the repository has for its HEAD is no commit"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    /// An own folder below the system's folder for temporary files, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir()
                .join(format!("tourbillon-revision-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn file(&self, name: &str, text: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_branch_in_its_own_file() {
        let folder = Folder::new("loose");
        folder.file(".git/HEAD", "ref: refs/heads/main\n");
        folder.file(".git/refs/heads/main", &format!("{COMMIT}\n"));
        folder.file("crates/x/Cargo.toml", "");
        assert_eq!(
            revision(&folder.0.join("crates/x"), "x").as_deref(),
            Ok(COMMIT)
        );
    }

    #[test]
    fn a_packed_branch() {
        let folder = Folder::new("packed");
        folder.file(".git/HEAD", "ref: refs/heads/main\n");
        let other = COMMIT.replace('0', "f");
        folder.file(
            ".git/packed-refs",
            &format!("# pack-refs with: peeled\n{other} refs/heads/mainly\n{COMMIT} refs/heads/main\n^{other}\n"),
        );
        assert_eq!(revision(&folder.0, "x").as_deref(), Ok(COMMIT));
    }

    #[test]
    fn a_detached_head() {
        let folder = Folder::new("detached");
        folder.file(".git/HEAD", COMMIT);
        assert_eq!(revision(&folder.0, "x").as_deref(), Ok(COMMIT));
    }

    #[test]
    fn a_linked_work_tree() {
        let folder = Folder::new("linked");
        folder.file("main/.git/worktrees/w/HEAD", "ref: refs/heads/topic\n");
        folder.file("main/.git/worktrees/w/commondir", "../..\n");
        folder.file("main/.git/refs/heads/topic", COMMIT);
        folder.file("w/.git", "gitdir: ../main/.git/worktrees/w\n");
        assert_eq!(revision(&folder.0.join("w"), "x").as_deref(), Ok(COMMIT));
    }

    #[test]
    fn what_cannot_be_known_has_a_reason() {
        assert_eq!(
            revision(Path::new("/nowhere/at all"), "the executable"),
            Err("the executable is in no git repository".to_owned())
        );
        let folder = Folder::new("absent");
        folder.file(".git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(
            revision(&folder.0, "x"),
            Err("refs/heads/main has no commit yet".to_owned())
        );
        folder.file(".git/reftable/tables.list", "");
        let why = revision(&folder.0, "x").expect_err("reftable");
        assert!(why.contains("reftable"), "{why}");
        folder.file(".git/HEAD", "nonsense");
        let why = revision(&folder.0, "x").expect_err("nonsense");
        assert!(why.contains("is no commit"), "{why}");
        folder.file("w/.git", "nonsense");
        let why = revision(&folder.0.join("w"), "x").expect_err("nonsense");
        assert!(why.contains("is not understood"), "{why}");
    }
}
