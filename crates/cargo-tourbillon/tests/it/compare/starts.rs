//! A program is started in the same way wherever it is measured.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::shop::Shop;
use crate::folder::script;
use crate::program::Ran;

/// Notes what a process that measures is given; the checkout is ROOT in the notes. Not noted is what the starting process
/// is given itself, and where each checkout has a folder of its own.
const SUITE: &str = r#"use core_of_shop as _;
use std::{env, fs, io::Write, process::ExitCode};

#[tourbillon::bench]
fn own() -> u64 { tourbillon::hide(1) }

const OF_WHO_STARTS: [&str; 12] = [
    "NOTED", "TOURBILLON_", "LD_LIBRARY_PATH", "PATH", "PWD", "OLDPWD", "SHLVL", "CARGO_HOME", "CARGO_BIN_EXE_",
    "RUSTUP_", "RUST_RECURSION_COUNT", "_",
];

fn read(file: &str) -> String { fs::read_to_string(format!("/proc/self/{file}")).expect("a file") }

fn variables() -> Vec<String> {
    // A shell passes no others on.
    let is_plain = |name: &str| name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let is_own = |name: &str| name == "CARGO" || OF_WHO_STARTS.iter().any(|start| name.starts_with(start));
    let kept = |name: &str| is_plain(name) && !is_own(name);
    let all = env::vars().filter(|(name, _)| kept(name));
    all.map(|(name, value)| match value.split_once("/debug/build/") {
        Some((_, within)) => format!("{name}={within}"),
        None => format!("{name}={value}"),
    }).collect()
}

fn libraries() -> Vec<String> {
    let maps = read("maps");
    let files = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    let shared = files.filter(|file| file.contains(".so"));
    shared.map(str::to_owned).collect()
}

fn streams() -> Vec<String> {
    (0..3).map(|number| {
        let leads = fs::read_link(format!("/proc/self/fd/{number}")).expect("a stream");
        let kind = leads.to_str().expect("a text").split([':', '#']).next().expect("a part");
        format!("{number} {kind}")
    }).collect()
}

fn note(file: &std::ffi::OsStr) {
    let told = ["Umask", "SigBlk", "SigCgt", "NoNewPrivs", "Seccomp", "CapEff"];
    let status = read("status");
    let told = status.lines().filter(|line| told.iter().any(|name| line.starts_with(name)));
    let mut lines: Vec<String> = told.map(str::to_owned).collect();
    lines.extend(["limits", "timerslack_ns", "oom_score_adj"].map(read));
    lines.push(format!("in {}", env::current_dir().expect("a folder").display()));
    lines.extend([variables(), libraries(), streams()].concat());
    lines.sort();
    lines.dedup();
    let home = env::var("CARGO_MANIFEST_DIR").expect("a folder");
    let root = home.strip_suffix("/shop").expect("a folder");
    let line = lines.join("|").replace('\n', "/").replace(root, "ROOT");
    let mut file = fs::File::options().append(true).create(true).open(file).expect("a file");
    writeln!(file, "{line}").expect("a line");
}

fn main() -> ExitCode {
    fs::read_dir("benches").expect("it is in the folder of its package");
    let measures = env::args().nth(1).is_some_and(|word| word == "--tourbillon-worker");
    // A worker is also started to see which engine a build has.
    if let Some(file) = env::var_os("NOTED").filter(|_| measures) { note(&file); }
    tourbillon::main()
}
"#;

