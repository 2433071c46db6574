//! What takes room in the cache, and what is removed where that is too much.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io, thread};

use tourbillon_values::limits::shown;
use walkdir::WalkDir;

use crate::cache::build::{FILE, PLACED, stored_label};
use crate::cache::lock::{Lock, UNFINISHED, USED};
use crate::cache::programs::DEPS;
use crate::cache::{BUILDS, Cache, SIZE, lock_of, used_of};
use crate::error::{Error, Result, refused};

/// How often a lock is tried to be taken that should be free, and the time between.
const PATIENCE: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// Placements of the executables of a build, which are linked again when needed.
    Placements,
    /// A build: executables, and what they are linked from.
    Build,
    /// The clone of a repository, and target directories for its workspaces.
    Clone,
    /// Records of commands.
    Records,
    /// A build that was saved under a name.
    Saved,
}

/// Something that is kept.
#[derive(Clone, Debug)]
pub struct CacheEntry {
    /// What it is.
    pub kind: EntryKind,
    /// Which one, for people.
    pub name: String,
    /// Bytes on disk. A file with several names counts in parts.
    pub bytes: u64,
    /// When it was last used; 1970 if that is unknown or in the future.
    pub used: SystemTime,
    folder: PathBuf,
}

impl EntryKind {
    /// All kinds, in the order in which they go where there is too little room.
    pub const ALL: [EntryKind; 5] = [
        EntryKind::Placements,
        EntryKind::Build,
        EntryKind::Clone,
        EntryKind::Records,
        EntryKind::Saved,
    ];

    /// As typed, and as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EntryKind::Placements => "placements",
            EntryKind::Build => "builds",
            EntryKind::Clone => "clones",
            EntryKind::Records => "records",
            EntryKind::Saved => "saved",
        }
    }

    /// Whether it goes by itself where there is too little room.
    #[must_use]
    pub fn is_limited(self) -> bool {
        matches!(
            self,
            EntryKind::Placements | EntryKind::Build | EntryKind::Clone
        )
    }
}

impl CacheEntry {
    fn new(
        kind: EntryKind,
        name: String,
        folder: PathBuf,
        bytes: u64,
        now: SystemTime,
    ) -> CacheEntry {
        let lock = match kind {
            EntryKind::Clone => lock_of(&folder),
            _ => folder.join(USED),
        };
        // Its date is that of the last use.
        let used = fs::metadata(lock).and_then(|file| file.modified());
        CacheEntry {
            kind,
            name,
            bytes,
            used: used
                .ok()
                .filter(|used| *used <= now)
                .unwrap_or(SystemTime::UNIX_EPOCH),
            folder,
        }
    }

    /// Removes it; `false` if it is in use.
    ///
    /// # Errors
    ///
    /// When the system does not allow it.
    pub fn remove(&self) -> Result<bool> {
        let folder = &self.folder;
        let removed = match self.kind {
            EntryKind::Build | EntryKind::Saved => return remove_unused(folder),
            EntryKind::Placements => match Lock::alone(&folder.join(USED))? {
                Some(_alone) => placements(folder).try_for_each(fs::remove_dir_all),
                None => return Ok(false),
            },
            // A comparison whose builds are finished runs in it, without the first lock.
            EntryKind::Clone => match (
                Lock::alone(&lock_of(folder))?,
                Lock::alone(&used_of(folder))?,
            ) {
                (Some(_builds), Some(_runs)) => remove_folder(folder),
                _ => return Ok(false),
            },
            EntryKind::Records => fs::remove_dir_all(folder),
        };
        removed.map_err(|error| refused(folder, "removed", &error))?;
        Ok(true)
    }
}

impl Cache {
    /// What is kept, by kind and name.
    #[must_use]
    pub fn entries(&self) -> Vec<CacheEntry> {
        let now = SystemTime::now();
        let mut entries = Vec::new();
        let mut add = |kind, name: String, folder: &Path, bytes: u64| {
            if bytes > 0 {
                entries.push(CacheEntry::new(kind, name, folder.to_owned(), bytes, now));
            }
        };
        for folder in folders(&self.builds()) {
            let label = stored_label(&folder).unwrap_or_else(|| base_name(&folder));
            let placed = placements(&folder).map(|placed| size(&placed)).sum();
            let others = size(&folder).saturating_sub(placed);
            add(EntryKind::Placements, label.clone(), &folder, placed);
            add(EntryKind::Build, label, &folder, others);
        }
        for folder in folders(&self.repositories()) {
            add(EntryKind::Clone, base_name(&folder), &folder, size(&folder));
        }
        for folder in folders(&self.all_saved()) {
            let label = stored_label(&folder).unwrap_or_else(|| base_name(&folder));
            add(EntryKind::Saved, label, &folder, size(&folder));
        }
        let records = self.commands();
        add(
            EntryKind::Records,
            "commands".to_owned(),
            &records,
            size(&records),
        );
        entries.sort_by(|one, other| (one.kind, &one.name).cmp(&(other.kind, &other.name)));
        entries
    }

