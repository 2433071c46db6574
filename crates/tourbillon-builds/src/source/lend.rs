//! Files of the working tree that a revision gets, because no commit has them.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use crate::error::{Result, refused};
use crate::source::git::Repository;

/// Copies the working tree's Cargo.lock to a revision without one, so that both sides use the same versions of their
/// dependencies. Returns what was copied.
pub(crate) fn lend_lock(repository: &Repository, clone: &Path) -> Result<Vec<u8>> {
    let around = Path::new(&repository.within).ancestors();
    let file = around
        .map(|folder| folder.join("Cargo.lock"))
        .find(|file| repository.root.join(file).is_file());
    let Some(file) = file.filter(|file| !clone.join(file).exists()) else {
        return Ok(Vec::new());
    };
    let own = repository.root.join(&file);
    let copied = regular_file::read(&own, DESCRIPTION_BYTES).and_then(|bytes| {
        write_into(clone, &file, &bytes)?;
        Ok(bytes)
    });
    copied.map_err(|error| refused(&clone.join(&file), "written", &error))
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
}
