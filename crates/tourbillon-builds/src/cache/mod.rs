//! The folder of executables and clones, and its limits.

pub(crate) mod build;
pub(crate) mod bundle;
pub(crate) mod keep;
pub(crate) mod lock;
pub(crate) mod owners;
pub(crate) mod programs;
pub(crate) mod room;
pub(crate) mod saved_build;

use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::{env, fs};

use tourbillon_record::store::file_name;
use tourbillon_values::regular_file;

use crate::cache::owners::Strange;
use crate::error::{Error, Log, Result, refused};

/// The variable that names the folder.
const VARIABLE: &str = "TOURBILLON_CACHE";

/// The folder of all builds in it.
pub(crate) const BUILDS: &str = "builds";

const TAGGED: &str = "CACHEDIR.TAG";

/// Tells backup programs to skip the folder (Cache Directory Tagging Specification).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # Executables and clones of cargo tourbillon, which it can make again.\n";

/// The variable that sets its limit.
pub(crate) const SIZE: &str = "TOURBILLON_CACHE_SIZE";

/// Bytes that have to fit on a disk on which something was built in vain.
const ROOM: usize = 1 << 20;

/// The limit unless one is set, in bytes: some hundred builds, or the target directories of a few workspaces.
const LIMIT: u64 = 4 << 30;

/// The user's cache folder, outside of every checkout, so that `cargo clean` does not touch it.
///
/// * `builds/KEY/`: executables, what they are linked from, and their placements
/// * `repositories/NAME/`: a clone for each repository, and target directories for its workspaces
/// * `saved/NAME/`: builds that were saved under a name; only the user removes them
/// * `records/`: records of commands
#[derive(Clone, Debug)]
pub struct Cache {
    path: PathBuf,
    /// Most bytes of what goes by itself.
    limit: u64,
    /// Receives messages about builds.
    pub(crate) log: Log,
}

impl Cache {
    /// The cache of this user, created if missing: `TOURBILLON_CACHE`, else `tourbillon` in the system's
    /// cache folder. Messages about builds go to `log`.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or it cannot be created.
    pub fn locate(log: Log) -> Result<Cache> {
        let named = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let found = match named {
            Some(named) => absolute(named).ok(),
            None => dirs::cache_dir().map(|folder| folder.join("tourbillon")),
        };
        let Some(path) = found else {
            let what = "there is no folder for the cache; name one with the variable";
            return Err(Error::Environment(format!("{what} {VARIABLE}")));
        };
        refuse_strange(&path, owners::on_the_way(&path))?;
        create_private(&path).map_err(|error| refused(&path, "created", &error))?;
        refuse_strange(&path, owners::of_folder(&path))?;
        claim(&path)?;
        let limit = limit(env::var_os(SIZE).map(|size| size.to_string_lossy().into_owned()))?;
        Ok(Cache { path, limit, log })
    }

    /// A cache in a folder.
    #[cfg(test)]
    pub(crate) fn at(path: &Path) -> Cache {
        Cache {
            path: path.to_owned(),
            limit: LIMIT,
            log: |_| (),
        }
    }

    /// The folder of builds.
    pub(crate) fn builds(&self) -> PathBuf {
        self.path.join(BUILDS)
    }

    /// The folder of those of repositories.
    pub(crate) fn repositories(&self) -> PathBuf {
        self.path.join("repositories")
    }

    /// The folder of a repository, or of a workspace without one.
    pub(crate) fn repository(&self, root: &Path) -> PathBuf {
        self.repositories().join(file_name(&root.to_string_lossy()))
    }

    /// The folder of records of commands.
    pub fn commands(&self) -> PathBuf {
        self.path.join("records")
    }

    /// The folder of saved builds.
    pub(crate) fn all_saved(&self) -> PathBuf {
        self.path.join("saved")
    }

    /// The folder of a saved build.
    pub(crate) fn saved(&self, name: &str) -> PathBuf {
        self.all_saved().join(file_name(name))
    }

    /// Its folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Most bytes of what goes by itself.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Checks that there is room to build: cargo does not say that it failed for want of it.
    ///
    /// # Errors
    ///
    /// When nothing can be written to the cache, or to the folder of temporary files.
    pub(crate) fn check_room(&self) -> Result<()> {
        for folder in [&self.path, &env::temp_dir()] {
            let file = tempfile::tempfile_in(folder);
            let written = file.and_then(|mut file| file.write_all(&[0; ROOM]));
            written.map_err(|error| refused(folder, "written to", &error))?;
        }
        Ok(())
    }
}

