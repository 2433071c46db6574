//! Builds of text.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cache::Cache;
use crate::cache::build::{Build, Executable, OBJECTS, fingerprint};
use crate::cache::bundle::manifest::Bundle;
use crate::placement::link_line::{LinkLine, Word};
use crate::placement::relink::{LINE, NotRelinkable};

/// A folder with two builds, and a library of a toolchain.
pub(super) struct Fixture {
    root: TempDir,
}

impl Fixture {
    /// In memory where that is possible: builds are written through to the disk.
    pub(super) fn new() -> Fixture {
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        let root = root.expect("a folder");
        fs::create_dir(root.path().join("toolchain")).expect("a folder");
        fs::write(root.path().join("toolchain/libstd.rlib"), "std").expect("a file");
        Fixture { root }
    }

    pub(super) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(super) fn path(&self, within: &str) -> PathBuf {
        self.root.path().join(within)
    }

    /// A build with an executable of this text.
    pub(super) fn build(&self, label: &str, text: &str) -> Build {
        let folder = self.path(label);
        let (own, objects) = (folder.join("0"), folder.join("0").join(OBJECTS));
        fs::create_dir_all(&objects).expect("a folder");
        fs::write(own.join("sort"), text).expect("a file");
        fs::write(objects.join("0-a.o"), format!("object of {text}")).expect("a file");
        fs::write(objects.join("1-liba.rlib"), "library of both").expect("a file");
        let library = self.path("toolchain/libstd.rlib");
        let words = vec![
            Word::Input("0-a.o".to_owned()),
            Word::Input("1-liba.rlib".to_owned()),
            Word::Plain(library.to_string_lossy().into_owned()),
            Word::Plain("-L".to_owned()),
            Word::Plain(self.path("toolchain").to_string_lossy().into_owned()),
            Word::Plain("-o".to_owned()),
            Word::Output,
        ];
        let variable = |name: &str| (name.to_owned(), "/builder".to_owned());
        let line = LinkLine {
            environment: vec![variable("PATH"), variable("LC_ALL")],
            folder: Some("/builder".to_owned()),
            program: "cc".to_owned(),
            words,
            ..LinkLine::default()
        };
        fs::write(objects.join(LINE), serde_json::to_vec(&line).expect("JSON")).expect("a file");
        let build = Build {
            label: label.to_owned(),
            commit: Some("1a2b3c4d".to_owned()),
            toolchain: "rustc 1".to_owned(),
            environment: vec![("A".to_owned(), "b".to_owned())],
            built_unix_ns: 1 << 60,
            executables: vec![Executable {
                package: "shop".to_owned(),
                target: "sort".to_owned(),
                path: own.join("sort"),
                fingerprint: fingerprint(&own).expect("a folder"),
                home: None,
                environment: vec![("C".to_owned(), "d".to_owned())],
                scripted: Default::default(),
                programs: Vec::new(),
                runner: Vec::new(),
                engine: "e".to_owned(),
                protocol: 1,
                placements: Err(NotRelinkable::NotRequested),
            }],
            folder,
            ..Build::default()
        };
        build.write().expect("written");
        build
    }

    /// A bundle of two builds.
    pub(super) fn bundle(&self) -> PathBuf {
        let builds = [self.build("old", "1"), self.build("new", "2")];
        let path = self.path("both.tar.gz");
        Bundle::write(&builds, &path).expect("written");
        path
    }

    pub(super) fn cache(&self) -> Cache {
        Cache::at(&self.path("cache"))
    }

    /// Number of folders among the builds of the cache.
    pub(super) fn folders(&self) -> usize {
        let entries = fs::read_dir(self.cache().builds()).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.is_dir()).count()
    }
}
