//! The folder of executables and clones, and its limits.

pub(crate) mod build;
pub(crate) mod bundle;
pub(crate) mod keep;
pub(crate) mod lock;
pub(crate) mod owners;
pub(crate) mod saved_build;

use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::time::SystemTime;
use std::{env, fs};

use tourbillon_record::store::file_name;
use walkdir::WalkDir;

use crate::cache::build::FILE;
use crate::cache::lock::{Lock, UNFINISHED, USED};
use crate::cache::owners::Strange;
use crate::error::{Error, Log, Result, refused};

/// The variable that names the folder.
const VARIABLE: &str = "TOURBILLON_CACHE";

/// Tells backup programs to skip the folder (Cache Directory Tagging Specification).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # Executables and clones of cargo tourbillon, which it can make again.\n";

/// Limit for builds, in bytes: some hundred builds with a few placements each.
const BUILDS: u64 = 4 << 30;

/// Limit for clones with their target directories, in bytes.
const REPOSITORIES: u64 = 20 << 30;

/// The user's cache folder, outside of every checkout, so that `cargo clean` does not touch it.
///
/// * `builds/KEY/`: executables, what they are linked from, and their placements
/// * `repositories/NAME/`: a clone for each repository, and target directories for its workspaces
/// * `saved/NAME/`: builds that were saved under a name; only the user removes them
/// * `records/`: records of commands
#[derive(Clone, Debug)]
pub struct Cache {
    path: PathBuf,
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
        // One that is there stays. It works without the tag.
        let tag = fs::File::create_new(path.join("CACHEDIR.TAG"));
        let _ = tag.and_then(|mut tag| tag.write_all(TAG.as_bytes()));
        Ok(Cache { path, log })
    }

    /// A cache in a folder.
    #[cfg(test)]
    pub(crate) fn at(path: &Path) -> Cache {
        let (path, log) = (path.to_owned(), (|_| ()) as Log);
        Cache { path, log }
    }

    /// The folder of builds.
    pub(crate) fn builds(&self) -> PathBuf {
        self.path.join("builds")
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

    /// Removes what was not used for longest until the cache is within its limits, and what killed
    /// programs left unfinished. Builds in use and saved builds stay.
    pub fn prune(&self) {
        let now = SystemTime::now();
        shrink(&self.builds(), |build| build.join(USED), BUILDS, now);
        shrink(&self.repositories(), lock_of, REPOSITORIES, now);
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
    let mut name = folder.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// `lock` names a file for each folder whose date is that of the last use, and which is locked while the
/// folder is used. A date after `now` says nothing: the folder counts as the oldest.
fn shrink(folder: &Path, lock: impl Fn(&Path) -> PathBuf, limit: u64, now: SystemTime) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut kept: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for path in entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
    {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(UNFINISHED) {
            remove(&path, &lock(&path));
            continue;
        }
        let used = match fs::metadata(lock(&path)).and_then(|file| file.modified()) {
            Ok(used) if used <= now => used,
            _ => SystemTime::UNIX_EPOCH,
        };
        let size = size(&path);
        kept.push((used, path, size));
    }
    kept.sort();
    let mut total: u64 = kept.iter().map(|(_, _, size)| size).sum();
    for (_, path, size) in kept {
        if total <= limit {
            return;
        }
        if remove(&path, &lock(&path)) {
            total -= size;
        }
    }
}

/// Removes a folder unless it is in use.
fn remove(folder: &Path, lock: &Path) -> bool {
    let Some(_alone) = Lock::alone(lock) else {
        return false;
    };
    // First this file, so that a partly removed folder is not taken for a build.
    let _ = fs::remove_file(folder.join(FILE));
    fs::remove_dir_all(folder).is_ok()
}

/// Bytes of all files below a folder; hard links count twice.
pub(crate) fn size(folder: &Path) -> u64 {
    let entries = WalkDir::new(folder).into_iter().flatten();
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    files
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .sum()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
    fn no_name_leads_out_of_the_cache() {
        let saved = cache().saved("../../etc");
        assert_eq!(saved.parent(), Some(Path::new("/cache/saved")));
    }

    #[test]
    fn the_oldest_builds_are_removed_first_and_those_in_use_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let now = SystemTime::now();
        for (age, name) in [
            (1, "newest"),
            (3, "oldest"),
            (2, "middle"),
            (4, "held"),
            (-9, "ahead"),
        ] {
            let folder = root.join(name);
            fs::create_dir_all(folder.join("0")).expect("a folder");
            fs::write(folder.join("0/file"), [0; 100]).expect("a file");
            let used = fs::File::create(folder.join(USED)).expect("a file");
            let seconds = Duration::from_secs(i64::unsigned_abs(age) * 1000);
            let then = if age < 0 {
                now + seconds
            } else {
                now - seconds
            };
            used.set_modified(then).expect("a date");
        }
        let half = root.join(format!("{UNFINISHED}1"));
        fs::create_dir_all(&half).expect("a folder");
        let held = Lock::share(&root.join("held").join(USED)).expect("a lock");
        assert_eq!(size(root), 500);
        let left = || {
            let entries = fs::read_dir(root).expect("a folder").flatten();
            let mut left: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            left.sort();
            left
        };
        let shrink = |limit| shrink(root, |folder| folder.join(USED), limit, now);
        shrink(500);
        assert_eq!(left().len(), 5);
        shrink(400);
        assert_eq!(left(), ["held", "middle", "newest", "oldest"]);
        shrink(300);
        assert_eq!(left(), ["held", "middle", "newest"]);
        shrink(0);
        assert_eq!(left(), ["held"]);
        drop(held);
    }
}
