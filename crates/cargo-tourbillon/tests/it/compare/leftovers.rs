//! What build scripts of one revision leave where those of another one look.

use super::shop::Prepared;
use super::twins::twins;
use crate::program::Ran;

/// Writes files that are not there yet: its own, and some for programs beside those of cargo.
const SCRIPT: &str = r#"
fn main() {
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("a folder"));
    let profile = out.ancestors().nth(3).expect("a profile");
    let mut found = Vec::new();
    for folder in [".", "..", "../assets", "deps", "build", ".fingerprint"] {
        let beside = profile.join(folder).join("who.txt");
        if !beside.exists() {
            std::fs::create_dir_all(profile.join(folder)).expect("a folder");
            std::fs::write(&beside, WHO).expect("a file");
        }
        found.push(std::fs::read_to_string(&beside).expect("a file"));
    }
    found.dedup();
    if !out.join("who.rs").exists() {
        std::fs::write(out.join("who.rs"), format!("{:?}", found.concat())).expect("a file");
    }
}
"#;

#[test]
fn a_build_script_finds_nothing_of_another_revision() {
    let shop = twins("compare-leftovers", ["a"]);
    let who = "include!(concat!(env!(\"OUT_DIR\"), \"/who.rs\"))";
    shop.write("a/src/lib.rs", &format!("pub const WHO: &str = {who};\n"));
    for who in ["ada", "bob"] {
        shop.write("a/build.rs", &SCRIPT.replace("WHO", &format!("{who:?}")));
        shop.commit(who);
    }
    let flags = "compare --build-only --offline --profile dev --layouts 1 --format jsonl ada bob";
    let words: Vec<&str> = flags.split(' ').collect();
    let ran: Ran = shop
        .command("a", &words)
        .output()
        .expect("it starts")
        .into();
    let prepared = Prepared::of(&ran);
    assert_eq!(prepared.only(0, "only_reference"), ["ada"], "{prepared:?}");
    assert_eq!(prepared.only(0, "only_candidate"), ["bob"], "{prepared:?}");
}
