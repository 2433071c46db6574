//! Variables and files elsewhere that code reads while it is compiled: kept builds are those of their values.

use std::fs;

use super::shop::Prepared;
use super::twins::twins;
use crate::program::Ran;

#[test]
fn a_kept_build_is_built_again_where_a_variable_that_it_read_has_changed() {
    let shop = twins("compare-variables", ["a"]);
    let who = "match option_env!(\"SHOP_WHO\") { Some(who) => who, None => \"none\" }";
    shop.write("a/src/lib.rs", &format!("pub const WHO: &str = {who};\n"));
    let bench = shop.repository().join("a/benches/speed.rs");
    let bench = fs::read_to_string(bench).expect("a bench");
    shop.write(
        "a/benches/speed.rs",
        &(bench + "const _: &str = env!(\"SHOP_MUST\");\n"),
    );
    shop.commit("v2");
    let flags = "compare --build-only --offline --profile dev --layouts 1 --format jsonl v2";
    let words: Vec<&str> = flags.split(' ').collect();
    for (who, must, is_built) in [
        (None, "1", true),
        (None, "1", false),
        (Some("ada"), "1", true),
        (Some("bob"), "1", true),
        (Some("ada"), "1", false),
        (None, "1", false),
        (None, "2", true),
    ] {
        let mut command = shop.command("a", &words);
        command.env_remove("SHOP_WHO").env("SHOP_MUST", must);
        command.envs(who.map(|who| ("SHOP_WHO", who)));
        let ran: Ran = command.output().expect("the program starts").into();
        let prepared = Prepared::of(&ran);
        let expected = ["both", who.unwrap_or("none")];
        let mut cases = prepared.cases(0);
        cases.sort_unstable_by_key(|case| *case != "both");
        assert_eq!(cases, expected, "{prepared:?}");
        let says = prepared.stderr.contains("building v2");
        assert_eq!(says, is_built, "{who:?} {must}: {}", prepared.stderr);
    }
}

#[test]
fn a_kept_build_is_built_again_where_a_file_elsewhere_that_it_read_has_changed() {
    let shop = twins("compare-elsewhere", ["a"]);
    let elsewhere = shop.folder.join("who.txt");
    let script = "fn main() {\n    println!(\"cargo::rerun-if-changed={}\", FILE);\n    \
                  println!(\"cargo::rustc-env=WHO={}\", std::fs::read_to_string(FILE).expect(FILE));\n}\n\
                  const FILE: &str = ";
    shop.write("a/build.rs", &format!("{script}{elsewhere:?};\n"));
    shop.write("a/src/lib.rs", "pub const WHO: &str = env!(\"WHO\");\n");
    shop.commit("v2");
    let flags = "compare --build-only --offline --profile dev --layouts 1 --format jsonl v2";
    let words: Vec<&str> = flags.split(' ').collect();
    for (who, is_built) in [("ada", true), ("ada", false), ("bob", true)] {
        if is_built {
            fs::write(&elsewhere, who).expect("a file");
        }
        let ran: Ran = shop
            .command("a", &words)
            .output()
            .expect("it starts")
            .into();
        let prepared = Prepared::of(&ran);
        let mut cases = prepared.cases(0);
        cases.sort_unstable_by_key(|case| *case != "both");
        assert_eq!(cases, ["both", who], "{prepared:?}");
        let says = prepared.stderr.contains("building v2");
        assert_eq!(says, is_built, "{who}: {}", prepared.stderr);
    }
}
