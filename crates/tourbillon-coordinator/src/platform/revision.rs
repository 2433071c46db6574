//! The git revision of the package, read from the repository's files: no process is started.

use std::env;
use std::path::{Path, PathBuf};

use super::fact::{Facts, Known, read};

pub(super) fn add(facts: &mut Facts) {
    let revision = own();
    let dirty = match &revision {
        Ok(_) => "the work tree is not compared".to_owned(),
        Err(why) => why.clone(),
    };
    facts.text("revision", revision);
    facts.text("folder", folder());
    facts.absent("dirty", &dirty);
}

/// The package's folder, which cargo passes to what it runs.
fn folder() -> Known<String> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").filter(|folder| !folder.is_empty());
    let named = folder.map(|folder| folder.to_string_lossy().into_owned());
    named.ok_or_else(|| "the program was not started by cargo".to_owned())
}

/// The revision of the package's folder, which cargo passes to what it runs, else of the executable's. The
/// current folder may be any.
fn own() -> Known<String> {
    if let Some(folder) = env::var_os("CARGO_MANIFEST_DIR") {
        return revision(Path::new(&folder), "the package");
    }
    let executable =
        env::current_exe().map_err(|error| format!("no path of this program: {error}"));
    revision(&executable?, "the executable")
}

/// The commit that is checked out in the repository that holds `what`, which is at `path`.
fn revision(path: &Path, what: &str) -> Known<String> {
    let mut folders = path.ancestors().map(|folder| folder.join(".git"));
    let git = folders.find(|git| git.exists());
    let git = linked(git.ok_or_else(|| format!("{what} is in no git repository"))?)?;
    let head = read(git.join("HEAD"))?;
    match head.strip_prefix("ref: ") {
        Some(reference) => branch(&git, reference),
        None => commit(&head),
    }
}

/// The commit of a branch. Branches are kept in the main repository, which a linked work tree names.
fn branch(git: &Path, reference: &str) -> Known<String> {
    let common = git.join(read(git.join("commondir")).unwrap_or_default());
    if let Ok(found) = read(common.join(reference)) {
        return commit(&found);
    }
    // Lines of commit and name; `#` begins a comment and `^` what a tag points to.
    let packed = read(common.join("packed-refs")).unwrap_or_default();
    let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
    let found = lines.find(|(commit, name)| !commit.starts_with(['#', '^']) && *name == reference);
    match found {
        Some((found, _)) => commit(found),
        None if common.join("reftable/tables.list").exists() => {
            Err("the repository keeps its branches in a reftable, which is not read".to_owned())
        }
        None => Err(format!("{reference} has no commit yet")),
    }
}

/// The folder of the repository: `.git` itself, or what it names when it is a file, as in a linked
/// work tree or a submodule.
fn linked(git: PathBuf) -> Known<PathBuf> {
    if git.is_dir() {
        return Ok(git);
    }
    match read(&git)?.strip_prefix("gitdir: ") {
        Some(target) => Ok(git.parent().unwrap_or(&git).join(target)),
        None => Err(format!("{} is not understood", git.display())),
    }
}

/// Checks that this is the name of a commit, SHA-1 or SHA-256.
fn commit(text: &str) -> Known<String> {
    if matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_owned())
    } else {
        Err("the repository's HEAD does not name a commit".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    /// A folder of its own for temporary files, removed at the end.
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
    fn an_unknown_revision_has_a_reason() {
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
        assert!(why.contains("does not name a commit"), "{why}");
        folder.file("w/.git", "nonsense");
        let why = revision(&folder.0.join("w"), "x").expect_err("nonsense");
        assert!(why.contains("is not understood"), "{why}");
    }
}
