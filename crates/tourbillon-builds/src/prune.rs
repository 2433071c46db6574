//! Limits the size of the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::cache::{Cache, lock_of};
use super::lock::Lock;
use super::record::{FILE, USED};
use super::unfinished::UNFINISHED;

/// Limit for builds, in bytes: some hundred builds with a few placements each.
const BUILDS: u64 = 4 << 30;

/// Limit for clones with their target directories, in bytes.
const REPOSITORIES: u64 = 20 << 30;

/// Removes what was not used for longest until the cache is within its limits, and what killed
/// programs left unfinished. Builds in use and saved builds stay.
pub fn prune(cache: &Cache) {
    shrink(&cache.builds(), |build| build.join(USED), BUILDS);
    shrink(&cache.repositories(), lock_of, REPOSITORIES);
}

/// `lock` names a file for each folder whose date is that of the last use, and which is locked
/// while the folder is used.
fn shrink(folder: &Path, lock: impl Fn(&Path) -> PathBuf, most: u64) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    let mut kept: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for path in folders {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(UNFINISHED) {
            remove(&path, &lock(&path));
            continue;
        }
        let used = fs::metadata(lock(&path)).and_then(|file| file.modified());
        let size = size(&path);
        kept.push((used.unwrap_or(SystemTime::UNIX_EPOCH), path, size));
    }
    kept.sort();
    let mut total: u64 = kept.iter().map(|(_, _, size)| size).sum();
    for (_, path, size) in kept {
        if total <= most {
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
pub fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first_and_what_is_in_use_stays() {
        let root = std::env::temp_dir().join(format!("tourbillon-prune-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (age, name) in [(1, "newest"), (3, "oldest"), (2, "middle"), (4, "held")] {
            let folder = root.join(name);
            fs::create_dir_all(folder.join("0")).expect("a folder");
            fs::write(folder.join("0/file"), [0; 100]).expect("a file");
            let used = fs::File::create(folder.join(USED)).expect("a file");
            let then = SystemTime::now() - Duration::from_secs(age * 1000);
            used.set_modified(then).expect("a date");
        }
        let half = root.join(format!("{UNFINISHED}1"));
        fs::create_dir_all(&half).expect("a folder");
        let held = Lock::share(&root.join("held").join(USED)).expect("a lock");
        assert_eq!(size(&root), 400);
        let left = || {
            let entries = fs::read_dir(&root).expect("a folder").flatten();
            let mut left: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            left.sort();
            left
        };
        shrink(&root, |folder| folder.join(USED), 400);
        assert_eq!(left().len(), 4);
        shrink(&root, |folder| folder.join(USED), 300);
        assert_eq!(left(), ["held", "middle", "newest"]);
        shrink(&root, |folder| folder.join(USED), 0);
        assert_eq!(left(), ["held"]);
        drop(held);
        let _ = fs::remove_dir_all(&root);
    }
}
