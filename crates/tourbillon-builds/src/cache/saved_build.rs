//! Builds that the user saved under a name.

use std::path::Path;
use std::{fs, io};

use tourbillon_values::regular_file;
use walkdir::WalkDir;

use crate::cache::Cache;
use crate::cache::build::{Build, PLACED};
use crate::cache::lock::{Lock, USED, Unfinished};
use crate::cache::room::{remove_folder, size};
use crate::error::{Error, Result, refused};

/// A saved build and its size.
#[derive(Debug)]
pub struct SavedBuild {
    /// The build; its label is its name.
    pub build: Build,
    /// Bytes on disk.
    pub bytes: u64,
}

impl Cache {
    /// Saves a build under a name, in place of one that has the name.
    ///
    /// # Errors
    ///
    /// When its programs name their target directory, its files cannot be copied, or the one that has the name is in use.
    pub fn save(&self, build: &Build, name: &str) -> Result<SavedBuild> {
        build.check_apart()?;
        let folder = self.saved(name);
        let cannot = |error: io::Error| refused(&folder, "written", &error);
        let unfinished = Unfinished::new(&self.builds(), "saved")?;
        copy(&build.folder, unfinished.path()).map_err(cannot)?;
        let saved = build.moved(unfinished.path(), name);
        saved.write()?;
        fs::create_dir_all(self.all_saved()).map_err(cannot)?;
        if self.is_saved(name) {
            let _alone = self.not_in_use(name)?;
            unfinished.replace(&folder)?;
        } else {
            unfinished.finish(&folder)?;
        }
        Ok(SavedBuild {
            build: saved,
            bytes: size(&folder),
        })
    }

    /// All saved builds, sorted by name.
    ///
    /// # Errors
    ///
    /// When a build cannot be locked.
    pub fn saved_builds(&self) -> Result<Vec<SavedBuild>> {
        let mut all = Vec::new();
        let entries = fs::read_dir(self.all_saved())
            .into_iter()
            .flatten()
            .flatten();
        for entry in entries {
            if let Some(build) = Build::read(&entry.path(), false, self.log)? {
                let bytes = size(&entry.path());
                all.push(SavedBuild { build, bytes });
            }
        }
        all.sort_by(|one, other| one.build.label.cmp(&other.build.label));
        Ok(all)
    }

    /// Whether there is a saved build of this name.
    #[must_use]
    pub fn is_saved(&self, name: &str) -> bool {
        self.saved(name).is_dir()
    }

    /// Removes a saved build.
    ///
    /// # Errors
    ///
    /// When there is none, or it cannot be removed, or is in use.
    pub fn remove_saved(&self, name: &str) -> Result<()> {
        if !self.is_saved(name) {
            return Err(unsaved(name));
        }
        let _alone = self.not_in_use(name)?;
        let folder = self.saved(name);
        remove_folder(&folder).map_err(|error| refused(&folder, "removed", &error))
    }

    /// A lock on a saved build, which no program measures meanwhile, while it is replaced or removed.
    fn not_in_use(&self, name: &str) -> Result<Option<Lock>> {
        match Lock::alone(&self.saved(name).join(USED))? {
            Some(alone) => Ok(alone.while_moved()),
            None => Err(Error::Environment(format!(
                "the build that is saved as {name:?} is being measured; try again when that has ended"
            ))),
        }
    }
}

/// The error that no build was saved under a name.
pub(crate) fn unsaved(name: &str) -> Error {
    Error::Usage(format!(
        "no build is saved as {name:?}; `cargo tourbillon save --list` lists them"
    ))
}

/// Copies the folders in a folder, except placements, which are made again when needed. Its own files are
/// written anew for the saved build.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let entries = WalkDir::new(from).min_depth(1).into_iter();
    for entry in entries.filter_entry(|entry| entry.file_name() != PLACED) {
        let entry = entry?;
        let within = entry.path().strip_prefix(from).unwrap_or(entry.path());
        if entry.file_type().is_dir() {
            fs::create_dir_all(to.join(within))?;
        } else if entry.depth() > 1 {
            regular_file::copy(entry.path(), &to.join(within))?;
        }
    }
    Ok(())
}