    /// Removes what was not used for longest until the cache is within its limit, placements before all else, and what
    /// killed programs left unfinished. Builds in use and saved builds stay. Says what was removed.
    pub fn prune(&self) {
        for folder in folders(&self.builds()) {
            if base_name(&folder).starts_with(UNFINISHED) {
                // What cannot be removed now is left for the next time.
                let _ = remove_unused(&folder);
            }
        }
        // As above.
        let (removed, _) = self.shrink(self.limit);
        if removed.is_empty() {
            return;
        }
        let bytes: u64 = removed.iter().map(|entry| entry.bytes).sum();
        let counts = EntryKind::ALL.into_iter().filter_map(|kind| {
            let count = removed.iter().filter(|entry| entry.kind == kind).count();
            let s = if count == 1 { "" } else { "s" };
            (count > 0).then(|| match kind {
                EntryKind::Placements => format!("the placements of {count} build{s}"),
                EntryKind::Build => format!("{count} build{s}"),
                _ => format!("{count} clone{s}"),
            })
        });
        let counts: Vec<String> = counts.collect();
        (self.log)(&format!(
            "the cache exceeded {}: removed {}, {} MiB; `cargo tourbillon cache` lists the rest, {SIZE} sets the limit\n",
            shown(self.limit),
            counts.join(", "),
            bytes.div_ceil(1 << 20)
        ));
    }

    /// Removes what was not used for longest until at most so many bytes are left; gives what was removed, and why others
    /// cannot be.
    pub fn shrink(&self, limit: u64) -> (Vec<CacheEntry>, Vec<Error>) {
        let mut entries = self.entries();
        entries.retain(|entry| entry.kind.is_limited());
        // Placements first.
        entries.sort_by_key(|entry| (entry.kind != EntryKind::Placements, entry.used));
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let (mut removed, mut failures) = (Vec::new(), Vec::new());
        for entry in entries {
            if total <= limit {
                break;
            }
            match entry.remove() {
                Ok(true) => {
                    total -= entry.bytes;
                    removed.push(entry);
                }
                // It is in use.
                Ok(false) => {}
                Err(failure) => failures.push(failure),
            }
        }
        (removed, failures)
    }

    /// Removes the placements of builds that are not in use.
    pub fn remove_placements(&self) {
        for entry in self.entries() {
            if entry.kind == EntryKind::Placements {
                // They are removed with their build otherwise.
                let _ = entry.remove();
            }
        }
    }
}

fn base_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The folders in a folder.
fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.is_dir() && !path.is_symlink())
}

/// The folders of placements in the folder of a build.
fn placements(build: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    folders(build)
        .flat_map(|executable| [executable.join(PLACED), executable.join(DEPS).join(PLACED)])
        .filter(|placed| placed.is_dir())
}

/// Removes the folder of an entry of the cache. It gets another name first: another program, and the next one after this was killed,
/// finds all of it or nothing.
pub(super) fn remove_folder(folder: &Path) -> io::Result<()> {
    let aside = || {
        let builds = folder.parent()?.with_file_name(BUILDS);
        let mut aside = tempfile::Builder::new();
        let aside = aside.prefix(UNFINISHED).tempdir_in(builds).ok()?;
        fs::rename(folder, aside.path().join("0")).ok()?;
        Some(aside)
    };
    match aside() {
        Some(aside) => match aside.close() {
            // Another program was first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            closed => closed,
        },
        // Windows does not rename a folder with open files. Without the file that describes it, it is no build.
        None => {
            let _ = fs::remove_file(folder.join(FILE));
            fs::remove_dir_all(folder)
        }
    }
}

/// Removes the folder of a build, unless another program uses it; `false` if one does.
fn remove_unused(folder: &Path) -> Result<bool> {
    let Some(alone) = Lock::alone(&folder.join(USED))? else {
        return Ok(false);
    };
    let _alone = alone.while_moved();
    remove_folder(folder).map_err(|error| refused(folder, "removed", &error))?;
    Ok(true)
}

/// Removes what is in the place of a build: one of another version, or a damaged one.
pub(super) fn remove_unusable(folder: &Path) -> Result<()> {
    for _ in 0..PATIENCE {
        if !folder.exists() || remove_unused(folder)? {
            return Ok(());
        }
        // One that removes it has it for a moment, as has a process that is being started.
        thread::sleep(PAUSE);
    }
    Err(Error::Environment(format!(
        "{folder:?} is damaged, or of another version of tourbillon, and another cargo tourbillon uses it; try again when \
         that has ended"
    )))
}

