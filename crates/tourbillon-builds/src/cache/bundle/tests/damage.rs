//! Damaged and malicious bundles.

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tar::{Archive, Builder, EntryType, Header};
use tourbillon_stats::Rng;
use walkdir::WalkDir;

use super::fixture::Fixture;
use crate::cache::bundle::archive::read_tar;
use crate::cache::bundle::manifest::Bundle;

/// Texts that must not be paths.
const PATHS: [&str; 16] = [
    "../x",
    "/etc/x",
    "0/../../x",
    "0/objects.d/../../../../x",
    "0/..",
    "0/.",
    "0//sort",
    "0/x\0",
    "0\\..\\x",
    "C:/x",
    "0/placed.d/sort",
    "build.json",
    "0/build.json",
    "0/sort.",
    "",
    "\u{1b}[31m",
];

/// The tar file in a bundle.
pub(super) fn plain(bundle: &Path) -> Vec<u8> {
    let compressed = fs::read(bundle).expect("a file");
    let mut tar = Vec::new();
    let mut decoder = GzDecoder::new(compressed.as_slice());
    decoder.read_to_end(&mut tar).expect("a bundle");
    tar
}

/// The same files with another manifest.
pub(super) fn with_manifest(tar: &[u8], change: impl FnOnce(&str) -> String) -> Vec<u8> {
    let mut change = Some(change);
    rewritten(tar, |_, name, header, contents| {
        if let Some(change) = change.take_if(|_| name == "manifest.json") {
            let text = String::from_utf8(std::mem::take(contents)).expect("text");
            *contents = change(&text).into_bytes();
            header.set_size(contents.len() as u64);
        }
    })
}

/// The same entries with a change to each.
fn rewritten(
    tar: &[u8],
    mut change: impl FnMut(usize, &str, &mut Header, &mut Vec<u8>),
) -> Vec<u8> {
    let mut written = Builder::new(Vec::new());
    let mut archive = Archive::new(tar);
    for (number, entry) in archive.entries().expect("entries").enumerate() {
        let mut entry = entry.expect("an entry");
        let name = String::from_utf8(entry.path_bytes().into_owned()).expect("a name");
        let (mut header, mut contents) = (entry.header().clone(), Vec::new());
        entry.read_to_end(&mut contents).expect("contents");
        change(number, &name, &mut header, &mut contents);
        header.set_cksum();
        written
            .append(&header, contents.as_slice())
            .expect("written");
    }
    written.into_inner().expect("written")
}

/// Draws mutations.
struct Mutator {
    rng: Rng,
}

impl Mutator {
    fn mutated(&mut self, tar: &[u8]) -> Vec<u8> {
        match self.rng.index(6) {
            0 => self.with_bytes_changed(tar.to_vec()),
            // Before the two blocks at the end, which say nothing.
            1 => tar[..self.rng.index(tar.len() - 1024)].to_vec(),
            2 => self.with_blocks_moved(tar),
            3 => self.with_header_changed(tar),
            _ => self.with_manifest_changed(tar),
        }
    }

    fn with_bytes_changed(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        // Zeros fill blocks.
        let at: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != 0).collect();
        for _ in 0..=self.rng.index(8) {
            bytes[at[self.rng.index(at.len())]] = self.rng.index(256) as u8;
        }
        bytes
    }

    fn with_blocks_moved(&mut self, tar: &[u8]) -> Vec<u8> {
        let blocks: Vec<&[u8]> = tar.chunks(512).collect();
        let (from, to) = (self.rng.index(blocks.len()), self.rng.index(blocks.len()));
        let mut moved = blocks.clone();
        match self.rng.index(3) {
            0 => moved.swap(from, to),
            1 => moved.insert(to, blocks[from]),
            _ => drop(moved.remove(from)),
        }
        moved.concat()
    }

    /// Links, folders, extensions, names, lengths, with the right checksum.
    fn with_header_changed(&mut self, tar: &[u8]) -> Vec<u8> {
        let kinds = [
            b'1', b'2', b'3', b'5', b'6', b'L', b'K', b'x', b'g', b'S', b'7',
        ];
        let (entry, kind) = (self.rng.index(8), kinds[self.rng.index(kinds.len())]);
        let (path, change) = (PATHS[self.rng.index(PATHS.len())], self.rng.index(3));
        let size = [0, 1, 1 << 20, u64::MAX / 2][self.rng.index(4)];
        rewritten(tar, |number, _, header, _| {
            if number != entry {
                return;
            }
            match change {
                0 => {
                    header.set_entry_type(EntryType::new(kind));
                    let _ = header.set_link_name_literal(path);
                }
                1 => {
                    let name = &mut header.as_old_mut().name;
                    name.fill(0);
                    name[..path.len()].copy_from_slice(path.as_bytes());
                }
                _ => header.set_size(size),
            }
        })
    }

    fn with_manifest_changed(&mut self, tar: &[u8]) -> Vec<u8> {
        with_manifest(tar, |text| {
            let mut manifest: Value = serde_json::from_str(text).expect("JSON");
            for _ in 0..=self.rng.index(2) {
                self.change(&mut manifest);
            }
            manifest.to_string()
        })
    }

    /// Changes a value somewhere in another.
    fn change(&mut self, value: &mut Value) {
        let stays = self.rng.index(8) > 0;
        match value {
            Value::Object(members) if stays && !members.is_empty() => {
                let at = self.rng.index(members.len());
                let member = members.values_mut().nth(at).expect("a member");
                self.change(member);
            }
            Value::Array(items) if stays && !items.is_empty() => {
                let at = self.rng.index(items.len());
                match self.rng.index(6) {
                    0 => drop(items.remove(at)),
                    1 => items.push(items[at].clone()),
                    2 => items.swap(0, at),
                    _ => self.change(&mut items[at]),
                }
            }
            _ => {
                *value = match self.rng.index(6) {
                    0 => Value::Null,
                    1 => Value::from(u64::MAX),
                    2 => Value::from(-1),
                    3 => Value::from("x".repeat(5000)),
                    _ => Value::from(PATHS[self.rng.index(PATHS.len())]),
                };
            }
        }
    }
}

