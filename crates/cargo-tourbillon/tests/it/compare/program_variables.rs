//! Programs have the variables that cargo gives them when it runs them.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;

use super::shop::{Shop, text};
use crate::program::Ran;

/// Notes at every start what it is given, and what the program of its package says.
const SUITE: &str = r#"use shop as _;
use std::{env, fs, io::Write, process::{Command, ExitCode}};

#[tourbillon::bench]
fn own() -> u64 { tourbillon::hide(1) }

fn main() -> ExitCode {
    let tool = env::var("CARGO_BIN_EXE_tool").unwrap_or_else(|_| "false".into());
    let said = Command::new(tool).output().expect("a program").stdout;
    let starts = ["CARGO_BIN_", "CARGO_PKG_", "CARGO_MANIFEST_", "OUT_DIR", "NUMBER", "CONFIGURED"];
    let given = env::vars().filter(|(name, _)| starts.iter().any(|start| name.starts_with(start)));
    let mut given: Vec<_> = given.collect();
    given.sort();
    let noted = env::var_os("NOTED").expect("a file");
    let mut file = fs::File::options().append(true).create(true).open(noted).expect("a file");
    writeln!(file, "{} {given:?}", String::from_utf8_lossy(&said)).expect("a line");
    tourbillon::main()
}
"#;

const QUIET: &str = "use shop as _;\n#[tourbillon::bench]\nfn own() -> u64 { tourbillon::hide(1) }\n\
    fn main() -> std::process::ExitCode { tourbillon::main() }\n";

/// What programs noted, each line once.
fn noted(shop: &Shop, command: &mut Command) -> (Ran, BTreeSet<String>) {
    let file = shop.folder.join("noted");
    let _ = fs::remove_file(&file);
    let output = command.env("NOTED", &file).output();
    let ran = Ran::from(output.expect("the program starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(file).unwrap_or_default();
    (ran, text.lines().map(str::to_owned).collect())
}

/// The unchanged cases, and the numbers of the programs and the variables that were used.
fn compared(shop: &Shop, mut command: Command) -> (Vec<String>, Vec<String>) {
    let (ran, lines) = noted(shop, &mut command);
    let values = ran.stdout.lines();
    let values = values.map(|line| serde_json::from_str::<Value>(line).expect(line));
    let unchanged = values.filter(|line| line["verdict"] == "unchanged");
    let unchanged = unchanged.map(|line| text(&line["case"]).to_owned());
    let numbers = lines.iter().map(|line| {
        let (_, number) = line.split_once("\"NUMBER\", \"").expect(line);
        format!("{}{}", &line[..1], &number[..1])
    });
    let mut numbers: Vec<String> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    (unchanged.collect(), numbers)
}

#[test]
fn programs_have_the_variables_of_their_build() {
    let shop = Shop::new("program-variables");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    shop.write("shop/benches/speed.rs", SUITE);
    shop.write("shop/benches/more.rs", QUIET);
    let manifest = fs::read_to_string(shop.repository().join("shop/Cargo.toml")).expect("a file");
    let described = "version = \"1.2.3-a.4+b\"\nauthors = [\"A <a@b>\", \"C\"]\nrust-version = \"1.85\"\n\
        license = \"MIT\"\ndescription = \"a\\nb\"\nreadme = false";
    shop.write(
        "shop/Cargo.toml",
        &manifest.replace("version = \"0.0.0\"", described),
    );
    for folder in [".cargo", "shop/src/bin"] {
        fs::create_dir_all(shop.repository().join(folder)).expect("a folder");
    }
    let configured = "[env]\nCONFIGURED_1 = \"a\"\nNUMBER = \"9\"\n\
        CONFIGURED_2 = { value = \"a/b\", relative = true, force = true }\n";
    shop.write(".cargo/config.toml", configured);
    // The number of the program, and that of the variable.
    for number in ["11", "12", "22"] {
        let tool = format!("fn main() {{ print!(\"{}\"); }}\n", &number[..1]);
        shop.write("shop/src/bin/tool.rs", &tool);
        let script = format!(
            "fn main() {{ println!(\"cargo::rustc-env=NUMBER={}\"); }}\n",
            &number[1..]
        );
        shop.write("shop/build.rs", &script);
        shop.commit(&format!("numbers-{number}"));
    }
    let of_cargo = ["--offline", "--profile", "dev", "--bench", "speed"];
    let store = shop.folder.join("store");
    let quick = "--time 1ms --layouts 1 --format jsonl --store";
    let compare = |words: &[&str]| {
        let quick: Vec<&str> = quick.split(' ').collect();
        let words = [&["compare"], words, &quick].concat();
        let mut command = shop.command("", &words);
        command.arg(&store);
        command
    };
    let more = [&of_cargo[..], &["--bench", "more"]].concat();
    let of_both = |revisions: &[&str]| compare(&[revisions, &more].concat());
    let quiet = || vec!["shop/more::own".to_owned()];
    let expected = |numbers: [&str; 2]| Vec::from(numbers.map(str::to_owned));
    let (unchanged, numbers) = compared(&shop, of_both(&["numbers-11", "numbers-12"]));
    assert_eq!((unchanged, numbers), (quiet(), expected(["11", "12"])));
    let (unchanged, numbers) = compared(&shop, of_both(&["numbers-12", "numbers-22"]));
    assert!(!unchanged.iter().any(|case| case == "shop/speed::own"));
    assert_eq!(numbers, expected(["12", "22"]));

    // The same executable with another variable is another build.
    shop.write(
        "shop/build.rs",
        "fn main() { println!(\"cargo::rustc-env=NUMBER=3\"); }\n",
    );
    let (unchanged, numbers) = compared(&shop, of_both(&["numbers-22"]));
    assert_eq!((unchanged, numbers), (quiet(), expected(["22", "23"])));

    let words = ["--launches", "2", "--max-time", "1ms", "--store"];
    let mut run = shop.command("", &[&["run"], &of_cargo[..], &words].concat());
    let of_run = noted(&shop, run.arg(&store)).1;
    let mut bench = Command::new(env!("CARGO"));
    bench.arg("bench").args(of_cargo).args(["--", "--list"]);
    bench.current_dir(shop.repository());
    for (name, value) in run.get_envs() {
        match value {
            Some(value) => bench.env(name, value),
            None => bench.env_remove(name),
        };
    }
    let of_cargo_itself = noted(&shop, &mut bench).1;
    assert_eq!(of_run, of_cargo_itself);
    let line = of_run.first().expect("a line");
    for part in [
        "CARGO_BIN_EXE_tool",
        "1.2.3-a.4+b",
        "repository/a/b",
        "OUT_DIR",
        "MANIFEST_PATH",
    ] {
        assert!(line.contains(part), "{part} {line}");
    }

    let bundle = shop.folder.join("variables.tar.gz");
    let file = bundle.to_str().expect("a path");
    let words = [&["bundle", file, "numbers-11"], &of_cargo[..]].concat();
    let mut refused = shop.command("", &words);
    let refused = refused.env("NOTED", shop.folder.join("noted")).output();
    let refused = Ran::from(refused.expect("the program starts"));
    // Its program is elsewhere on another machine.
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("name their target directory"),
        "{refused:?}"
    );
}