/// Bytes of all files below a folder. A file with several names counts in parts: it takes room once.
pub(crate) fn size(folder: &Path) -> u64 {
    let entries = WalkDir::new(folder).into_iter().flatten();
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    files
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some(metadata.len() / names(&metadata))
        })
        .sum()
}

/// How many names a file has.
fn names(metadata: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    let count = std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    let count = {
        let _ = metadata;
        1
    };
    count.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::build::Build;

    /// A folder of 100 bytes, 40 of them placements, that was last used so many seconds ago.
    fn build(builds: &Path, name: &str, age: i64) {
        let now = SystemTime::now();
        let folder = builds.join(name);
        fs::create_dir_all(folder.join("0").join(PLACED)).expect("a folder");
        fs::write(folder.join("0/file"), [0; 60]).expect("a file");
        fs::write(folder.join("0").join(PLACED).join("1"), [0; 40]).expect("a file");
        let used = fs::File::create(folder.join(USED)).expect("a file");
        let seconds = Duration::from_secs(age.unsigned_abs());
        let then = if age < 0 {
            now + seconds
        } else {
            now - seconds
        };
        used.set_modified(then).expect("a date");
    }

    fn left(folder: &Path) -> Vec<String> {
        let mut left: Vec<String> = folders(folder).map(|folder| base_name(&folder)).collect();
        left.sort();
        left
    }

    #[test]
    fn placements_go_first_then_what_was_not_used_for_longest_and_what_is_in_use_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path());
        let builds = cache.builds();
        for (name, age) in [
            ("newest", 1000),
            ("oldest", 3000),
            ("middle", 2000),
            ("held", 4000),
            ("ahead", -9000),
        ] {
            build(&builds, name, age);
        }
        let clone = cache.repositories().join("shop");
        fs::create_dir_all(&clone).expect("a folder");
        fs::write(clone.join("file"), [0; 100]).expect("a file");
        let saved = cache.all_saved();
        build(&saved, "kept", 9000);
        let unfinished = builds.join(format!("{UNFINISHED}1"));
        fs::create_dir_all(&unfinished).expect("a folder");
        let held = Lock::share(&builds.join("held").join(USED)).expect("a lock");
        let old = SystemTime::now() - Duration::from_secs(4000);
        let file = fs::File::open(builds.join("held").join(USED)).expect("a file");
        file.set_modified(old).expect("a date");

        let kinds = |entries: &[CacheEntry]| {
            let kinds = entries.iter().map(|entry| entry.kind.name());
            kinds.collect::<Vec<_>>().join(" ")
        };
        assert!(cache.shrink(600).0.is_empty());
        // The placements of four builds are enough.
        let (removed, _) = cache.shrink(450);
        assert_eq!(
            kinds(&removed),
            "placements placements placements placements"
        );
        assert_eq!(
            removed[0].name, "ahead",
            "a date in the future says nothing"
        );
        assert_eq!(left(&builds).len(), 6);
        // A clone without a date counts as the oldest, as does a date in the future.
        let (removed, _) = cache.shrink(220);
        let names: Vec<&str> = removed.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["ahead", "shop", "oldest"]);
        cache.prune();
        assert_eq!(left(&builds), ["held", "middle", "newest"]);
        cache.shrink(0);
        assert_eq!(left(&builds), ["held"]);
        assert_eq!(left(&saved), ["kept"]);
        drop(held);
    }

    #[test]
    fn a_file_with_two_names_takes_room_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        fs::write(&file, [0; 100]).expect("a file");
        assert_eq!(size(folder.path()), 100);
        if cfg!(unix) && fs::hard_link(&file, folder.path().join("b")).is_ok() {
            assert_eq!(size(folder.path()), 100);
        }
    }

    #[test]
    fn a_clone_in_which_programs_run_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path());
        let clone = cache.repositories().join("shop");
        fs::create_dir_all(&clone).expect("a folder");
        fs::write(clone.join("file"), [0; 100]).expect("a file");
        let build = Build::default().holding(&clone).expect("held");
        assert!(cache.shrink(0).0.is_empty());
        let entries = cache.entries();
        let entry = entries.iter().find(|entry| entry.kind == EntryKind::Clone);
        assert!(!entry.expect("a clone").remove().expect("no error"));
        assert!(clone.join("file").is_file());
        drop(build);
        // A process that another test starts has a copy of the lock until its program runs.
        for _ in 0..1000 {
            if cache.shrink(0).0.len() == 1 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(!clone.exists());
    }

    #[test]
    fn placements_of_builds_in_use_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path());
        build(&cache.builds(), "used", 1);
        build(&cache.builds(), "unused", 1);
        let hold = Lock::share(&cache.builds().join("used").join(USED)).expect("a lock");
        cache.remove_placements();
        let has = |name: &str| placements(&cache.builds().join(name)).next().is_some();
        assert!(has("used") && !has("unused"));
        drop(hold);
    }
}
