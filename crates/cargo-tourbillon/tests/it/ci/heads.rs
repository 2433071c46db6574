//! Heads that change how they are judged, or what there is to judge.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::{command_of, file, json_file, numbers, output, ran};
use crate::compare::Shop;

/// In sequence, because slow builds are shared.
#[test]
fn heads_are_judged_by_their_base() {
    let shop = Shop::new("ci-heads");
    shop.lend_facade();
    the_settings_are_those_of_the_base(&shop);
    cases_that_the_head_does_without_are_named(&shop);
    #[cfg(target_os = "linux")]
    bundles_of_base_and_head_are_judged(&shop);
    numbers::another_direction_is_named_in_the_first_line(&shop);
    numbers::merged_shards_are_judged_by_their_numbers(&shop);
    the_compiler_is_named_where_all_is_new(&shop);
}

/// A benchmark with these attributes.
fn case(attributes: &str, name: &str) -> String {
    let call = "core_of_shop::sum(tourbillon::hide(9))";
    format!("#[tourbillon::bench{attributes}]\nfn {name}() -> u64 {{ {call} }}\n")
}

fn write_cases(shop: &Shop, cases: &[(&str, &str)]) {
    let mut speed = String::new();
    for (attributes, name) in cases {
        speed += &case(attributes, name);
    }
    speed += "fn main() -> std::process::ExitCode { tourbillon::main() }\n";
    shop.write("shop/benches/speed.rs", &speed);
}

/// Every case with its outcome.
pub(super) fn outcomes(shop: &Shop) -> Vec<String> {
    let outcomes = json_file(shop, "outcomes.json");
    let cases = outcomes["cases"].as_array().expect("cases").iter();
    let text = |case: &Value, member: &str| case[member].as_str().expect(member).to_owned();
    let mut all: Vec<String> = cases
        .map(|case| format!("{} {}", text(case, "case"), text(case, "outcome")))
        .collect();
    all.sort();
    all
}

pub(super) fn first_line(shop: &Shop) -> String {
    let summary = file(shop, "summary.md");
    summary.lines().next().expect("a line").to_owned()
}

/// The head is slower, and has settings by which nothing would be judged.
fn the_settings_are_those_of_the_base(shop: &Shop) {
    shop.write(
        "tourbillon.toml",
        "[gate]\nrelative = \"900%\"\n[ci]\nundecided = \"pass\"\nmissing = \"pass\"\nmargin = \"900%\"\n\
         confidence = \"99.9999999%\"\n[bench]\nskip = \"sum\"\n[compare]\ntime = \"1ms\"\n",
    );
    fs::create_dir_all(shop.repository().join(".cargo")).expect("a folder");
    shop.write(
        ".cargo/config.toml",
        "[alias]\ntourbillon = [\"run\", \"-q\", \"--\"]\n",
    );
    super::a_slower_head_fails_the_gate(shop);
    let expected =
        "the head changes [gate], [ci], [bench] of its settings, which applies once merged";
    assert!(file(shop, "summary.md").contains(expected));
    assert!(file(shop, "comment.md").contains(expected));
    assert_eq!(json_file(shop, "outcomes.json")["changes"][0], expected);
    assert_eq!(outcomes(shop), ["shop/speed::sum exceeds"]);
    assert!(!output(shop).join("settings.toml").exists());

    // Named, it is still that of the base.
    let missing = ran(command_of(
        shop,
        &["--base", "v2", "--config", "tourbillon.toml"],
        &[],
    ));
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(
        missing
            .stderr
            .contains("the base has no \"tourbillon.toml\""),
        "{missing:?}"
    );
}