/// The limit that a variable sets.
fn limit(text: Option<String>) -> Result<u64> {
    match text.filter(|text| !text.is_empty()) {
        None => Ok(LIMIT),
        Some(text) => {
            tourbillon_values::size(&text).map_err(|why| Error::Usage(format!("{SIZE}: {why}")))
        }
    }
}

/// Fails if others decide what is in the cache.
fn refuse_strange(cache: &Path, found: io::Result<Option<Strange>>) -> Result<()> {
    match found.map_err(|error| refused(cache, "used", &error))? {
        None => Ok(()),
        Some(Strange { path, why }) => Err(Error::Environment(format!(
            "{path:?} {why}, and programs in the cache are started; name a folder of your own for it with the variable \
             {VARIABLE}"
        ))),
    }
}

/// Gives an empty folder our tag. Fails if one without it has something: what is in folders with the names of ours would
/// be removed.
fn claim(cache: &Path) -> Result<()> {
    let entries = fs::read_dir(cache).map_err(|error| refused(cache, "read", &error))?;
    let mut names = entries.flatten().map(|entry| entry.file_name());
    let other = names.find(|name| name != TAGGED);
    // After the names: a program that makes them has written the tag.
    let path = cache.join(TAGGED);
    let tag = regular_file::read(&path, TAG.len() as u64);
    if tag.is_ok_and(|tag| tag == TAG.as_bytes()) {
        return Ok(());
    }
    if let Some(name) = other {
        return Err(Error::Environment(format!(
            "{cache:?} has {name:?} and no {TAGGED} of a cache; name an empty or a new folder with the variable {VARIABLE}"
        )));
    }
    // One that was not written to its end.
    let _ = fs::remove_file(&path);
    let tag = fs::File::create_new(&path);
    match tag.and_then(|mut tag| tag.write_all(TAG.as_bytes())) {
        // Another process was faster.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(refused(cache, "written to", &error))
        }
        _ => Ok(()),
    }
}

/// Creates a folder that no other user can enter: what is in it is started. One that is there stays as it is.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// The lock for the clone and the target directories of a repository: next to their folder, so that it
/// stays when that is removed.
pub(crate) fn lock_of(folder: &Path) -> PathBuf {
    beside(folder, ".lock")
}

/// What is locked beside the folder of a repository while programs run in its clone: others may build then.
pub(crate) fn used_of(folder: &Path) -> PathBuf {
    beside(folder, ".used")
}

/// What is locked beside the folder of a repository while programs are measured that may read files of its clone: the
/// revision that is checked out stays.
pub(crate) fn files_of(folder: &Path) -> PathBuf {
    beside(folder, ".files")
}

fn beside(folder: &Path, end: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {

    use super::*;

    fn cache() -> Cache {
        Cache::at(Path::new("/cache"))
    }

    #[test]
    fn repositories_with_the_same_name_are_kept_apart() {
        let one = cache().repository(Path::new("/src/one/shop"));
        let other = cache().repository(Path::new("/src/other/shop"));
        assert_ne!(one, other);
        assert_eq!(one.parent(), Some(Path::new("/cache/repositories")));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b");
        create_private(&path).expect("a folder");
        let mode = fs::metadata(&path).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_variable_sets_the_limit() {
        assert_eq!(limit(None).ok(), Some(LIMIT));
        let limit = |text: &str| limit(Some(text.to_owned()));
        assert_eq!(limit("").ok(), Some(LIMIT));
        assert_eq!(limit("512 MiB").ok(), Some(512 << 20));
        // The second is what bytes that are no text are read as.
        for text in ["5 GB", "\u{fffd}"] {
            let wrong = limit(text).expect_err("no size").to_string();
            let said = format!("TOURBILLON_CACHE_SIZE: {text:?} is no size");
            assert!(wrong.contains(&said), "{wrong}");
        }
    }

    #[test]
    fn no_name_leads_out_of_the_cache() {
        let saved = cache().saved("../../etc");
        assert_eq!(saved.parent(), Some(Path::new("/cache/saved")));
    }
}
