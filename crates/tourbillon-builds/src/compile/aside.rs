//! An executable that is put aside, so that cargo makes it again.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How folders begin that the compiler makes beside its output, and that `-Csave-temps` keeps, too.
const FOLDERS: [&str; 2] = ["rustc", "rmeta"];

/// The ending of what is put aside.
const ENDING: &str = ".aside";

/// An executable of cargo, until it is made again.
///
/// Where it is not, it is put back, with its date: cargo compares dates, and a copy would be newer than a library that was
/// compiled meanwhile. Besides it, all that the compiler leaves for its objects is removed.
pub(crate) struct Aside {
    executable: PathBuf,
    aside: PathBuf,
    /// What was in its folder before. The compiler writes some files of its name for debuggers.
    before: BTreeSet<OsString>,
}

impl Aside {
    pub(crate) fn put(executable: &Path) -> Aside {
        let mut aside = executable.to_owned().into_os_string();
        aside.push(ENDING);
        let mut put = Aside {
            executable: executable.to_owned(),
            aside: aside.into(),
            before: BTreeSet::new(),
        };
        put.before = put.files().collect();
        // Where a process that was killed left one, it is replaced.
        put.before.remove(put.aside.file_name().unwrap_or_default());
        // One that stays is up to date for cargo, and nothing is printed.
        let _ = fs::rename(executable, &put.aside);
        put
    }

    /// What is in its folder.
    fn files(&self) -> impl Iterator<Item = OsString> {
        let folder = self.executable.parent().map(fs::read_dir);
        let entries = folder.into_iter().flatten().flatten().flatten();
        entries.map(|entry| entry.file_name())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Files that cannot be removed do no harm.
        if !self.executable.exists() {
            let _ = fs::rename(&self.aside, &self.executable);
        }
        let made = written(&self.executable);
        let own = self.executable.file_name().unwrap_or_default();
        let stem = self.executable.file_stem().unwrap_or_default();
        let prefix = format!("{}.", stem.to_string_lossy());
        for name in self.files() {
            let path = self.executable.with_file_name(&name);
            let is_left = self.before.contains(&name) || name == own;
            let begins = |start: &str| !is_left && name.to_string_lossy().starts_with(start);
            if begins(&prefix) {
                let _ = fs::remove_file(path);
            } else if FOLDERS.into_iter().any(begins) && written(&path) <= made {
                // A later one may be of another cargo, which has waited for this one to end.
                let _ = fs::remove_dir_all(path);
            }
        }
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|about| about.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let deps = folder.path().join("target/deps");
        fs::create_dir_all(&deps).expect("a folder");
        let write = |file: &str| fs::write(deps.join(file), file).expect("a file");
        let left = || {
            let entries = fs::read_dir(&deps).expect("a folder").flatten();
            entries
                .map(|entry| entry.file_name())
                .collect::<BTreeSet<_>>()
        };
        let before = [
            "b-1.exe", "b-1.d", "b-1.y.o", "b-10.o", "lib.rlib", "rustcXy",
        ];
        before.into_iter().for_each(write);
        let expected = left();
        let path = deps.join("b-1.exe");
        let date = || written(&path);
        let dated = date();
        write("b-1.exe.aside");
        let aside = Aside::put(&path);
        assert!(!path.exists() && date() != dated);
        ["b-1.x.o", "b-1.d", "b-10.o"].into_iter().for_each(write);
        drop(aside);
        assert_eq!((left(), date()), (expected.clone(), dated));
        let aside = Aside::put(&path);
        for folder in ["rustcAb1", "rmetaAb1"] {
            fs::create_dir(deps.join(folder)).expect("a folder");
            write(&format!("{folder}/made"));
        }
        ["b-1.x.o", "b-1.x.bc"].into_iter().for_each(write);
        fs::write(&path, "again").expect("a file");
        drop(aside);
        assert_eq!(left(), expected);
        assert_eq!(fs::read(&path).expect("a file"), b"again");
    }
}
