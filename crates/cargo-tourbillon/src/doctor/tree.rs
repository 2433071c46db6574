//! The files of /proc and /sys.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tourbillon_coordinator::platform::core_kinds::CoreKinds;

/// A value, or why it is unknown.
pub(super) type Known<T> = Result<T, String>;

/// These files below a folder: `/` for this machine, another folder for a recorded one.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
}

impl Tree {
    /// This machine.
    pub(super) fn system() -> Tree {
        Tree::at(PathBuf::from("/"))
    }

    /// The machine whose files are in a folder.
    pub(super) fn at(root: PathBuf) -> Tree {
        Tree { root }
    }

    /// The kinds of its cores; `None` where they are alike, or the system does not tell.
    pub(super) fn core_kinds(&self) -> Option<CoreKinds> {
        if self.root == Path::new("/") {
            CoreKinds::of_machine()
        } else {
            CoreKinds::read(&self.root, &|| None)
        }
    }

    /// The trimmed text of a file, by its path on the machine.
    pub(super) fn read(&self, path: &str) -> Known<String> {
        match fs::read(self.root.join(path.trim_start_matches('/'))) {
            Ok(bytes) => Ok(String::from_utf8_lossy(bytes.trim_ascii()).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(format!("this system has no {path}"))
            }
            Err(error) => Err(format!("{path} cannot be read: {error}")),
        }
    }

    /// The number in a file.
    pub(super) fn number(&self, path: &str) -> Known<i64> {
        let text = self.read(path)?;
        text.parse()
            .map_err(|_| format!("{path} {text:?} is not understood"))
    }

    /// The sorted names in a folder.
    pub(super) fn names(&self, folder: &str) -> Known<Vec<String>> {
        let mut names: Vec<String> = fs::read_dir(self.root.join(folder.trim_start_matches('/')))
            .map_err(|_| format!("this system has no {folder}"))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        Ok(names)
    }

    /// The numbers of the processors that have a folder.
    pub(super) fn processors(&self) -> Vec<u32> {
        let names = self.names("/sys/devices/system/cpu").unwrap_or_default();
        let number = |name: &String| name.strip_prefix("cpu")?.parse().ok();
        let mut numbers: Vec<u32> = names.iter().filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// What follows the key in the first line `key ..` of a text.
pub(super) fn after<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let mut found = lines.filter(|(name, _)| *name == key);
    found.next().map(|(_, value)| value)
}

/// The numbers of a list such as `0-3,8`.
pub(super) fn listed(list: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    let parts = list.split(',').map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        numbers.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        assert_eq!(after("pswpin 3\npswpout 4\n", "pswpout"), Some("4"));
        assert_eq!(after("pswpin 3\n", "pswpout"), None);
        assert_eq!(listed("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(listed(""), Some(Vec::new()));
        assert_eq!(listed("a-b"), None);
    }

    #[test]
    fn a_missing_file_is_a_reason_that_names_the_path_of_the_machine() {
        let tree = Tree::at(PathBuf::from("/there/is/no/such/folder"));
        let gone = "this system has no /proc/stat".to_owned();
        assert_eq!(tree.read("/proc/stat"), Err(gone.clone()));
        assert_eq!(tree.number("/proc/stat"), Err(gone));
        assert!(tree.names("/proc").is_err());
        assert!(tree.processors().is_empty());
    }
}
