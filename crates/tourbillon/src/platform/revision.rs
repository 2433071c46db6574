//! The git revision of the package, read from the repository's files: no process is started.

use std::path::{Path, PathBuf};

use tourbillon_record::Fact;

use super::fact;

pub(super) fn facts() -> Vec<Fact> {
    let revision = start().and_then(|folder| revision(&folder));
    let dirty = match &revision {
        Ok(_) => "the work tree is not compared".to_owned(),
        Err(why) => why.clone(),
    };
    vec![
        fact::text("revision", revision),
        fact::flag("dirty", Err(dirty)),
    ]
}

/// The folder of the package, as cargo tells it to what it runs, else that of the executable. The
/// current folder says nothing about where this program comes from.
fn start() -> Result<PathBuf, String> {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => {
            std::env::current_exe().map_err(|error| format!("no path of this program: {error}"))
        }
    }
}

/// The commit that is checked out in the repository that holds `folder`.
fn revision(folder: &Path) -> Result<String, String> {
    let git = folder
        .ancestors()
        .map(|folder| folder.join(".git"))
        .find(|git| git.exists())
        .ok_or_else(|| format!("{} is in no git repository", folder.display()))?;
    let git = linked(&git)?;
    let head = fact::read(&git.join("HEAD"))?;
    let Some(reference) = head.strip_prefix("ref: ") else {
        return commit(&head);
    };
    // Branches are kept in the main repository, which a linked work tree names.
    let common = fact::read(&git.join("commondir")).map_or_else(|_| git.clone(), |c| git.join(c));
    if let Ok(found) = fact::read(&common.join(reference)) {
        return commit(&found);
    }
    let packed = fact::read(&common.join("packed-refs")).unwrap_or_default();
    match in_packed(&packed, reference) {
        Some(found) => commit(found),
        None if common.join("reftable").exists() => {
            Err("the repository keeps its branches in a reftable, which is not read".to_owned())
        }
        None => Err(format!("{reference} has no commit yet")),
    }
}

/// The folder of the repository: `.git` itself, or what it names when it is a file, as in a linked
/// work tree or a submodule.
fn linked(git: &Path) -> Result<PathBuf, String> {
    if git.is_dir() {
        return Ok(git.to_owned());
    }
    let text = fact::read(git)?;
    let target = text
        .strip_prefix("gitdir: ")
        .ok_or_else(|| format!("{} is not understood", git.display()))?;
    Ok(git.parent().unwrap_or(git).join(target))
}

/// The commit of a reference in a packed-refs file: lines of commit and name; `#` begins a comment
/// and `^` what a tag points to.
fn in_packed<'a>(packed: &'a str, reference: &str) -> Option<&'a str> {
    packed.lines().find_map(|line| {
        let (commit, name) = line.split_once(' ')?;
        (name.trim_end() == reference && !line.starts_with(['#', '^'])).then_some(commit)
    })
}

/// Checks that this is the name of a commit, SHA-1 or SHA-256.
fn commit(text: &str) -> Result<String, String> {
    if matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_owned())
    } else {
        Err("what the repository has for its HEAD is no commit".to_owned())
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
        assert_eq!(revision(&folder.0.join("crates/x")).as_deref(), Ok(COMMIT));
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
        assert_eq!(revision(&folder.0).as_deref(), Ok(COMMIT));
    }

    #[test]
    fn a_detached_head() {
        let folder = Folder::new("detached");
        folder.file(".git/HEAD", COMMIT);
        assert_eq!(revision(&folder.0).as_deref(), Ok(COMMIT));
    }

    #[test]
    fn a_linked_work_tree() {
        let folder = Folder::new("linked");
        folder.file("main/.git/worktrees/w/HEAD", "ref: refs/heads/topic\n");
        folder.file("main/.git/worktrees/w/commondir", "../..\n");
        folder.file("main/.git/refs/heads/topic", COMMIT);
        folder.file("w/.git", "gitdir: ../main/.git/worktrees/w\n");
        assert_eq!(revision(&folder.0.join("w")).as_deref(), Ok(COMMIT));
    }

    #[test]
    fn what_cannot_be_known_has_a_reason() {
        let folder = Folder::new("absent");
        folder.file(".git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(
            revision(&folder.0),
            Err("refs/heads/main has no commit yet".to_owned())
        );
        folder.file(".git/reftable/tables.list", "");
        let why = revision(&folder.0).expect_err("reftable");
        assert!(why.contains("reftable"), "{why}");
        folder.file(".git/HEAD", "nonsense");
        let why = revision(&folder.0).expect_err("nonsense");
        assert!(why.contains("is no commit"), "{why}");
        folder.file("w/.git", "nonsense");
        let why = revision(&folder.0.join("w")).expect_err("nonsense");
        assert!(why.contains("is not understood"), "{why}");
    }
}
