//! Bundles of small builds.

mod mutated;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::archive::read_tar;
use super::manifest::Bundle;
use crate::build::{Build, Executable, FILE, OBJECTS, fingerprint};
use crate::cache::Cache;
use crate::link_line::{LinkLine, Word};
use crate::relink::{LINE, NotRelinkable};

/// A folder with two builds, and a library of a toolchain.
struct Fixture {
    root: TempDir,
}

impl Fixture {
    /// In memory where that is possible: builds are written through to the disk.
    fn new() -> Fixture {
        let memory = Path::new("/dev/shm");
        let root = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let root = root.expect("a folder");
        fs::create_dir(root.path().join("toolchain")).expect("a folder");
        fs::write(root.path().join("toolchain/libstd.rlib"), "std").expect("a file");
        Fixture { root }
    }

    fn path(&self, within: &str) -> PathBuf {
        self.root.path().join(within)
    }

    /// A build with an executable of this text.
    fn build(&self, label: &str, text: &str) -> Build {
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
                engine: "e".to_owned(),
                protocol: 1,
                placements: Err(NotRelinkable::NotAsked),
            }],
            folder,
            ..Build::default()
        };
        build.write().expect("written");
        build
    }

    /// A bundle of two builds.
    fn bundle(&self) -> PathBuf {
        let builds = [self.build("old", "1"), self.build("new", "2")];
        let path = self.path("both.tar.gz");
        Bundle::write(&builds, &path).expect("written");
        path
    }

    fn cache(&self) -> Cache {
        Cache::at(&self.path("cache"))
    }
}

/// The message for a bundle that cannot be unpacked.
fn refused(cache: &Cache, path: &Path) -> String {
    let listed = Bundle::read(path).expect_err("a bad bundle").to_string();
    let error = cache.unpack(path, false).expect_err("a bad bundle");
    assert_eq!(error.to_string(), listed);
    listed
}

#[test]
fn builds_come_out_as_they_went_in() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let bundle = Bundle::read(&path).expect("a bundle");
    let labels: Vec<_> = bundle.builds.iter().map(|one| &*one.build.label).collect();
    assert_eq!(labels, ["old", "new"]);
    // Of each build one executable, one object and the link line; of both a library and that of the toolchain.
    assert_eq!(bundle.contents().len(), 2 * 2 + 1 + 2);
    // The toolchain is not on the other machine.
    fs::remove_dir_all(fixture.path("toolchain")).expect("removed");
    let builds = cache.unpack(&path, false).expect("builds");
    for (build, text) in builds.iter().zip(["1", "2"]) {
        let executable = &build.executables[0];
        assert!(
            executable.path.starts_with(cache.builds()),
            "{executable:?}"
        );
        assert_eq!(fs::read_to_string(&executable.path).expect("a file"), text);
        assert_eq!(build.commit.as_deref(), Some("1a2b3c4d"));
        assert_eq!(build.environment, [("A".to_owned(), "b".to_owned())]);
        assert_eq!(build.damaged(), None);
        let objects = executable.path.with_file_name(OBJECTS);
        let line = fs::read_to_string(objects.join(LINE)).expect("a line");
        let line: LinkLine = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line.folder, None);
        assert_eq!(
            line.environment,
            [("LC_ALL".to_owned(), "/builder".to_owned())]
        );
        let inputs = line.words.iter().filter_map(|word| match word {
            Word::Input(name) => Some(fs::read_to_string(objects.join(name)).expect("a file")),
            _ => None,
        });
        let inputs: Vec<_> = inputs.collect();
        assert_eq!(inputs[0], format!("object of {text}"));
        assert_eq!(inputs[1..], ["library of both", "std"]);
    }
    let left = fs::read_dir(cache.builds()).expect("a folder").count();
    assert_eq!(left, 2, "nothing unfinished is left");
}

#[cfg(unix)]
#[test]
fn only_executables_can_be_started() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = Fixture::new();
    let builds = fixture.cache().unpack(&fixture.bundle(), false);
    let path = &builds.expect("builds")[0].executables[0].path;
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(mode(path) & 0o7777, 0o755);
    let object = path.with_file_name(OBJECTS).join("0-a.o");
    assert_eq!(mode(&object) & 0o111, 0);
}

#[test]
fn a_bundle_is_unpacked_once_and_damage_is_repaired() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let unpack = || cache.unpack(&path, false).expect("builds");
    let own = unpack()[1].executables[0].path.clone();
    let written = |path: &Path| fs::metadata(path).and_then(|about| about.modified());
    let before = written(&own.with_file_name("../build.json")).expect("a date");
    unpack();
    let after = written(&own.with_file_name("../build.json")).expect("a date");
    assert_eq!(before, after);
    fs::write(&own, "damage").expect("a file");
    unpack();
    assert_eq!(fs::read_to_string(&own).expect("a file"), "2");
}

#[test]
fn the_same_builds_make_the_same_bytes() {
    let fixture = Fixture::new();
    let path = fixture.bundle();
    let before = fs::read(&path).expect("a file");
    fixture.bundle();
    assert_eq!(fs::read(&path).expect("a file"), before);
}

#[test]
fn other_files_are_no_bundles() {
    let fixture = Fixture::new();
    let cache = fixture.cache();
    let path = fixture.path("file");
    let missing = refused(&cache, &path);
    assert!(
        missing.contains("No such file") || cfg!(windows),
        "{missing}"
    );
    let folder = refused(&cache, fixture.root.path());
    assert!(folder.contains("cannot be read"), "{folder}");
    for text in ["", "text", "\x1f\u{8b}"] {
        fs::write(&path, text).expect("a file");
        let error = refused(&cache, &path);
        assert!(
            error.ends_with("`cargo tourbillon bundle` makes one"),
            "{error}"
        );
    }
}

#[test]
fn a_bundle_that_is_cut_off_is_damaged() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let whole = fs::read(&path).expect("a file");
    for part in [3, 2] {
        fs::write(&path, &whole[..whole.len() * (part - 1) / part]).expect("a file");
        let error = refused(&cache, &path);
        assert!(error.contains("cannot be read: it"), "{error}");
    }
    let left = fs::read_dir(cache.builds()).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing unfinished is left");
}

#[test]
fn a_bundle_of_another_machine_is_refused() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let tar = mutated::plain(&path);
    let own = format!("\"architecture\":\"{}\"", std::env::consts::ARCH);
    let tar = mutated::with_manifest(&tar, |text| {
        assert!(text.contains(&own), "{text}");
        text.replace(&own, "\"architecture\":\"z80\"")
    });
    let error = cache.unpack_by(&path, false, |unpacker| read_tar(&path, &*tar, unpacker));
    let error = error.expect_err("another machine").to_string();
    assert!(error.contains(" on z80, and this machine has "), "{error}");
}

#[test]
fn a_build_without_objects_is_bundled() {
    let fixture = Fixture::new();
    let build = fixture.build("old", "1");
    fs::remove_dir_all(build.folder.join("0").join(OBJECTS)).expect("removed");
    let path = fixture.path("one.tar.gz");
    let bundle = Bundle::write(&[build], &path).expect("written");
    assert_eq!((bundle.contents().len(), bundle.bytes()), (1, 1));
    let builds = fixture.cache().unpack(&path, true).expect("builds");
    let placements = builds[0].executables[0].placements.as_ref();
    assert_eq!(placements.expect_err("none"), &NotRelinkable::NoObjects);
    assert!(builds[0].folder.join(FILE).is_file());
}