/// The head loses, renames and ignores cases, and removes the settings by which that fails.
fn cases_that_the_head_does_without_are_named(shop: &Shop) {
    shop.write(
        "tourbillon.toml",
        "[ci]\nmissing = \"fail\"\ntime = \"1ms\"\n",
    );
    write_cases(
        shop,
        &[("", "sum"), ("", "steady"), ("", "slow"), ("", "gone")],
    );
    shop.commit("settled");
    fs::remove_file(shop.repository().join("tourbillon.toml")).expect("removed");
    let heads = [
        ("", "sum"),
        ("", "\n\nsteady_now"),
        ("(ignore = \"later\")", "slow"),
    ];
    write_cases(shop, &heads);
    shop.commit("lossy");
    let flags = ["--base", "settled", "--bench", "speed"];
    // The folder is in the checkout, which may have had a link of this name.
    let other = shop.folder.join("other");
    fs::write(&other, "kept").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&other, output(shop).join("settings.toml")).expect("a link");
    let failed = ran(command_of(shop, &flags, &[]));
    assert_eq!(failed.code, Some(2), "{failed:?}");
    assert_eq!(
        first_line(shop),
        "### Benchmarks: gate failed; lost `gone`; renamed `steady` to `steady_now`; ignored `slow`"
    );
    let ended = "; lost gone; renamed steady to steady_now; ignored slow\n";
    assert!(failed.stdout.ends_with(ended), "{failed:?}");
    assert_eq!(
        outcomes(shop),
        [
            "shop/speed::gone exceeds",
            "shop/speed::slow exceeds",
            "shop/speed::steady exceeds",
            "shop/speed::steady_now missing",
            "shop/speed::sum passes",
        ]
    );
    assert!(file(shop, "settings.toml").starts_with("[ci]\nmissing"));
    assert_eq!(fs::read_to_string(&other).expect("a file"), "kept");
    assert!(file(shop, "summary.md").contains("the head changes [ci] of its settings"));

    // What is typed takes its place, as anywhere; `--flags` is typed.
    let text = "\n--missing pass\n--undecided 'pass'\n";
    let passed = ran(command_of(
        shop,
        &[&flags[..], &["--flags", text]].concat(),
        &[],
    ));
    assert_eq!(passed.code, Some(0), "{passed:?}");
    assert!(
        first_line(shop).contains("; lost `gone`; renamed"),
        "{}",
        first_line(shop)
    );
    assert!(outcomes(shop).contains(&"shop/speed::slow undecided".to_owned()));
    // Both of several lines count, and a mistake in one is a mistake.
    for (text, expected) in [
        ("--missing pass\n--gate", "a value is required"),
        ("--missing 'pass", "a quotation mark without its pair"),
        (
            "--missing pass\n--flags x",
            "--flags cannot be among the flags of --flags",
        ),
    ] {
        let refused = ran(command_of(
            shop,
            &[&flags[..], &["--flags", text]].concat(),
            &[],
        ));
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains(expected), "{refused:?}");
    }
}

/// Executables that other jobs built are judged like those that are built here.
#[cfg(target_os = "linux")]
fn bundles_of_base_and_head_are_judged(shop: &Shop) {
    let file = shop.folder.join("ci.tar.gz");
    let both = file.to_str().expect("a path");
    let flags = ["--offline", "--profile", "dev", "--bench", "speed"];
    let made = shop.command(
        "",
        &[&["bundle", both, "settled", "lossy"], &flags[..]].concat(),
    );
    let made = ran(made);
    assert_eq!(made.code, Some(0), "{made:?}");
    // A configuration may name what cargo starts: it is not started.
    let (cargo, started) = (shop.folder.join("cargo"), shop.folder.join("started"));
    let text = format!("#!/bin/sh\ntouch '{}'\n", started.display());
    crate::folder::script(&cargo, &text);
    let judged = |base: &str, head: &str| {
        let words = ["--bundle", both, "--base", base, "--head", head];
        let mut command = command_of(shop, &words, &[]);
        command
            .env("TOURBILLON_CACHE", shop.folder.join("judge"))
            .env("CARGO", &cargo);
        ran(command)
    };
    let failed = judged("settled", "lossy");
    assert_eq!(failed.code, Some(2), "{failed:?}");
    assert!(
        first_line(shop).contains("lost `gone`"),
        "{}",
        first_line(shop)
    );
    assert!(!started.exists());
    let refused = judged("v2", "lossy");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("in the bundle is not the base"),
        "{refused:?}"
    );
    assert!(!output(shop).join("outcomes.json").exists());
}

