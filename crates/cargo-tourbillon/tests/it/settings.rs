//! Defaults in `tourbillon.toml`, and what holds.

use std::fs;
use std::path::Path;

use crate::compare::Shop;
use crate::folder::Folder;
use crate::program::{Ran, command};

const RECORD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tourbillon-record/tests/golden/schema-2-one-run.jsonl"
);

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = command(&[&["tourbillon"], arguments].concat());
    command.current_dir(folder);
    command.output().expect("the program starts").into()
}

/// A workspace with a file of defaults.
fn workspace(name: &str, text: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.join("Cargo.lock"), "").expect("a file");
    fs::write(folder.join("tourbillon.toml"), text).expect("a file");
    folder
}

#[test]
fn subcommands_have_defaults() {
    let folder = workspace("settings-show", "[show]\nformat = \"csv\"\n");
    let first = |arguments: &[&str]| {
        let ran = run(&folder, &[&["show", RECORD], arguments].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
            .split([',', '\n'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(first(&[]), "case");
    assert_ne!(first(&["--format", "text"]), "case");
    assert_ne!(first(&["--config", "none"]), "case");
}

#[test]
fn mistakes_name_the_line() {
    for (text, expected) in [
        (
            "[compare]\ntiem = \"1s\"",
            "2: unknown key tiem; did you mean time?",
        ),
        (
            "[compare]\n\ntime = \"fast\"",
            "3: invalid value 'fast' for '--time",
        ),
        (
            "[compare]\ntime = [\"1s\", \"2s\"]",
            "2: time takes one value",
        ),
        ("[compare]\nno-wait = 1", "2: no-wait is true or false"),
        (
            "[compare]\ngate = \"2%\"",
            "2: gate has thresholds in [gate]",
        ),
        (
            "[compare]\nstore = \"x\"",
            "2: store is for all programs; write it in [bench]",
        ),
        ("[compare]\nwith = \"x\"", "2: with is for the command line"),
        (
            "[comapre]\nx = 1",
            "2: [comapre] is not known; did you mean [compare]?",
        ),
    ] {
        let folder = workspace("settings-mistakes", text);
        let ran = run(&folder, &["compare", "--bin", "a", "b"]);
        let file = std::path::absolute(folder.join("tourbillon.toml")).expect("a path");
        let expected = format!("error: {}:{expected}", file.display());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
        assert!(ran.stderr.starts_with(&expected), "{text}: {}", ran.stderr);
    }
    // What was typed takes its place.
    let folder = workspace("settings-typed", "[compare]\ntime = \"fast\"");
    let ran = run(&folder, &["compare", "--bin", "a", "b", "--time", "1s"]);
    assert!(ran.stderr.contains("a is not a file"), "{ran:?}");
    let named = ["compare", "--bin", "a", "b", "--config", "missing.toml"];
    let ran = run(&folder, &named);
    assert!(
        ran.stderr.contains("\"missing.toml\" cannot be read: "),
        "{ran:?}"
    );
}

/// A commit can have the file, and what `report` writes takes the place of what is there.
#[test]
fn no_file_of_settings_says_what_a_report_replaces_or_opens() {
    for setting in ["output = \"../notes.txt\"", "svg = \"..\"", "open = true"] {
        let folder = workspace("settings-report", &format!("[report]\n{setting}"));
        let ran = run(&folder, &["report", "missing.jsonl"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
        let key = setting.split(' ').next().expect("a key");
        let expected = format!("2: {key} is for the command line");
        assert!(ran.stderr.contains(&expected), "{ran:?}");
    }
}

/// In the repository of the tests of `compare`, because slow builds are shared.
pub(crate) fn what_holds_is_printed_for_every_target(shop: &Shop) {
    let text = "[bench]\nlaunches = 5\nskip = \"gone\"\n[bench.targets.more]\nlaunches = 6\n\
                [bench.cases.dirty]\nmin-time = \"1s\"\n[compare]\ntime = \"20s\"\n[gate]\nrelative = \"2%\"\n";
    shop.write("tourbillon.toml", text);
    let flags = [
        "config",
        "--offline",
        "--profile",
        "dev",
        "-p",
        "shop",
        "--launches=7",
    ];
    let arguments = [
        &flags[..],
        &["--bench", "speed", "--bench", "more", "--", "dirty", "more"],
    ];
    let output = shop.command("shop", &arguments.concat()).output();
    let ran: Ran = output.expect("the program starts").into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = ran.stdout.lines().map(words).collect();
    let path = shop.repository().join("tourbillon.toml");
    let file = path.display();
    let count = |expected: &str| lines.iter().filter(|line| *line == expected).count();
    for (expected, times) in [
        (format!("[compare] time 20s {file}:9"), 1),
        (format!("[gate] relative 2% {file}:11"), 1),
        ("shop/speed".to_owned(), 1),
        ("shop/more".to_owned(), 1),
        ("--launches 7 command line".to_owned(), 2),
        (format!("--skip gone {file}:3: [bench]"), 2),
        (
            format!("dirty --min-time 1s {file}:7: [bench.cases.\"dirty\"]"),
            1,
        ),
    ] {
        assert_eq!(count(&expected), times, "{expected}\n{}", ran.stdout);
    }
    // Both sides of a comparison have the file of this working tree.
    let arguments = ["v1", "v2", "--bench", "speed", "--format", "jsonl"];
    let remarks = || shop.compare_in("", &arguments, &[]).stderr;
    assert!(!remarks().contains(": gone"), "{}", remarks());
    fs::remove_file(shop.repository().join("tourbillon.toml")).expect("removed");
    assert!(remarks().contains("): gone"), "{}", remarks());
}
