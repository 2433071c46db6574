//! Linkers that can reorder functions, and linkers that cannot.

use std::env;

use super::shop::text;
use super::twins::twins;

#[test]
fn a_linker_that_cannot_shuffle_is_named() {
    let paths = env::var_os("PATH").unwrap_or_default();
    let is_there = env::split_paths(&paths).any(|path| path.join("ld.bfd").is_file());
    if !is_there {
        return;
    }
    let shop = twins("compare-linkers", ["a", "b"]);
    let with = ["--with", "rustflags=-Clink-arg=-fuse-ld=bfd"];
    let prepared = shop.prepared_in("a", &with, &[]);
    let [executable] = prepared.executables(1) else {
        panic!("{prepared:?}");
    };
    assert_eq!(executable["layouts"], 1, "{prepared:?}");
    let fixed = text(&executable["fixed"]);
    assert!(fixed.starts_with("GNU ld "), "{fixed}");
    let message = "cannot reorder functions; link with LLD, on Linux also with mold";
    assert!(fixed.contains(message), "{fixed}");
}
