//! Recorded machines for tests: the relevant files of /proc and /sys.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::checks;
use super::finding::Finding;
use super::moment::{Moment, Observations};
use super::tree::Tree;

pub(super) const LAPTOP: &str = include_str!("laptop.txt");
pub(super) const SERVER: &str = include_str!("server.txt");
pub(super) const CONTAINER: &str = include_str!("container.txt");
pub(super) const GUEST: &str = include_str!("guest.txt");
pub(super) const ARM: &str = include_str!("arm.txt");
/// A system without these files.
pub(super) const NOTHING: &str = "";

/// Prefix of the path of each file.
const MARK: &str = "== ";

/// The files of a machine in a temporary folder.
pub(super) struct Machine {
    folder: TempDir,
    emulator: Option<String>,
}

impl Machine {
    /// The machine in a text; its description precedes the first file.
    pub(super) fn new(text: &str) -> Machine {
        let machine = Machine {
            folder: tempfile::tempdir().unwrap(),
            emulator: None,
        };
        for file in format!("\n{text}").split(&format!("\n{MARK}")).skip(1) {
            let (path, content) = file.split_once('\n').unwrap_or((file, ""));
            machine.write(path, content);
        }
        machine
    }

    fn place(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    fn write(&self, path: &str, content: &str) {
        let place = self.place(path);
        fs::create_dir_all(place.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(place, format!("{content}\n")).unwrap();
    }

    /// The same machine with another content of a file.
    pub(super) fn with(self, path: &str, content: &str) -> Machine {
        self.write(path, content);
        self
    }

    /// The same machine where an emulator runs the program.
    pub(super) fn emulated_by(mut self, name: &str) -> Machine {
        self.emulator = Some(name.to_owned());
        self
    }

    /// The same machine without a file or folder.
    pub(super) fn without(self, path: &str) -> Machine {
        let place = self.place(path);
        let removed = if place.is_dir() {
            fs::remove_dir_all(place)
        } else {
            fs::remove_file(place)
        };
        removed.expect(path);
        self
    }

    /// The findings when only these files change.
    pub(super) fn findings(self, later: &[(&str, &str)]) -> Vec<Finding> {
        let tree = Tree::at(self.folder.path().to_owned());
        let earlier = Moment::now(&tree);
        for (path, content) in later {
            self.write(path, content);
        }
        let later = Moment::now(&tree);
        checks::all(&Observations {
            tree,
            emulator: self.emulator.clone(),
            earlier,
            later,
        })
    }

    /// The finding of one check.
    pub(super) fn check(self, check: &str, later: &[(&str, &str)]) -> Finding {
        let mut findings = self.findings(later).into_iter();
        findings
            .find(|finding| finding.check == check)
            .expect(check)
    }
}