/// What the processes that measured were given, each once.
fn noted(shop: &Shop, mut command: Command) -> BTreeSet<String> {
    let file = shop.folder.join("noted");
    let _ = fs::remove_file(&file);
    // Which is part of what cargo calls `OUT_DIR`.
    command.env("CARGO_INCREMENTAL", "0");
    let output = command.env("NOTED", &file).output();
    let ran = Ran::from(output.expect("the program starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(file).expect("a process that measured");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn programs_are_started_as_cargo_starts_them() {
    let shop = Shop::new("starts");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    shop.write("shop/benches/speed.rs", SUITE);
    shop.write(
        "shop/build.rs",
        "fn main() { println!(\"cargo::rustc-env=NUMBER=3\"); }\n",
    );
    shop.commit("probe");
    let built = ["--offline", "--profile", "dev", "--bench", "speed"];
    let brief = ["--launches", "2", "--max-time", "1ms"];
    let store = shop.folder.join("store");
    let bundle = shop.folder.join("probe.tar.gz");
    let there = shop.folder.join("there");
    script(&there, "#!/bin/sh\ncd /\nexec sh -c \"$*\"\n");
    let [store, bundle, there] =
        [&store, &bundle, &there].map(|path| path.to_str().expect("a path"));
    let command = |words: &[&[&str]]| shop.command("", &words.concat());

    let run = command(&[&["run"], &built, &brief, &["--store", store]]);
    let mut bench = Command::new(env!("CARGO"));
    bench.arg("bench").args(built).arg("--").args(brief);
    bench
        .args(["--store", store])
        .current_dir(shop.repository());
    for (name, value) in run.get_envs() {
        match value {
            Some(value) => bench.env(name, value),
            None => bench.env_remove(name),
        };
    }
    let of_cargo = noted(&shop, bench);
    assert_eq!(of_cargo.len(), 1, "{of_cargo:?}");
    assert_eq!(noted(&shop, run), of_cargo, "run");

    for words in [&["save", "kept"][..], &["bundle", bundle, "probe"]] {
        let made = command(&[words, &built[..]]).output().expect("it starts");
        let made = Ran::from(made);
        assert_eq!(made.code, Some(0), "{made:?}");
    }
    let measured = ["--measure-unchanged", "--layouts", "1", "--time", "1ms"];
    let stored = ["--store", store];
    for (what, words) in [
        ("a revision and the tree", &["probe"][..]),
        ("a saved build", &["saved:kept"]),
        ("two revisions", &["probe", "probe~0"]),
    ] {
        let compare = command(&[&["compare"], words, &built, &measured, &stored]);
        assert_eq!(noted(&shop, compare), of_cargo, "{what}");
    }
    let of_bundle = command(&[&["compare", "--bundle", bundle], &measured, &stored]);
    assert_eq!(noted(&shop, of_bundle), of_cargo, "a bundle");
    let elsewhere = command(&[&["run", "--runner", there], &built, &brief, &stored]);
    assert_eq!(noted(&shop, elsewhere), of_cargo, "another machine");
}

/// As where a library of the system reads a variable, or `taskset` chooses the processors.
#[test]
fn what_the_configuration_of_cargo_changes_is_measured() {
    let shop = Shop::new("starts-configured");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    let store = shop.folder.join("store");
    let store = store.to_str().expect("a path");
    fs::create_dir_all(shop.repository().join(".cargo")).expect("a folder");
    let suite = |first: &str| {
        format!(
            "use shop as _;\n#[tourbillon::bench]\nfn own() -> u64 {{ tourbillon::hide(1) }}\n\
             fn main() -> std::process::ExitCode {{\n{first}tourbillon::main()\n}}\n"
        )
    };
    shop.write("shop/benches/more.rs", &suite(""));
    shop.commit("quiet");
    let built = ["--offline", "--profile", "dev", "--bench", "more"];
    let words = [
        &["compare", "quiet"],
        &built[..],
        &[
            "--layouts",
            "1",
            "--time",
            "1ms",
            "--format",
            "jsonl",
            "--store",
            store,
        ],
    ]
    .concat();
    let compared = |tag: &str, configuration: &str| {
        // What no commit has is on both sides.
        shop.write(".cargo/config.toml", configuration);
        shop.commit(tag);
        let output = shop.command("", &words).output();
        let ran = Ran::from(output.expect("the program starts"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let is_unchanged = ran.stdout.contains("\"verdict\":\"unchanged\"");
        (is_unchanged, format!("{ran:?}"))
    };
    let (is_unchanged, said) = compared("empty", "");
    assert!(is_unchanged, "{said}");
    let (is_unchanged, _) = compared(
        "variable",
        "[env]\nGLIBC_TUNABLES = \"glibc.malloc.tcache_count=0\"\n",
    );
    assert!(!is_unchanged);
    let runner = "[target.'cfg(unix)']\nrunner = [\"env\", \"THROUGH=runner\"]\n";
    let (is_unchanged, said) = compared("runner", runner);
    assert!(!is_unchanged);
    let warning = "warning: `cargo bench` starts programs through `env THROUGH=runner`, a comparison does not";
    assert!(said.contains(warning), "{said}");
    // As `cargo bench` does.
    let reads = "assert_eq!(std::env::var(\"THROUGH\").as_deref(), Ok(\"runner\"));\n";
    shop.write("shop/benches/more.rs", &suite(reads));
    let brief = ["--launches", "1", "--max-time", "1ms", "--store", store];
    let run = shop
        .command("", &[&["run"], &built[..], &brief].concat())
        .output();
    let run = Ran::from(run.expect("the program starts"));
    assert_eq!(run.code, Some(0), "{run:?}");
}
