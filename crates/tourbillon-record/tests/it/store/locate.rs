//! Where the store is.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, absolute};

use tourbillon_record::store::Store;

use super::folder::Folder;

#[test]
fn flag_then_environment_then_target_directory() {
    let folder = Folder::new("locate-order");
    fs::create_dir_all(folder.join("target/release/deps")).unwrap();
    fs::write(folder.join("target/CACHEDIR.TAG"), "").unwrap();
    let executable = folder.join("target/release/deps/checkout-0a1b");
    let locate = |flag: Option<&str>, environment: Option<&str>| {
        Store::locate(
            flag.map(Path::new),
            environment.map(OsStr::new),
            &executable,
        )
        .unwrap()
    };
    assert_eq!(
        locate(Some("/flag"), Some("/environment")),
        absolute("/flag").unwrap()
    );
    assert_eq!(
        locate(None, Some("/environment")),
        absolute("/environment").unwrap()
    );
    let default = absolute(folder.join("target/tourbillon")).unwrap();
    assert_eq!(locate(None, Some("")), default);
    assert_eq!(locate(None, None), default);
    assert!(
        !folder.join("target/tourbillon").exists(),
        "locating creates nothing"
    );
}

#[test]
fn a_relative_place_becomes_absolute() {
    let path = Store::locate(Some(Path::new("here/x")), None, Path::new("/bin/sh")).unwrap();
    assert_eq!(path, absolute("here/x").unwrap());
    let path = Store::locate(None, Some(OsStr::new("here")), Path::new("/bin/sh")).unwrap();
    assert!(path.is_absolute());
}

#[test]
#[cfg(windows)]
fn places_on_servers_stay_as_they_are() {
    for place in [
        r"\\server\share\my store",
        r"\\?\UNC\server\share\store",
        r"\\?\C:\store",
    ] {
        let path = Store::locate(Some(Path::new(place)), None, Path::new(r"C:\b.exe")).unwrap();
        assert_eq!(path, Path::new(place));
    }
}

#[test]
fn a_target_triple_inside_and_a_cache_outside_do_not_mislead() {
    let folder = Folder::new("locate-triple");
    let target = folder.join("cache/my-target-x");
    let triple = target.join("x86_64-unknown-linux-gnu");
    fs::create_dir_all(triple.join("bench/deps")).unwrap();
    for tagged in [&folder.join("cache"), &target, &triple] {
        fs::write(tagged.join("CACHEDIR.TAG"), "").unwrap();
    }
    fs::write(target.join(".rustc_info.json"), "").unwrap();
    for executable in [
        triple.join("bench/deps/x"),
        target.join("bench/deps/x"),
        target.join("debug/examples/x"),
    ] {
        assert_eq!(
            Store::locate(None, None, &executable).unwrap(),
            absolute(target.join("tourbillon")).unwrap()
        );
    }
}

#[test]
fn without_a_tag_deps_marks_the_target_directory() {
    // Nothing of this is there: only the form of the path counts.
    let path = Store::locate(None, None, Path::new("/nowhere/out/release/deps/x")).unwrap();
    assert_eq!(path, absolute("/nowhere/out/tourbillon").unwrap());
    let inner = Path::new("/nowhere/deps/out/release/deps/x");
    let path = Store::locate(None, None, inner).unwrap();
    assert_eq!(
        path,
        absolute("/nowhere/deps/out/tourbillon").unwrap(),
        "the nearest"
    );
}

#[test]
fn no_place_is_reported_with_what_to_do() {
    let error = Store::locate(None, None, Path::new("/nowhere/bin/x")).unwrap_err();
    assert!(error.is_no_place());
    assert_eq!(
        error.to_string(),
        format!(
            "found no cargo target directory above {:?} for the store; \
             name a directory with --store DIR or TOURBILLON_STORE",
            absolute("/nowhere/bin/x").unwrap()
        )
    );
    let error = Store::locate(Some(Path::new("")), None, Path::new("/nowhere/x")).unwrap_err();
    assert_eq!(error.to_string(), "--store is empty; give it a directory");
}

#[test]
fn the_target_directory_of_this_test_is_found() {
    let executable = std::env::current_exe().unwrap();
    let path = Store::locate(None, None, &executable).unwrap();
    assert!(path.ends_with("tourbillon"));
    assert!(path.parent().unwrap().join("CACHEDIR.TAG").is_file());
}
