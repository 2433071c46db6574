//! Linkers that can reorder functions, and linkers that cannot.

use std::env;

use super::shop::{Shop, text};
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

/// What a build script has the compiler do is what its commit changes: verdicts count, and a gate closes.
pub(super) fn flags_of_a_build_script(shop: &Shop) {
    let script = "fn main() {\n    println!(\"cargo:rustc-link-arg-benches=-Wl,--as-needed\");\n    \
                  println!(\"cargo:rustc-cfg=feature=\\\"scripted\\\"\");\n}\n";
    shop.commit("plain");
    shop.write("shop/build.rs", script);
    shop.commit("scripted");
    let ran = shop.compare(&["plain", "scripted"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Lines are broken at blanks.
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    let line = words.join(" ");
    assert!(line.contains("also changed: features"), "{ran:?}");
    for fact in [
        "rustflags none, now -Clink-arg=-Wl,--as-needed",
        "now scripted",
    ] {
        assert!(line.contains(fact), "{ran:?}");
    }
    assert!(!ran.stdout.contains("built otherwise"), "{ran:?}");
}