/// A base without benchmarks may have none for its compiler.
fn the_compiler_is_named_where_all_is_new(shop: &Shop) {
    shop.write("rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n");
    shop.commit("chosen");
    let passed = ran(command_of(shop, &["--base", "foreign"], &[]));
    assert_eq!(passed.code, Some(0), "{passed:?}");
    let expected = "the head changes rust-toolchain.toml, which chooses the compiler of its side";
    assert!(file(shop, "summary.md").contains(expected), "{passed:?}");
}

/// A cache in the checkout, as GitLab needs it, has the files of the head before anything is compared.
#[test]
fn no_file_of_a_commit_is_a_build() {
    let shop = Shop::new("ci-cache");
    let cache = shop.repository().join(".cache/tourbillon");
    fs::create_dir_all(cache.join("builds")).expect("a folder");
    let file = cache.join("builds/build.json");
    fs::write(&file, "{}").expect("a file");
    shop.git(&["add", "--force", ".cache"]);
    let expected = format!(
        "{file:?} is a file of a repository, and programs in the cache are started; name a folder of your own"
    );
    for words in [
        &["ci", "--base", "v1"][..],
        &["compare", "v1"],
        #[cfg(feature = "sqlite")]
        &["history", "backfill", "v1..v2"],
    ] {
        let mut command = shop.command("", words);
        command.env("TOURBILLON_CACHE", &cache);
        let refused = ran(command);
        assert_eq!(refused.code, Some(5), "{refused:?}");
        assert!(refused.stderr.contains(&expected), "{refused:?}");
    }
}

/// A program without variables of a service or of the target folder.
fn in_own_target(shop: &Shop, words: &[&str]) -> Command {
    let mut command = shop.command("", words);
    for name in super::SERVICE.iter().chain(&["CARGO_TARGET_DIR"]) {
        command.env_remove(name);
    }
    command
}

#[test]
fn no_target_folder_of_a_commit_has_the_files() {
    let shop = Shop::new("ci-target");
    fs::create_dir_all(shop.repository().join(".cargo")).expect("a folder");
    shop.write(".cargo/config.toml", "[build]\ntarget-dir = \"../other\"\n");
    shop.commit("moved");
    let refused = ran(in_own_target(&shop, &["ci", "--base", "v9"]));
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let files = shop.repository().join("target/tourbillon-ci");
    let named = format!("files in {}\n", files.display());
    assert!(refused.stderr.contains(&named), "{refused:?}");
    assert!(files.join("summary.md").is_file());
    assert!(!shop.folder.join("other").exists());
}

/// A checkout has the links of the head before anything is compared.
#[cfg(unix)]
#[test]
fn no_link_of_a_commit_leads_to_the_files() {
    let shop = Shop::new("ci-links");
    let (target, other) = (shop.repository().join("target"), shop.folder.join("other"));
    for folder in [&target, &other] {
        fs::create_dir_all(folder).expect("a folder");
    }
    fs::write(other.join("settings.toml"), "kept").expect("a file");
    for name in ["tourbillon-ci", "tourbillon"] {
        std::os::unix::fs::symlink("../../other", target.join(name)).expect("a link");
        shop.git(&["add", "--force", &format!("target/{name}")]);
    }
    let compared = ["ci", "--offline", "--base", "v1"];
    let named = |folder| ["ci", "--base", "v1", "--output", folder];
    for (words, flag) in [
        (&compared[..], "--output DIR"),
        (&named("target/tourbillon/new"), "--output DIR"),
        (&named("target/tourbillon/"), "--output DIR"),
        (&named("new/../target/tourbillon"), "--output DIR"),
        (&["show"], "--store DIR"),
        (&["show", "--store", "target/tourbillon"], "--store DIR"),
        (
            &["history", "log", "sum", "--history", "target/tourbillon"],
            "--history DIR",
        ),
    ] {
        let refused = ran(in_own_target(&shop, words));
        assert_eq!(refused.code, Some(5), "{refused:?}");
        let remedy = format!("no files are written where it leads; name a place with {flag}");
        assert!(refused.stderr.contains(&remedy), "{refused:?}");
    }
    let kept = fs::read_to_string(other.join("settings.toml"));
    assert_eq!(kept.expect("a file"), "kept");
    assert_eq!(fs::read_dir(&other).expect("a folder").count(), 1);
}
