//! Which files a program reads when each of its benchmarks is executed once, as the system reports it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use notify::event::{AccessKind, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher, WatcherKind};
use tempfile::NamedTempFile;
use tourbillon_builds::{Build, Executable, IgnoreRules};
use tourbillon_os::Signals;
use tourbillon_tool::program_output::{Limits, printed};
use tourbillon_values::regular_file;

use crate::pairing::listing::set_file;

/// With more files, the system is not asked.
const MOST: usize = 5_000;
/// How long a report of the system is waited for.
const LATEST: Duration = Duration::from_secs(5);

/// The files that programs were seen not to read, so that they are not executed again for these.
#[derive(Debug, Default)]
pub struct UnreadFiles {
    /// By the fingerprint of the program and what was executed of it.
    of_programs: RefCell<HashMap<(String, Vec<String>), Unread>>,
}

/// What one program does not read while the other files of the checkout are as they were.
#[derive(Debug)]
struct Unread {
    files: BTreeSet<PathBuf>,
    others: BTreeMap<PathBuf, String>,
}

impl UnreadFiles {
    /// Whether a program is known to read none of these files, or [is seen to](reads_none).
    pub(crate) fn include(
        &self,
        (build, executable): (&Build, &Executable),
        (flags, file): (&[String], Option<&Path>),
        files: &[&Path],
    ) -> bool {
        let program = (executable.fingerprint.clone(), flags.to_vec());
        let data = build.data.as_ref();
        let is_known = |data| {
            let of_programs = self.of_programs.borrow();
            let unread = of_programs.get(&program);
            unread.is_some_and(|unread| unread.includes(files, data))
        };
        if data.is_some_and(is_known) {
            return true;
        }
        let are_unread = reads_none((build, executable), (flags, file), files);
        if let (true, Some(data)) = (are_unread, data) {
            let unread = Unread::among(data, files);
            self.of_programs.borrow_mut().insert(program, unread);
        }
        are_unread
    }
}

impl Unread {
    fn among(data: &BTreeMap<PathBuf, String>, files: &[&Path]) -> Unread {
        let is_other = |file: &PathBuf| !files.contains(&file.as_path());
        let others = data.iter().filter(|(file, _)| is_other(file));
        Unread {
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            others: others
                .map(|(file, hash)| (file.clone(), hash.clone()))
                .collect(),
        }
    }

    /// What a program reads can name other files for it, so that none of these may have changed.
    fn includes(&self, files: &[&Path], data: &BTreeMap<PathBuf, String>) -> bool {
        let others = data.iter().filter(|(file, _)| !self.files.contains(*file));
        files.iter().all(|file| self.files.contains(*file)) && others.eq(&self.others)
    }
}

/// Whether the selected benchmarks of a program, executed once each, open none of these files of the checkout, named
/// from its root, and list none of the folders there that these are in. Where that cannot be known, they may: on other
/// systems than Linux, for files that are missing, and if the program fails.
fn reads_none(
    (build, executable): (&Build, &Executable),
    (flags, file): (&[String], Option<&Path>),
    files: &[&Path],
) -> bool {
    let home = executable.home.as_deref().filter(|home| home.is_dir());
    let checkout = home.and_then(IgnoreRules::around);
    let (Some(checkout), true) = (checkout, files.len() <= MOST) else {
        return false;
    };
    // The files of a submodule are named from the root of the repository around it.
    let above = checkout.root().parent();
    if above.is_some_and(|above| IgnoreRules::around(above).is_some()) {
        return false;
    }
    let Some(opened) = Opened::watch(checkout.root(), files) else {
        return false;
    };
    let mut program = executable.invocation(build);
    program.words(&["--bench", "--test"]).verbatim(flags);
    let process = program.process();
    set_file(process, file);
    process.stderr(Stdio::null());
    let run = printed(process, Limits::LIST, Signals::installed());
    run.is_ok_and(|run| run.status.success()) && opened.nothing()
}

/// Files and their folders, watched for being opened by any process.
struct Opened {
    watched: BTreeSet<PathBuf>,
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<notify::Event>>,
}

