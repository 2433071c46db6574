//! The folder of executables and clones.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};

use tourbillon_record::store::file_name;

use super::key::Key;
use crate::Stop;

/// The variable that names the folder.
const VARIABLE: &str = "TOURBILLON_CACHE";

/// Tells backup programs to skip the folder (Cache Directory Tagging Specification).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # Executables and clones of cargo tourbillon, which it can make again.\n";

/// The user's cache folder, outside of every checkout, so that `cargo clean` does not touch it.
///
/// * `builds/KEY/`: executables, what they are linked from, and their placements
/// * `repositories/NAME/`: a clone for each repository, and target directories for its workspaces
/// * `saved/NAME/`: builds that were saved under a name; only the user removes them
#[derive(Clone, Debug)]
pub struct Cache {
    path: PathBuf,
}

impl Cache {
    /// The cache of this user, created if missing: `TOURBILLON_CACHE`, else `tourbillon` in the
    /// system's cache folder.
    pub fn locate() -> Result<Cache, Stop> {
        let named = variable(VARIABLE);
        let place = match named {
            Some(named) => absolute(named).ok(),
            None => system_cache().map(|folder| folder.join("tourbillon")),
        };
        let Some(path) = place else {
            let what =
                format!("there is no folder for the cache; name one with the variable {VARIABLE}");
            return Err(Stop::Environment(what));
        };
        let cache = Cache::at(path);
        create(&cache.path)?;
        let tag = cache.path.join("CACHEDIR.TAG");
        if !tag.exists() {
            // It works without the tag.
            let _ = fs::write(tag, TAG);
        }
        Ok(cache)
    }

    pub fn at(path: PathBuf) -> Cache {
        Cache { path }
    }

    /// The folder of builds.
    pub fn builds(&self) -> PathBuf {
        self.path.join("builds")
    }

    pub fn build(&self, key: &Key) -> PathBuf {
        self.builds().join(key.as_str())
    }

    /// The folder of clones.
    pub fn repositories(&self) -> PathBuf {
        self.path.join("repositories")
    }

    /// The folder of a repository, or of a workspace without one.
    pub fn repository(&self, root: &Path) -> PathBuf {
        self.repositories().join(file_name(&root.to_string_lossy()))
    }

    /// The folder of saved builds.
    pub fn all_saved(&self) -> PathBuf {
        self.path.join("saved")
    }

    pub fn saved(&self, name: &str) -> PathBuf {
        self.all_saved().join(file_name(name))
    }
}

/// The lock for the clone and the target directories of a repository: next to their folder, so that
/// it stays when that is removed.
pub fn lock_of(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// A target directory for the workspace at `root` only: cargo identifies packages by name and
/// relative path, so two workspaces must not share one.
pub fn target_of(place: &Path, kind: &str, root: &Path) -> PathBuf {
    place.join(kind).join(file_name(&root.to_string_lossy()))
}

/// Creates a folder and its parents.
pub fn create(folder: &Path) -> Result<(), Stop> {
    fs::create_dir_all(folder).map_err(|error| refused(folder, "created", &error))
}

/// An error about a file or folder of the cache: what could not be `done` to it, and the remedy.
pub fn refused(path: &Path, done: &str, error: &io::Error) -> Stop {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room there",
        _ => "make it writable",
    };
    Stop::Environment(format!(
        "{path:?} cannot be {done}: {error}; {advice}, or name another folder for the cache with the \
         variable {VARIABLE}"
    ))
}

fn variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(PathBuf::from(value))
}

/// The user's cache folder.
fn system_cache() -> Option<PathBuf> {
    if cfg!(windows) {
        return variable("LOCALAPPDATA");
    }
    let home = || env::home_dir().filter(|home| home.is_absolute());
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Caches"));
    }
    // The specification says to ignore a relative path.
    let named = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    named.or_else(|| Some(home()?.join(".cache")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_with_the_same_name_are_kept_apart() {
        let cache = Cache::at(PathBuf::from("/cache"));
        let one = cache.repository(Path::new("/src/one/shop"));
        let other = cache.repository(Path::new("/src/other/shop"));
        assert_ne!(one, other);
        assert_eq!(one.parent(), Some(Path::new("/cache/repositories")));
    }

    #[test]
    fn errors_name_the_remedy() {
        let message = |kind: io::ErrorKind| match refused(Path::new("/c"), "written", &kind.into()) {
            Stop::Environment(text) => text,
            other => panic!("{other:?}"),
        };
        let full = message(io::ErrorKind::StorageFull);
        assert!(full.contains("; make room there, or name"), "{full}");
        assert!(full.ends_with("the variable TOURBILLON_CACHE"), "{full}");
        let refused = message(io::ErrorKind::ReadOnlyFilesystem);
        assert!(refused.contains("make it writable"), "{refused}");
    }

    #[test]
    fn no_name_leads_out_of_the_cache() {
        let cache = Cache::at(PathBuf::from("/cache"));
        let saved = cache.saved("../../etc");
        assert_eq!(saved.parent(), Some(Path::new("/cache/saved")));
    }
}
