//! Folders in which several builds write, one after the other.

use std::mem;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The folders in which builds of a repository write: target directories, and the checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedFolders {
    folders: Vec<PathBuf>,
    /// The compiler's own folder, which may lie in one of them, as it is named and without links.
    sysroot: Vec<PathBuf>,
    /// Where the compiler is started, from which relative paths lead.
    root: PathBuf,
}

impl SharedFolders {
    pub(crate) fn new<'f>(
        given: impl Iterator<Item = &'f Path>,
        sysroot: &Path,
        root: &Path,
    ) -> SharedFolders {
        let named_and_real = |folder: &Path| {
            let real = folder.canonicalize().ok();
            [folder.to_owned()].into_iter().chain(real)
        };
        SharedFolders {
            folders: given.flat_map(named_and_real).collect(),
            sysroot: named_and_real(sysroot).collect(),
            root: root.to_owned(),
        }
    }

    /// The path that a word of the linker names, and whether it leads into one of the folders, directly or by links.
    pub(crate) fn located(&self, path: &str) -> (PathBuf, bool) {
        let path = self.root.join(path);
        let is_in = |path: &Path, folders: &[PathBuf]| {
            let mut folders = folders.iter();
            folders.any(|folder| path.starts_with(folder))
        };
        let within = |path: &Path| is_in(path, &self.folders) && !is_in(path, &self.sysroot);
        let is_shared = within(&path) || path.canonicalize().is_ok_and(|real| within(&real));
        (path, is_shared)
    }

    /// The first of the files that a linker read, as it listed them in a rule of make, that is in one of the folders; also
    /// one that it found by a relative path.
    pub(crate) fn first_read(&self, rule: &str) -> Option<String> {
        let (_, read) = rule.split_once(": ")?;
        let read = prerequisites(read);
        read.into_iter()
            .find(|path| Path::new(path).is_relative() || self.located(path).1)
    }

    /// Whether a word names one of the folders or a file in one in any other way.
    pub(crate) fn are_named_by(&self, word: &str) -> bool {
        // More words are in the file.
        if word.starts_with('@') {
            return true;
        }
        let sysroot = self.sysroot.iter().map(|folder| folder.to_string_lossy());
        let word = sysroot.fold(word.to_owned(), |word, own| word.replace(&*own, ""));
        let has = |folder: &PathBuf| folder.to_str().is_some_and(|folder| word.contains(folder));
        let mut parts = word.split([',', '=']);
        let is_file = |part: &str| {
            let (path, is_shared) = self.located(part);
            is_shared && !part.is_empty() && path.is_file()
        };
        self.folders.iter().any(has) || parts.any(is_file)
    }
}

/// The names in the first rule of make, in which a backslash precedes blanks, line breaks and number signs.
fn prerequisites(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\n' => break,
            ' ' => names.push(mem::take(&mut name)),
            '\\' => name.extend(characters.next().filter(|escaped| *escaped != '\n')),
            '$' => name.extend(characters.next()),
            _ => name.push(character),
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linkers of ELF files write such rules.
    #[cfg(unix)]
    #[test]
    fn files_of_shared_folders_that_a_linker_read_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let (checkout, target) = (root.join("checkout"), root.join("target"));
        let folders = [checkout.as_path(), &target].into_iter();
        let shared = SharedFolders::new(folders, &checkout.join("rust"), &checkout);
        let root = root.display();
        for (rule, expected) in [
            (
                "$/out/b: \\\n  /usr/lib/crt1.o \\\n  $/kept/0-b.o\n\n$/target/out/a:\n",
                None,
            ),
            (
                "$/out/b: /usr/lib/crt1.o $/target/out/a\\ b.o\n",
                Some("$/target/out/a b.o"),
            ),
            (
                "$/out/b: \\\n  /a$$b \\\n  $/checkout/x.o\n",
                Some("$/checkout/x.o"),
            ),
            ("$/out/b: vendor/x.o\n", Some("vendor/x.o")),
            ("$/out/b: $/checkout/rust/libstd.rlib\n", None),
        ] {
            let at = |text: &str| text.replace("$/", &format!("{root}/"));
            let found = shared.first_read(&at(rule));
            assert_eq!(found, expected.map(at), "{rule}");
        }
    }
}