/// Everything outside of the folder of builds.
fn outside(root: &Path) -> Vec<PathBuf> {
    WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "builds")
        .map(|entry| entry.expect("an entry").into_path())
        .collect()
}

#[test]
fn ten_thousand_bundles_do_no_harm() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.path("one.tar.gz"), fixture.cache());
    Bundle::write(&[fixture.build("old", "1")], &path).expect("written");
    let (compressed, tar) = (fs::read(&path).expect("a file"), plain(&path));
    fs::create_dir_all(cache.builds()).expect("a folder");
    let before = outside(fixture.root());
    let check = |number: usize| {
        for entry in WalkDir::new(cache.builds()).into_iter().flatten() {
            let kind = entry.file_type();
            assert!(kind.is_file() || kind.is_dir(), "{number}");
        }
        assert_eq!(outside(fixture.root()), before, "{number}");
    };
    let mut mutator = Mutator { rng: Rng::new(27) };
    let mut refused = 0;
    for number in 0..10_000 {
        let unpacked = match number % 8 {
            0 => {
                let bytes = mutator.with_bytes_changed(compressed.clone());
                let decoder = || GzDecoder::new(Cursor::new(bytes));
                cache.unpack_by(&path, false, |unpacker| {
                    read_tar(&path, decoder(), unpacker)
                })
            }
            _ => {
                let bytes = mutator.mutated(&tar);
                cache.unpack_by(&path, false, |unpacker| read_tar(&path, &*bytes, unpacker))
            }
        };
        match unpacked {
            Ok(builds) => {
                for build in &builds {
                    assert_eq!(build.damaged(), None, "{number}");
                    assert!(build.folder.starts_with(cache.builds()), "{number}");
                }
                drop(builds);
                check(number);
                // The next one must not find them.
                fs::remove_dir_all(cache.builds()).expect("removed");
            }
            Err(error) => {
                refused += 1;
                let error = error.to_string();
                assert!(!error.chars().any(char::is_control), "{number}: {error:?}");
            }
        }
        if number % 100 == 0 {
            check(number);
        }
    }
    check(10_000);
    // Some changes are to labels, or to blocks after the end.
    assert!((8_000..10_000).contains(&refused), "{refused}");
}

#[test]
fn paths_that_lead_out_are_refused() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let tar = plain(&path);
    for bad in PATHS {
        let bad_json = Value::from(bad).to_string();
        for good in ["\"0/sort\"", "\"sort\"", "\"0/objects.d/0-a.o\""] {
            let changed = with_manifest(&tar, |text| {
                assert!(text.contains(good), "{text}");
                text.replace(good, &bad_json)
            });
            let unpacked = cache.unpack_by(&path, false, |unpacker| {
                read_tar(&path, &*changed, unpacker)
            });
            let error = unpacked.expect_err(bad).to_string();
            assert!(error.contains("its manifest "), "{bad:?}: {error}");
        }
    }
    assert_eq!(fixture.folders(), 0);
}

