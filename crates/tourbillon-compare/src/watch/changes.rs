//! Changes of files, as the system reports them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use notify::event::{EventKind, ModifyKind};
use notify::{Config, RecommendedWatcher, RecursiveMode, Watcher, WatcherKind};
use tourbillon_clock::Stopwatch;
use tourbillon_os::Signals;
use tourbillon_tool::exit::Stop;

use super::saves::FileEvents;

/// Changes of files, as the system reports them.
pub(super) struct FileChanges {
    root: PathBuf,
    watcher: RecommendedWatcher,
    changes: Receiver<notify::Result<notify::Event>>,
    stopwatch: Stopwatch,
    signals: Signals,
}

impl FileChanges {
    /// Of the checkout at `root`, which has these files.
    pub(super) fn new(
        root: &Path,
        files: &BTreeSet<PathBuf>,
        signals: Signals,
    ) -> Result<FileChanges, Stop> {
        let refused = |error: notify::Error| {
            let what = format!("files below {root:?} cannot be watched: {error}");
            Stop::Environment(match error.kind {
                notify::ErrorKind::MaxFilesWatch => {
                    format!("{what}; raise the limit fs.inotify.max_user_watches")
                }
                _ => what,
            })
        };
        let (sender, changes) = mpsc::channel();
        // What is behind a link belongs to the checkout where it is, or is none of it.
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(sender, config).map_err(refused)?;
        // Linux watches one folder at a time: those of target directories are many, and are not asked for.
        if RecommendedWatcher::kind() == WatcherKind::Inotify {
            for folder in folders(root, files) {
                let watched = watcher.watch(folder, RecursiveMode::NonRecursive);
                // Git lists what it tracks, also in folders that were removed.
                if folder == root || folder.is_dir() {
                    watched.map_err(refused)?;
                }
            }
        } else {
            watcher
                .watch(root, RecursiveMode::Recursive)
                .map_err(refused)?;
        }
        let mut changes = FileChanges {
            root: root.to_owned(),
            watcher,
            changes,
            stopwatch: Stopwatch::start(),
            signals,
        };
        for repository in files {
            changes.follow(repository);
        }
        Ok(changes)
    }

    /// The files of a message; the root where some may be missing.
    fn files_of(&self, message: notify::Result<notify::Event>) -> Vec<PathBuf> {
        match message {
            Ok(event) if event.need_rescan() => vec![self.root.clone()],
            Ok(event) if is_of_contents(event.kind) => event.paths,
            Ok(_) => Vec::new(),
            Err(_) => vec![self.root.clone()],
        }
    }
}

/// The folders of files, from the root on.
fn folders<'p>(root: &'p Path, files: &'p BTreeSet<PathBuf>) -> BTreeSet<&'p Path> {
    let mut folders = BTreeSet::from([root]);
    for file in files {
        let above = file.ancestors().skip(1);
        for folder in above.take_while(|folder| *folder != root) {
            if !folders.insert(folder) {
                break;
            }
        }
    }
    folders
}

/// Whether a file was written, made, removed or renamed: not read, and not given other rights or dates.
fn is_of_contents(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_))
    )
}

impl FileEvents for FileChanges {
    fn now_ns(&self) -> u64 {
        self.stopwatch.elapsed_ns()
    }

    fn wait(&mut self, longest_ns: u64) -> Vec<PathBuf> {
        let Ok(first) = self.changes.recv_timeout(Duration::from_nanos(longest_ns)) else {
            return Vec::new();
        };
        let mut files = self.files_of(first);
        while let Ok(next) = self.changes.try_recv() {
            files.extend(self.files_of(next));
        }
        files
    }

    fn follow(&mut self, folder: &Path) {
        let is_folder = fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir());
        if is_folder && RecommendedWatcher::kind() == WatcherKind::Inotify {
            // It may be gone already.
            let _ = self.watcher.watch(folder, RecursiveMode::Recursive);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.signals.noted().is_some()
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, MetadataKind};

    use super::*;

    #[test]
    fn folders_are_those_of_files_and_above() {
        let files = ["/r/a/b/c.rs", "/r/a/b/d.rs", "/r/e/f.rs", "/r/g.rs"];
        let files = files.map(PathBuf::from).into();
        let found = folders(Path::new("/r"), &files);
        assert_eq!(
            found,
            ["/r", "/r/a", "/r/a/b", "/r/e"].map(Path::new).into()
        );
    }

    #[test]
    fn a_folder_that_was_removed_is_not_watched() {
        let root = tempfile::tempdir().expect("a folder");
        let files = BTreeSet::from([root.path().join("docs/a.md")]);
        let signals = Signals::install().expect("signals");
        let watched = FileChanges::new(root.path(), &files, signals);
        assert!(watched.is_ok(), "{:?}", watched.err());
    }

    #[test]
    fn reading_is_no_change() {
        for (kind, expected) in [
            (EventKind::Access(AccessKind::Any), false),
            (
                EventKind::Modify(ModifyKind::Metadata(MetadataKind::WriteTime)),
                false,
            ),
            (EventKind::Modify(ModifyKind::Any), true),
            (EventKind::Create(CreateKind::File), true),
        ] {
            assert_eq!(is_of_contents(kind), expected, "{kind:?}");
        }
    }
}
