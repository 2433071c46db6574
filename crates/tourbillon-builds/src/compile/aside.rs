//! An executable that is put aside, so that cargo makes it again.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::placement::link_line::{LinkLine, Word};

/// The ending of what is put aside.
const ENDING: &str = ".aside";

/// An executable of cargo, until it is made again.
///
/// Where it is not, it is put back, with its date: cargo compares dates, and a copy would be newer than a library that was
/// compiled meanwhile. Besides it, all that the compiler leaves for its objects is removed.
pub(crate) struct Aside {
    executable: PathBuf,
    aside: PathBuf,
    /// The files of its name that were there before. The compiler writes some of them for debuggers.
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

    /// The names of the executable, with all endings.
    fn files(&self) -> impl Iterator<Item = OsString> {
        let stem = self.executable.file_stem().unwrap_or_default();
        let prefix = format!("{}.", stem.to_string_lossy());
        let entries = self.executable.parent().map(fs::read_dir);
        let names = entries.into_iter().flatten().flatten().flatten();
        let names = names.map(|entry| entry.file_name());
        names.filter(move |name| name.to_string_lossy().starts_with(&prefix))
    }

    /// Removes the compiler's temporary folder, which `-Csave-temps` keeps, too.
    pub(crate) fn remove_temporary_folder(&self, line: &LinkLine) {
        for word in &line.words {
            let Word::Plain(text) = word else { continue };
            let Some(around) = Path::new(text).parent() else {
                continue;
            };
            let name = around.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("rustc") && around.parent() == self.executable.parent() {
                let _ = fs::remove_dir_all(around);
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Files that cannot be removed do no harm.
        if !self.executable.exists() {
            let _ = fs::rename(&self.aside, &self.executable);
        }
        let own = self.executable.file_name().map(OsStr::to_owned);
        for name in self.files() {
            if !self.before.contains(&name) && Some(&name) != own.as_ref() {
                let _ = fs::remove_file(self.executable.with_file_name(name));
            }
        }
    }
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
        before.iter().for_each(|file| write(file));
        let expected = left();
        let path = deps.join("b-1.exe");
        let date = || path.metadata().and_then(|about| about.modified()).ok();
        let dated = date();
        write("b-1.exe.aside");
        let aside = Aside::put(&path);
        assert!(!path.exists() && date() != dated);
        ["b-1.x.o", "b-1.d", "b-10.o"]
            .iter()
            .for_each(|file| write(file));
        drop(aside);
        assert_eq!((left(), date()), (expected.clone(), dated));
        let aside = Aside::put(&path);
        fs::create_dir(deps.join("rustcAb1")).expect("a folder");
        ["b-1.x.o", "b-1.x.bc", "rustcAb1/symbols.o"]
            .iter()
            .for_each(|file| write(file));
        fs::write(&path, "again").expect("a file");
        let symbols = deps.join("rustcAb1/symbols.o");
        aside.remove_temporary_folder(&LinkLine {
            words: vec![Word::Plain(symbols.to_string_lossy().into_owned())],
            ..LinkLine::default()
        });
        drop(aside);
        assert_eq!(left(), expected);
        assert_eq!(fs::read(&path).expect("a file"), b"again");
    }
}
