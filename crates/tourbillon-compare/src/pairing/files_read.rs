//! Which files a program reads when each of its benchmarks is executed once, as the system reports it.

use std::collections::BTreeSet;
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

use crate::options::Options;
use crate::pairing::listing::set_file;

/// With more files, the system is not asked.
const MOST: usize = 5_000;
/// How long a report of the system is waited for.
const LATEST: Duration = Duration::from_secs(5);

/// Whether the selected benchmarks of a program, executed once each, open none of these files of the checkout, named
/// from its root, and list none of the folders that these are in. Where that cannot be known, they may: on other
/// systems than Linux, for files that are missing, and if the program fails.
pub(crate) fn reads_none(
    build: &Build,
    executable: &Executable,
    options: &Options,
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
    program
        .words(&["--bench", "--test"])
        .verbatim(&options.bench_flags);
    let process = program.process();
    set_file(process, options.file.as_deref());
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
            let above = file.ancestors().take_while(|above| above.starts_with(root));
            watched.extend(above.filter(|_| is_file).map(Path::to_owned));
            if !is_file {
                return None;
            }
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
    fn a_file_that_is_missing_may_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Opened::watch(folder.path(), &[Path::new("missing")]).is_none());
    }
}
