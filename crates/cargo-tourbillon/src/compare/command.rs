//! The flags of `compare`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgGroup, Command, value_parser};

use super::value;
use tourbillon_builds::Variation;

const ABOUT: &str = "Compare two revisions, or several variations, side by side";

const LONG_ABOUT: &str = "\
Build the bench targets of a revision in a clone of its own, in the user's
cache folder, and those of the working tree in place; list the cases of both,
and measure them in pairs of processes that take turns, every pair with its
functions in another order. The checkout, its index and what is not committed
stay as they are. With one REV the working tree is the other side; of two, the
first is the reference. A REV may also be the name of a saved build (saved:NAME
where both exist).

What stands behind -- goes to the bench binaries: filters, --exact, --skip,
--tag.";

const USAGE: &str = "\
cargo tourbillon compare [OPTIONS] REV [REV2] [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] --with SETTING.. [-- BENCH FLAGS]
       cargo tourbillon compare [OPTIONS] --bin OLD NEW [-- BENCH FLAGS]";

const AFTER: &str = "\
Settings for --with: features=A,B  rustflags=FLAGS  profile=NAME
  toolchain=NAME  target-cpu=NAME  env=NAME=VALUE; several in one build with
  \"; \" between them.

Thresholds of the gate for single cases stand in tourbillon.toml:
  [gate]
  relative = \"2%\"
  absolute = \"5ns\"
  [gate.cases]
  \"sort::\" = { relative = \"5%\" }

Examples:
  cargo tourbillon compare main
  cargo tourbillon compare v1.0 v1.1 --time 20s -- sort
  cargo tourbillon compare main --gate 2% --format md
  cargo tourbillon compare --with features=simd --with target-cpu=native
  cargo tourbillon compare --bin old/sort new/sort";

pub(crate) fn command() -> Command {
    Command::new("compare")
        .about(ABOUT)
        .override_usage(USAGE)
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("rev")
                .value_name("REV")
                .help("One or two revisions or saved builds")
                .num_args(0..=2),
        )
        .args(sides())
        .group(
            ArgGroup::new("what")
                .args(["rev", "with", "bin"])
                .required(true),
        )
        .args(selection())
        .args(settings())
        .args(verdicts())
        .arg(
            Arg::new("bench-flags")
                .value_name("BENCH FLAGS")
                .help("For the bench binaries, behind --")
                .num_args(0..)
                .last(true)
                .allow_hyphen_values(true),
        )
}

fn sides() -> [Arg; 3] {
    [
        Arg::new("with")
            .long("with")
            .value_name("SETTING")
            .help("The working tree built another way; repeatable")
            .action(ArgAction::Append)
            .value_parser(Variation::parse),
        Arg::new("bin")
            .long("bin")
            .value_names(["OLD", "NEW"])
            .help("Two executables")
            .num_args(2)
            .value_parser(value_parser!(PathBuf)),
        Arg::new("build-only")
            .long("build-only")
            .help("Prepare all there is, print it, measure nothing")
            .long_help(
                "Prepare executables and placements, print them, and measure nothing:\n\
                 so that a job of a CI fills the cache for others",
            )
            .action(ArgAction::SetTrue),
    ]
}

/// Which targets are built; as cargo names these flags.
pub(crate) fn selection() -> Vec<Arg> {
    let value = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .help(help)
            .action(ArgAction::SetTrue)
    };
    vec![
        value("package", "SPEC", "Packages to build, as cargo takes them")
            .short('p')
            .action(ArgAction::Append),
        value("bench", "NAME", "Bench targets to build").action(ArgAction::Append),
        value("features", "FEATURES", "Features, of all sides")
            .short('F')
            .action(ArgAction::Append),
        switch("all-features", "All features, of all sides"),
        switch("no-default-features", "No default features, on any side"),
        value("profile", "NAME", "Profile of all sides [bench]"),
        switch("workspace", "All packages of the workspace"),
        switch("locked", "Passed on to cargo"),
        switch("offline", "Passed on to cargo"),
    ]
}

fn settings() -> [Arg; 7] {
    [
        Arg::new("time")
            .long("time")
            .value_name("TIME")
            .help("Time to measure a case [10s, all together 3.5min]")
            .value_parser(value::duration_ns),
        Arg::new("timeout")
            .long("timeout")
            .value_name("TIME")
            .help("Silence that counts as a hang [the case's, or 30s]")
            .value_parser(value::duration_ns),
        Arg::new("margin")
            .long("margin")
            .value_name("PCT")
            .help("What is smaller is the same, as 1%")
            .value_parser(value::share),
        Arg::new("confidence")
            .long("confidence")
            .value_name("PCT")
            .help("Confidence of a verdict, as 99.9%")
            .value_parser(value::confidence),
        Arg::new("layouts")
            .long("layouts")
            .value_name("N")
            .help("Placements [another for every pair]; 1: as built")
            .value_parser(value_parser!(u32).range(1..=10_000)),
        Arg::new("seed")
            .long("seed")
            .value_name("HEX")
            .help("Seed of all that is drawn, as the header shows it")
            .value_parser(value::seed),
        Arg::new("store")
            .long("store")
            .value_name("DIR")
            .help("Folder of the store [tourbillon in the target's]")
            .value_parser(value_parser!(PathBuf)),
    ]
}

fn verdicts() -> [Arg; 3] {
    [
        Arg::new("gate")
            .long("gate")
            .value_name("PCT")
            .help("Exit with 2 when a case is slower by more, as 2%")
            .value_parser(value::share),
        Arg::new("undecided")
            .long("undecided")
            .value_name("WHAT")
            .help("Undecided cases and the gate: pass, fail [pass]")
            .hide_possible_values(true)
            .value_parser(["pass", "fail"]),
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .help("What is printed: text, md, jsonl [text]")
            .hide_possible_values(true)
            .value_parser(["text", "md", "jsonl"]),
    ]
}
