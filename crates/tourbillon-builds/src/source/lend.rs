//! Files of the working tree that a revision gets, because no commit has them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::error::{Result, refused};
use crate::source::git::Repository;

/// The versions of dependencies.
const LOCK: &str = "Cargo.lock";

/// Copies the Cargo.lock of the working tree's workspace, or the nearest where cargo names none, to a revision without one, so that both sides use the same versions of their
/// dependencies. Returns what was copied, and whether git does not track it. A link that git tracks is not followed.
pub(crate) fn lend_lock(
    repository: &Repository,
    clone: &Path,
    workspace: Option<&Path>,
) -> Result<(Vec<u8>, bool)> {
    let own = workspace.and_then(|folder| folder.strip_prefix(&repository.root).ok());
    let around = match own {
        Some(own) => own.ancestors().take(1),
        None => repository.within.ancestors().take(usize::MAX),
    };
    let is_lent = |file: &PathBuf| {
        let path = repository.root.join(file);
        path.is_file() && !(path.is_symlink() && repository.has(file))
    };
    let mut files = around.map(|folder| folder.join(LOCK));
    let file = files.find(is_lent);
    let Some(file) = file.filter(|file| !clone.join(file).exists()) else {
        return Ok((Vec::new(), false));
    };
    let own = repository.root.join(&file);
    let copied = regular_file::read(&own, DESCRIPTION_BYTES).and_then(|bytes| {
        write_into(clone, &file, &bytes)?;
        Ok(bytes)
    });
    let bytes = copied.map_err(|error| refused(&clone.join(&file), "written", &error))?;
    Ok((bytes, !repository.has(&file)))
}

/// The Cargo.lock that cargo is to `make` for a revision in a clone, where neither it nor the working tree has one: the versions
/// of today, for which a kept build is not that of another day. Empty where there is one, or cargo makes none.
pub(crate) fn chosen_lock(clone: &Path, workspace: &Path, make: impl FnOnce()) -> Result<Vec<u8>> {
    let own = clone.join(workspace).join(LOCK);
    if own.symlink_metadata().is_ok() {
        return Ok(Vec::new());
    }
    make();
    match regular_file::read(&own, DESCRIPTION_BYTES) {
        // Cargo says why it cannot, when it builds.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| refused(&own, "read", &error)),
    }
}

/// Writes a file that a clone lacks, and its folder if that is missing. Links are files of the revision: none is
/// followed, neither at the name of the file nor out of the clone.
pub(crate) fn write_into(clone: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = clone.join(file);
    let folder = path.parent().unwrap_or(clone);
    let is_within = |folder: &Path| -> io::Result<()> {
        if folder.canonicalize()?.starts_with(clone.canonicalize()?) {
            return Ok(());
        }
        Err(io::Error::other("a link of the revision leads out of it"))
    };
    if folder.symlink_metadata().is_err() {
        is_within(folder.parent().unwrap_or(clone))?;
        fs::create_dir(folder)?;
    }
    is_within(folder)?;
    fs::File::create_new(&path)?.write_all(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_of_a_revision_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (clone, outside) = (folder.path().join("clone"), folder.path().join("outside"));
        fs::create_dir_all(clone.join("plain")).expect("a folder");
        fs::create_dir(&outside).expect("a folder");
        symlink(outside.join("new"), clone.join("Cargo.lock")).expect("a link");
        symlink(&outside, clone.join("away")).expect("a link");
        symlink(outside.join("none"), clone.join("nowhere")).expect("a link");
        symlink("plain", clone.join("within")).expect("a link");
        for (file, expected) in [
            ("Cargo.lock", false),
            ("away/Cargo.lock", false),
            ("away/.cargo/config.toml", false),
            ("nowhere/config.toml", false),
            ("plain/Cargo.lock", true),
            ("plain/.cargo/config.toml", true),
            ("within/other", true),
        ] {
            let written = write_into(&clone, Path::new(file), b"x");
            assert_eq!(written.is_ok(), expected, "{file}: {written:?}");
        }
        assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 0);
    }

    #[test]
    fn a_revision_without_a_lock_has_the_versions_of_today() {
        let folder = tempfile::tempdir().expect("a folder");
        let workspace = Path::new("shop");
        let chosen = |made: Option<&str>| {
            let clone = tempfile::tempdir_in(folder.path()).expect("a folder");
            fs::create_dir_all(clone.path().join(workspace)).expect("a folder");
            let file = clone.path().join(workspace).join(LOCK);
            let make = || {
                made.iter()
                    .for_each(|text| fs::write(&file, text).expect("a file"))
            };
            let chosen = chosen_lock(clone.path(), workspace, make).expect("chosen");
            let again = chosen_lock(clone.path(), workspace, || {});
            assert_eq!(again.expect("its own"), b"");
            String::from_utf8(chosen).expect("text")
        };
        assert_eq!(chosen(None), "");
        assert_eq!(chosen(Some("1")), "1");
        assert_eq!(chosen(Some("2")), "2");
    }

    #[test]
    fn a_lock_that_git_does_not_track_is_told_from_others_and_links_of_commits_are_not_lent() {
        use crate::source::git::{git, query};

        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        fs::create_dir(&root).expect("a folder");
        if query(git(&root).words(&["init", "--quiet"])).is_err() {
            return;
        }
        // Of a member, which cargo does not read.
        fs::create_dir(root.join("member")).expect("a folder");
        fs::write(root.join("member/Cargo.lock"), "2").expect("a file");
        let repository = Repository::around(&root.join("member")).expect("a repository");
        let lent = |name: &str| {
            let clone = folder.path().join(name);
            fs::create_dir(&clone).expect("a folder");
            lend_lock(&repository, &clone, Some(&repository.root)).expect("lent")
        };
        assert_eq!(lent("none"), (Vec::new(), false));
        fs::write(root.join("Cargo.lock"), "1").expect("a file");
        assert_eq!(lent("untracked"), (b"1".to_vec(), true));
        query(git(&root).words(&["add", "--all"])).expect("added");
        assert_eq!(lent("tracked"), (b"1".to_vec(), false));
        fs::rename(root.join("Cargo.lock"), folder.path().join("other")).expect("a file");
        symlink("../other", root.join("Cargo.lock")).expect("a link");
        assert_eq!(lent("tracked-link"), (Vec::new(), false));
        query(git(&root).words(&["rm", "--quiet", "--force", "--cached", "Cargo.lock"]))
            .expect("removed");
        assert_eq!(lent("link"), (b"1".to_vec(), true));
    }
}
