//! Programs of a package are found from where its bench targets are.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::shop::{Shop, text};
use crate::program::Ran;

/// Looks for the program of its package as test libraries do, and starts it.
const SUITE: &str = r#"use shop as _;
use std::{env, process::Command};

#[tourbillon::bench]
fn beside() -> bool {
    let mut folder = env::current_exe().expect("a path");
    folder.pop();
    if folder.ends_with("deps") { folder.pop(); }
    let ended = Command::new(folder.join("count-worms")).status();
    assert!(ended.expect("a program").success());
    true
}

fn main() -> std::process::ExitCode { tourbillon::main() }
"#;

const QUIET: &str = "use shop as _;\n#[tourbillon::bench]\nfn own() -> u64 { tourbillon::hide(1) }\n\
    fn main() -> std::process::ExitCode { tourbillon::main() }\n";

/// Notes the number of the build script: its source is the same.
const TOOL: &str = r#"use std::{env, fs, io::Write};
fn main() {
    let noted = env::var_os("NOTED").expect("a file");
    let mut file = fs::File::options().append(true).create(true).open(noted).expect("a file");
    file.write_all(env!("NUMBER").as_bytes()).expect("a number");
}
"#;

/// The unchanged cases, and the numbers of the programs that were started.
fn started(shop: &Shop, command: &mut Command) -> (Vec<String>, String) {
    let file = shop.folder.join("noted");
    let _ = fs::remove_file(&file);
    let output = command.env("NOTED", &file).output();
    let ran = Ran::from(output.expect("the program starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines = ran.stdout.lines();
    let values = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let unchanged = values.filter(|line| line["verdict"] == "unchanged");
    let unchanged = unchanged.map(|line| text(&line["case"]).to_owned());
    let mut numbers = Vec::from_iter(fs::read_to_string(file).unwrap_or_default().chars());
    numbers.sort_unstable();
    numbers.dedup();
    (unchanged.collect(), numbers.into_iter().collect())
}

#[test]
fn programs_are_found_beside_bench_targets() {
    let shop = Shop::new("programs-beside");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    shop.write("shop/benches/speed.rs", SUITE);
    shop.write("shop/benches/more.rs", QUIET);
    fs::create_dir_all(shop.repository().join("shop/src/bin")).expect("a folder");
    shop.write("shop/src/bin/count-worms.rs", TOOL);
    let build = |number: &str| {
        let set = format!("cargo::rustc-env=NUMBER={number}");
        shop.write(
            "shop/build.rs",
            &format!("fn main() {{ println!(\"{set}\"); }}\n"),
        );
    };
    for number in ["1", "2"] {
        build(number);
        shop.commit(&format!("tool-{number}"));
    }
    let of_cargo = ["--offline", "--profile", "dev", "--bench", "speed"];
    let both = [&of_cargo[..], &["--bench", "more"]].concat();
    let store = shop.folder.join("store");
    let compare = |words: &[&str], layouts: &str| {
        let quick = "--time 1ms --format jsonl";
        let quick = Vec::from_iter(quick.split(' '));
        let words = [
            &["compare"],
            words,
            &quick,
            &["--layouts", layouts, "--store"],
        ]
        .concat();
        let mut command = shop.command("", &words);
        command.arg(&store);
        command
    };
    let quiet = || vec!["shop/more::own".to_owned()];
    let revisions = [&["tool-1", "tool-2"], &both[..]].concat();
    for layouts in ["1", "2"] {
        let found = started(&shop, &mut compare(&revisions, layouts));
        assert_eq!(found, (quiet(), "12".to_owned()), "{layouts}");
    }

    // The same bench target with another program is another build.
    build("3");
    let of_tree = [&["tool-2"], &both[..]].concat();
    let found = started(&shop, &mut compare(&of_tree, "1"));
    assert_eq!(found, (quiet(), "23".to_owned()));

    started(
        &shop,
        &mut shop.command("", &[&["save", "kept"], &of_cargo[..]].concat()),
    );
    let bundle = shop.folder.join("programs.tar.gz");
    let file = bundle.to_str().expect("a path");
    let words = [&["bundle", file, "tool-1", "tool-2"], &of_cargo[..]].concat();
    started(&shop, &mut shop.command("", &words));
    let prepared = shop.prepared(&["tool-1", "tool-2", "--bench", "speed"]);
    let shipped = [0, 1].map(|side| {
        let built = Path::new(prepared.path(side, 0));
        let folder = shop.folder.join(format!("shipped-{side}"));
        fs::create_dir_all(folder.join("deps")).expect("a folder");
        fs::copy(built, folder.join("deps/speed")).expect("a copy");
        let tool = built.with_file_name("../count-worms");
        fs::copy(tool, folder.join("count-worms")).expect("a copy");
        let path = folder.join("deps/speed");
        path.to_str().expect("a path").to_owned()
    });
    build("4");
    let saved = [&["saved:kept", "tool-1"], &of_cargo[..]].concat();
    let found = started(&shop, &mut compare(&saved, "2")).1;
    assert_eq!(found, "13");
    let mut elsewhere = compare(&["--bundle", file], "2");
    elsewhere.env("TOURBILLON_CACHE", shop.folder.join("other-cache"));
    assert_eq!(started(&shop, &mut elsewhere).1, "12");
    let of_files = started(
        &shop,
        &mut compare(&["--bin", &shipped[0], &shipped[1]], "1"),
    );
    assert_eq!(of_files, (Vec::new(), "12".to_owned()));
}
