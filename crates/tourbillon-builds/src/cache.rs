//! Where executables and clones are kept.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};

use tourbillon_record::store::file_name;

use super::key::Key;
use crate::Stop;

/// What the variable that names the place is called.
const VARIABLE: &str = "TOURBILLON_CACHE";

/// What tells programs that make copies of a disk that this need not be copied.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # Executables and clones of cargo tourbillon; it makes them again when it needs them.\n";

/// A folder of the user's, outside of every checkout, so that `cargo clean` leaves it alone.
///
/// * `builds/KEY/`: executables, what they are linked from, and their placements
/// * `repositories/NAME/`: for each repository a clone, and for each workspace in it a target directory
///   for all its revisions
/// * `saved/NAME/`: builds that were saved under a name; nothing but the user removes them
#[derive(Clone, Debug)]
pub struct Cache {
    path: PathBuf,
}

impl Cache {
    /// The cache of this user, created where it is not there yet: what `TOURBILLON_CACHE` says, else
    /// `tourbillon` in the folder that the system has for such things.
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
            // Without it everything works as well.
            let _ = fs::write(tag, TAG);
        }
        Ok(cache)
    }

    pub fn at(path: PathBuf) -> Cache {
        Cache { path }
    }

    /// Where builds are, each in a folder of its own.
    pub fn builds(&self) -> PathBuf {
        self.path.join("builds")
    }

    pub fn build(&self, key: &Key) -> PathBuf {
        self.builds().join(key.as_str())
    }

    /// Where the clones are, each with its target directory.
    pub fn repositories(&self) -> PathBuf {
        self.path.join("repositories")
    }

    /// The place of a repository, or of a workspace that is in none.
    pub fn repository(&self, root: &Path) -> PathBuf {
        self.repositories().join(file_name(&root.to_string_lossy()))
    }

    /// Where builds are that were saved.
    pub fn all_saved(&self) -> PathBuf {
        self.path.join("saved")
    }

    pub fn saved(&self, name: &str) -> PathBuf {
        self.all_saved().join(file_name(name))
    }
}

/// What is held while the clone or the target directory of a repository is used: beside its place,
/// so that it stays when that goes.
pub fn lock_of(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// A target directory in the place of a repository, for the workspace at `root` alone: cargo takes
/// packages of one name, at one place in their workspaces, for one package.
pub fn target_of(place: &Path, kind: &str, root: &Path) -> PathBuf {
    place.join(kind).join(file_name(&root.to_string_lossy()))
}

/// Creates a folder and those around it.
pub fn create(folder: &Path) -> Result<(), Stop> {
    fs::create_dir_all(folder).map_err(|error| refused(folder, "created", &error))
}

/// That a file or folder of the cache cannot be `done` something to, and what helps.
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

/// The XDG base directory specification, Apple's file system programming guide, and Windows' known
/// folders name these.
fn system_cache() -> Option<PathBuf> {
    if cfg!(windows) {
        return variable("LOCALAPPDATA");
    }
    let home = || env::home_dir().filter(|home| home.is_absolute());
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Caches"));
    }
    // A relative path is to be ignored, says the specification.
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
    fn who_cannot_write_is_told_what_helps() {
        let told = |kind: io::ErrorKind| match refused(Path::new("/c"), "written", &kind.into()) {
            Stop::Environment(text) => text,
            other => panic!("{other:?}"),
        };
        let full = told(io::ErrorKind::StorageFull);
        assert!(full.contains("; make room there, or name"), "{full}");
        assert!(full.ends_with("the variable TOURBILLON_CACHE"), "{full}");
        let refused = told(io::ErrorKind::ReadOnlyFilesystem);
        assert!(refused.contains("make it writable"), "{refused}");
    }

    #[test]
    fn no_name_leads_out_of_the_cache() {
        let cache = Cache::at(PathBuf::from("/cache"));
        let saved = cache.saved("../../etc");
        assert_eq!(saved.parent(), Some(Path::new("/cache/saved")));
    }
}