impl Opened {
    /// Those of files below `root`; `None` where the system does not report it.
    fn watch(root: &Path, files: &[&Path]) -> Option<Opened> {
        if RecommendedWatcher::kind() != WatcherKind::Inotify {
            return None;
        }
        let mut watched = BTreeSet::new();
        for file in files {
            let file = root.join(file);
            let is_file = file.symlink_metadata().is_ok_and(|found| found.is_file());
            if !is_file {
                return None;
            }
            let above = file.ancestors().skip(1);
            let above = above.take_while(|above| above.starts_with(root));
            watched.extend(above.map(Path::to_owned));
            watched.insert(file);
        }
        let (sender, events) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(sender).ok()?;
        for path in &watched {
            watcher.watch(path, RecursiveMode::NonRecursive).ok()?;
        }
        Some(Opened {
            watched,
            watcher,
            events,
        })
    }

    /// Whether none was opened until now.
    fn nothing(mut self) -> bool {
        // Reports are in order: when that of a file that is opened here has come, all before it have.
        let Ok(last) = NamedTempFile::new() else {
            return false;
        };
        let watched = self.watcher.watch(last.path(), RecursiveMode::NonRecursive);
        if watched.is_err() || regular_file::read(last.path(), 0).is_err() {
            return false;
        }
        while let Ok(Ok(event)) = self.events.recv_timeout(LATEST) {
            let is_open = matches!(event.kind, EventKind::Access(AccessKind::Open(_)));
            if is_open && event.paths.iter().any(|path| path == last.path()) {
                return true;
            }
            let is_of_watched = event.paths.iter().any(|path| self.watched.contains(path));
            if event.need_rescan() || is_open && is_of_watched {
                return false;
            }
        }
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// Whether a look at a folder with the files `a`, `b/c` and `b/other`, of which the first two differ, is seen.
    fn is_seen(look: impl FnOnce(&Path)) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir(root.join("b")).expect("a folder");
        for file in ["a", "b/c", "b/other"] {
            fs::write(root.join(file), "1").expect("a file");
        }
        fs::hard_link(root.join("a"), root.join("linked")).expect("a link");
        let files = ["a", "b/c"].map(Path::new);
        let opened = Opened::watch(root, &files).expect("reported");
        look(root);
        !opened.nothing()
    }

    #[test]
    fn what_is_opened_and_listed_is_seen() {
        let read = |name: &'static str| {
            move |root: &Path| assert_eq!(fs::read(root.join(name)).expect("a file"), b"1")
        };
        assert!(is_seen(read("a")));
        assert!(is_seen(read("b/c")));
        assert!(is_seen(read("linked")));
        assert!(!is_seen(read("b/other")));
        assert!(!is_seen(|_| ()));
        assert!(is_seen(|root| assert!(
            fs::read_dir(root.join("b")).is_ok()
        )));
        assert!(is_seen(|root| {
            let shown = Command::new("cat").arg(root.join("b/c")).output();
            assert!(shown.expect("cat").status.success());
        }));
    }

    #[test]
    fn what_was_not_read_is_not_read_until_another_file_changes() {
        let data = |files: [(&str, &str); 3]| -> BTreeMap<PathBuf, String> {
            let owned = files.map(|(file, hash)| (PathBuf::from(file), hash.to_owned()));
            owned.into()
        };
        let unread = Unread::among(
            &data([("a", "1"), ("b", "1"), ("c", "1")]),
            &["a", "b"].map(Path::new),
        );
        let includes = |files: &[&str], hashes: [&str; 3]| {
            let [a, b, c] = hashes;
            let files: Vec<&Path> = files.iter().map(Path::new).collect();
            unread.includes(&files, &data([("a", a), ("b", b), ("c", c)]))
        };
        assert!(includes(&["a"], ["2", "1", "1"]));
        assert!(includes(&["a", "b"], ["2", "3", "1"]));
        assert!(
            !includes(&["a", "c"], ["2", "1", "1"]),
            "c was not looked at"
        );
        assert!(!includes(&["a"], ["2", "1", "2"]), "c may name a");
        assert!(
            !unread.includes(&[Path::new("a")], &BTreeMap::new()),
            "c is gone"
        );
    }

    #[test]
    fn a_file_that_is_missing_may_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Opened::watch(folder.path(), &[Path::new("missing")]).is_none());
    }
}