#[test]
fn programs_of_a_package_are_files_of_the_bundle() {
    let fixture = Fixture::new();
    let (path, cache) = (fixture.bundle(), fixture.cache());
    let tar = plain(&path);
    for named in ["sort", "../x", "deps/sort", "unknown"] {
        let changed = with_manifest(&tar, |text| {
            let named = format!("\"programs\":[\"{named}\"]");
            let changed = text.replace("\"programs\":[]", &named);
            assert_ne!(changed, text);
            changed.replace("\"0/sort\"", "\"0/deps/sort\"")
        });
        let unpacked = cache.unpack_by(&path, false, |unpacker| {
            read_tar(&path, &*changed, unpacker)
        });
        let error = unpacked.expect_err(named).to_string();
        assert!(error.contains("its manifest "), "{named:?}: {error}");
    }
    assert_eq!(fixture.folders(), 0);
}

#[test]
fn a_link_line_reads_no_other_folder() {
    let fixture = Fixture::new();
    let build = fixture.build("old", "1");
    let line = build.folder.join("0/objects.d/link.json");
    let text = fs::read_to_string(&line).expect("a line");
    let secret = fixture.path("toolchain/libstd.rlib");
    // As if a bundle had been made by another program.
    let path = fixture.path("one.tar.gz");
    Bundle::write(std::slice::from_ref(&build), &path).expect("written");
    let tar = plain(&path);
    assert!(text.contains("0-a.o"), "{text}");
    for bad in ["../../../secret", &secret.to_string_lossy(), "1-lib.rlib"] {
        let mut changed = String::new();
        let with_line = rewritten(&tar, |_, _, header, contents| {
            let Ok(text) = std::str::from_utf8(contents) else {
                return;
            };
            if text.contains("\"program\"") && !text.contains("\"schema\"") {
                changed = text.replace("0-a.o", &bad.replace('\\', "/"));
                *contents = changed.clone().into_bytes();
                header.set_size(contents.len() as u64);
                let hash = blake3::hash(contents).to_hex();
                header.set_path(format!("files/{hash}")).expect("a path");
            }
        });
        let hash = blake3::hash(changed.as_bytes()).to_hex().to_string();
        let with_hash = with_manifest(&with_line, |text| {
            let mut manifest: Value = serde_json::from_str(text).expect("JSON");
            let files = manifest["builds"][0]["files"]
                .as_array_mut()
                .expect("files");
            let file = files
                .iter_mut()
                .find(|file| file["path"] == "0/objects.d/link.json")
                .expect("a line");
            file["hash"] = Value::from(hash);
            file["bytes"] = Value::from(changed.len());
            manifest.to_string()
        });
        let cache = fixture.cache();
        let unpacked = cache.unpack_by(&path, false, |unpacker| {
            read_tar(&path, &*with_hash, unpacker)
        });
        let error = unpacked.expect_err(bad).to_string();
        assert!(error.contains("\"0/objects.d/link.json\" needs"), "{error}");
    }
}

/// As an executable, and as the only file that differs, each takes a millisecond: without limits a small bundle keeps the
/// disk busy for minutes.
#[test]
fn what_is_written_file_by_file_is_limited() {
    let fixture = Fixture::new();
    let path = fixture.path("one.tar.gz");
    Bundle::write(&[fixture.build("old", "1")], &path).expect("written");
    let tar = plain(&path);
    let refused = |change: &dyn Fn(&mut Value)| {
        let changed = with_manifest(&tar, |text| {
            let mut manifest: Value = serde_json::from_str(text).expect("JSON");
            change(&mut manifest["builds"][0]);
            manifest.to_string()
        });
        let read = Bundle::read_tar(&path, &*changed);
        read.expect_err("too much").to_string()
    };
    let add = |build: &mut Value, list: &str, own: &dyn Fn(usize) -> Value, count: usize| {
        let mut first = build[list][0].clone();
        let items = build[list].as_array_mut().expect("a list");
        for number in 1..=count {
            for (name, value) in own(number).as_object().expect("members") {
                first[name] = value.clone();
            }
            items.push(first.clone());
        }
    };
    let executables = refused(&|build| {
        let file = |number| json!({"path": format!("{number}/sort")});
        add(build, "files", &file, 4_096);
        let file = |number| json!({"file": format!("{number}/sort")});
        add(build, "executables", &file, 4_096);
    });
    assert!(
        executables.contains("has 4097 executables, more than 4096"),
        "{executables}"
    );
    let contents = refused(&|build| {
        let file = |number| json!({"path": format!("0/objects.d/x{number}"), "hash": format!("{number:064}"), "bytes": 0});
        add(build, "files", &file, 20_000);
    });
    assert!(
        contents.contains(" different files, more than 20000"),
        "{contents}"
    );
    let folders = refused(&|build| {
        let file = |number| json!({"path": format!("{number}/x")});
        add(build, "files", &file, 1);
    });
    assert!(folders.contains("\"1/x\", of no executable"), "{folders}");
}
