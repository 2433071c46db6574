//! Bundles of small builds.

mod damage;
mod fixture;

use std::fs;
use std::path::Path;

use self::damage::plain;
use self::fixture::Fixture;
use super::archive::read_tar;
use super::manifest::Bundle;
use crate::cache::Cache;
use crate::cache::build::{FILE, OBJECTS};
use crate::placement::link_line::{LinkLine, Word};
use crate::placement::relink::{LINE, NotRelinkable};

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
        assert_eq!(executable.environment, [("C".to_owned(), "d".to_owned())]);
        assert_eq!(build.damaged(), None);
        let objects = executable.path.with_file_name(OBJECTS);
        let line = fs::read_to_string(objects.join(LINE)).expect("a line");
        let line: LinkLine = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line.folder, None);
        assert_eq!(
            line.environment,
            [("LC_ALL".to_owned(), "/builder".to_owned())]
        );
        let mut inputs = Vec::new();
        for word in &line.words {
            if let Word::Input(name) = word {
                inputs.push(fs::read_to_string(objects.join(name)).expect("a file"));
            }
        }
        assert_eq!(inputs[0], format!("object of {text}"));
        assert_eq!(inputs[1..], ["library of both", "std"]);
    }
    assert_eq!(fixture.folders(), 2, "nothing unfinished is left");
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
fn programs_that_unpack_one_bundle_wait_for_each_other() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    std::thread::scope(|scope| {
        let unpack = || scope.spawn(|| cache.unpack(&path, false).expect("builds").len());
        let threads: Vec<_> = (0..4).map(|_| unpack()).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("a thread"), 2);
        }
    });
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
    let folder = refused(&cache, fixture.root());
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
    assert_eq!(fixture.folders(), 0, "nothing unfinished is left");
}

#[test]
fn a_bundle_that_was_cut_off_at_its_last_bytes_is_refused() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let whole = fs::read(&path).expect("a file");
    // The checksum and the length of what is compressed.
    for left in 1..=8 {
        fs::write(&path, &whole[..whole.len() - left]).expect("a file");
        assert!(refused(&cache, &path).contains("it is damaged"));
        let mut changed = whole.clone();
        changed[whole.len() - left] ^= 1;
        fs::write(&path, changed).expect("a file");
        assert!(refused(&cache, &path).contains("it is damaged"));
    }
    fs::write(&path, whole).expect("a file");
    Bundle::read(&path).expect("a bundle");
    let mut long = plain(&path);
    long.resize(long.len() + (2 << 20), 0);
    let error = Bundle::read_tar(&path, long.as_slice()).expect_err("zeros");
    assert!(error.to_string().contains("goes on"), "{error}");
}

#[test]
fn a_bundle_of_another_machine_is_refused() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let tar = damage::plain(&path);
    let own = format!("\"architecture\":\"{}\"", std::env::consts::ARCH);
    let tar = damage::with_manifest(&tar, |text| {
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
