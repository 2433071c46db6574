//! What is kept on this machine.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::Folder;
use crate::program::{Ran, command};

fn run(cache: &Path, arguments: &[&str]) -> Ran {
    let mut command = command(&[&["tourbillon", "cache"], arguments].concat());
    command.env("TOURBILLON_CACHE", cache);
    command.env("TOURBILLON_CACHE_SIZE", "2KiB");
    command.output().expect("the program starts").into()
}

/// The words of a line with single spaces.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Two builds, one of them with a placement, a clone, records and a saved build.
fn filled(folder: &Folder) -> std::path::PathBuf {
    let cache = folder.join("cache");
    assert_eq!(run(&cache, &[]).code, Some(0));
    for (file, bytes) in [
        ("builds/one/0/shop", 1024),
        ("builds/one/0/placed.d/1/shop", 512),
        ("builds/two/0/shop", 1024),
        ("repositories/shop/target/file", 2048),
        ("records/commands/a.jsonl", 100),
        ("saved/before/0/shop", 1024),
    ] {
        let path = cache.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, vec![0; bytes]).expect("a file");
    }
    fs::write(cache.join("builds/one/build.json"), r#"{"label": "main"}"#).expect("a file");
    cache
}

#[test]
fn a_folder_with_other_files_is_no_cache() {
    let folder = Folder::new("no-cache");
    let home = filled(&folder);
    // A cache stays one.
    fs::write(home.join("letter.txt"), "").expect("a file");
    assert_eq!(run(&home, &[]).code, Some(0));
    let tag = home.join("CACHEDIR.TAG");
    for text in [None, Some("another's")] {
        fs::remove_file(&tag).expect("a file");
        if let Some(text) = text {
            fs::write(&tag, text).expect("a file");
        }
        for arguments in [&["--remove", "all"][..], &["--shrink", "0"], &[]] {
            let refused = run(&home, arguments);
            assert_eq!(refused.code, Some(5), "{refused:?}");
            assert!(refused.stderr.contains("no CACHEDIR.TAG"), "{refused:?}");
        }
        assert!(home.join("builds/two/0/shop").is_file());
        assert_eq!(fs::read_to_string(&tag).ok().as_deref(), text);
        fs::write(&tag, "").expect("a file");
    }
    // One of which nothing but a part of the tag was written.
    let begun = folder.join("begun");
    fs::create_dir(&begun).expect("a folder");
    fs::write(begun.join("CACHEDIR.TAG"), "Signature").expect("a file");
    assert_eq!(run(&begun, &[]).code, Some(0));
    fs::create_dir(begun.join("builds")).expect("a folder");
    assert_eq!(run(&begun, &[]).code, Some(0));
}

#[test]
fn what_is_kept_is_listed_and_removed() {
    let folder = Folder::new("cache");
    let cache = filled(&folder);
    let listed = run(&cache, &[]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    for line in [
        "what count size",
        "placements 1 512 B",
        "builds 2 2.0 KiB",
        "clones 1 2.0 KiB",
        "records 1 100 B",
        "saved 1 1.0 KiB",
        "4.5 KiB of at most 2.0 KiB",
    ] {
        let mut lines = listed.stdout.lines().map(words);
        assert!(
            lines.any(|one| one.starts_with(line)),
            "{line} in\n{}",
            listed.stdout
        );
    }
    let listed = run(&cache, &["--verbose"]);
    assert!(listed.stdout.contains("\nmain  "), "{listed:?}");

    let removed = run(&cache, &["--remove", "placements", "--format", "json"]);
    assert!(removed.stderr.contains("removed 512 B"), "{removed:?}");
    let document: Value = serde_json::from_str(&removed.stdout).expect("JSON");
    assert_eq!(document["kind"], "cache");
    assert_eq!(document["rows"][0]["bytes"], 0.0, "{document}");
    assert_eq!(document["rows"][2]["count"], 1.0, "{document}");

    let removed = run(&cache, &["--shrink", "3KiB"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert!(removed.stdout.contains("KiB of at most"), "{removed:?}");
    let removed = run(&cache, &["--remove", "all"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert!(cache.join("saved/before/0/shop").is_file());
    assert!(!cache.join("records").exists() && !cache.join("builds/two").exists());
    let removed = run(&cache, &["--remove", "saved"]);
    assert!(removed.stdout.contains("\n0 B of at most"), "{removed:?}");
    assert!(!cache.join("saved/before").exists());
}

#[test]
fn every_format_has_the_same_rows() {
    let folder = Folder::new("cache-formats");
    let cache = filled(&folder);
    let of = |format: &str| {
        let ran = run(&cache, &["--format", format]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    assert!(
        of("csv").contains("kind,count,bytes,last_used\nplacements,1,512,"),
        "{}",
        of("csv")
    );
    assert!(
        of("md").contains("| `clones` | 1 | 2.0 KiB |"),
        "{}",
        of("md")
    );
    let page = of("html");
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("clones"),
        "{page}"
    );
    let wrong = run(&cache, &["--shrink", "3 GB"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.stderr.contains("is no size"), "{wrong:?}");
}
