//! Measuring and verdicts.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tourbillon_analysis::{Criteria, Design, Frequency, judge};
use tourbillon_record::{Reach, Run};

use super::shop::{Shop, text};
use crate::program::{Ran, command};

/// A hundred times slower.
const SLOW: &str = "pub fn sum(n: u64) -> u64 { (0..100 * n).sum::<u64>() / 100 }\n";
/// Code that fails.
const PANICKING: &str = "pub fn sum(n: u64) -> u64 { panic!(\"no sum of {n}\") }\n";
const QUICK: &str = "pub fn sum(n: u64) -> u64 { (0..n).sum() }\n";

/// The lines of `--format jsonl`.
struct Output {
    verdicts: Vec<Value>,
    end: Value,
}

impl Output {
    fn of(ran: &Ran) -> Output {
        let (ends, verdicts) = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect(line))
            .partition(|line| line["type"] == "comparison");
        let end: Vec<Value> = ends;
        Output {
            verdicts,
            end: end.into_iter().next().expect("an end"),
        }
    }

    fn of_case(&self, name: &str) -> &Value {
        let mut found = self.verdicts.iter();
        found
            .find(|verdict| text(&verdict["case"]).ends_with(name))
            .expect(name)
    }
}

fn store(shop: &Shop) -> PathBuf {
    shop.folder.join("store")
}

fn compare(shop: &Shop, arguments: &[&str], filters: &[&str]) -> Ran {
    let store = store(shop);
    let common = ["--offline", "--profile", "dev", "--seed", "7", "--store"];
    let words = [
        // Of most commits the cases are equal.
        &["compare", "--measure-unchanged"],
        arguments,
        &common[..],
        &[store.to_str().expect("a path")],
        &["--bench", "speed", "--"],
        filters,
    ]
    .concat();
    let output = shop.command("", &words).output();
    output.expect("the program starts").into()
}

/// The record of the only stored comparison.
fn record(shop: &Shop) -> Run {
    let folder = store(shop).join("comparisons/runs/shop/speed");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
    let [file] = files.as_slice() else {
        panic!("{files:?}");
    };
    Run::parse(&fs::read_to_string(file).expect("a file")).expect("a run")
}

pub(super) fn cases_of_two_names_and_assertions(shop: &Shop) {
    let _ = fs::remove_dir_all(store(shop));
    let arguments = [
        "v2::added",
        "::dirty",
        "--time",
        "1ms",
        "--layouts",
        "2",
        "--format",
        "jsonl",
    ];
    let ran = compare(shop, &arguments, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let output = Output::of(&ran);
    let [compared, asserted] = output.verdicts.as_slice() else {
        panic!("{ran:?}");
    };
    assert!(text(&compared["case"]).ends_with("::dirty"), "{compared}");
    assert!(
        text(&compared["reference_case"]).ends_with("::added"),
        "{compared}"
    );
    assert!(
        compared["ratio"].as_f64().is_some_and(|ratio| ratio > 0.0),
        "{compared}"
    );
    // What the working tree asserts, measured by its own program.
    assert_eq!(asserted["limit"], 1000.0, "{asserted}");
    assert_eq!(asserted["candidate"], "working tree", "{asserted}");
    assert_ne!(asserted["verdict"], "slower", "{asserted}");
    let explained = shop.command("", &["explain", "dirty", "--store"]);
    let mut explained = explained;
    let output = explained.arg(store(shop)).output().expect("it starts");
    let explained = Ran::from(output).stdout;
    assert!(
        explained.contains("recomputed figures are the same"),
        "{explained}"
    );

    let mistaken = compare(shop, &["v2::added", "::gone"], &[]);
    assert_eq!(mistaken.code, Some(1), "{mistaken:?}");
    let expected = "in working tree, no case has the name \"gone\"";
    assert!(mistaken.stderr.contains(expected), "{mistaken:?}");
    let half = compare(shop, &["v2::added", "v1"], &[]);
    assert!(
        half.stderr.contains("write REV::CASE REV::CASE"),
        "{half:?}"
    );
    let _ = fs::remove_dir_all(store(shop));
}

pub(super) fn an_empty_shard_has_a_record(shop: &Shop) {
    let _ = fs::remove_dir_all(store(shop));
    let words = [
        "v1",
        "v2",
        "--gate",
        "2%",
        "--partition",
        "slice:3/3",
        "--layouts",
        "1",
    ];
    let ran = compare(shop, &words, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let run = record(shop);
    let shard = run.header.shard.as_deref().expect("a shard");
    assert_eq!((shard.number, shard.of, shard.cases), (3, 3, 1));
    assert_eq!((run.header.cases, run.cases.len()), (0, 0));
    assert!(run.end.is_some());

    // The other two shards are missing, so the gate has no answer.
    let folder = store(shop);
    let merged = |more: &[&str]| -> Ran {
        let mut merge = command(&["tourbillon", "merge", "-o"]);
        merge.arg(shop.folder.join("all.jsonl")).arg(&folder);
        merge.args(more).output().expect("it starts").into()
    };
    for flags in [&[] as &[&str], &["--gate", "2%"]] {
        let ran = merged(flags);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(
            ran.stdout
                .contains("missing or interrupted: shard 1, 2 of 3"),
            "{ran:?}"
        );
        let judged = ran.stdout.contains("  gate: ");
        assert_eq!(judged, !flags.is_empty(), "{ran:?}");
        assert!(
            !judged || ran.stdout.contains("  gate: not judged"),
            "{ran:?}"
        );
    }
}

pub(super) fn two_revisions_take_turns(shop: &Shop) {
    let _ = fs::remove_dir_all(store(shop));
    let arguments = [
        "v1",
        "v2",
        "--time",
        "1s",
        "--layouts",
        "3",
        "--format",
        "jsonl",
    ];
    let ran = compare(shop, &arguments, &["sum"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let output = Output::of(&ran);
    let verdict = output.of_case("::sum");
    assert!(text(&verdict["reference"]).starts_with("v1 ("), "{verdict}");
    assert!(text(&verdict["candidate"]).starts_with("v2 ("), "{verdict}");
    assert!(verdict["reference_ns"].as_f64().is_some_and(|ns| ns > 0.0));
    assert_eq!(output.end["interrupted"], false);
    // Three placements of each build, none of them seen before.
    assert_eq!(output.end["links"], 6, "{}", output.end);
    let of_end = |name: &str| output.end[name].as_u64().expect("a number");
    assert!(of_end("link_most_ns") >= of_end("link_ns") && of_end("link_ns") > 0);

    // The verdict follows from the record.
    let run = record(shop);
    let [stored] = run.verdicts.as_slice() else {
        panic!("{:?}", run.verdicts);
    };
    // With the names of the case and its place, by which `explain` finds it.
    let case = &run.cases[0];
    assert_eq!(
        (case.id.as_str(), case.name.as_str()),
        (stored.case.as_str(), "sum")
    );
    assert!(case.file.ends_with("speed.rs") && case.line > 0, "{case:?}");
    assert_eq!(run.rounds.len(), stored.launches as usize);
    assert_eq!(
        stored.launches as u64,
        verdict["launches"].as_u64().expect("a number")
    );
    assert_eq!(stored.scope, Reach::Placements);
    for rounds in &run.rounds {
        assert_eq!(rounds.pids.len(), 2);
        assert_ne!(rounds.pids[0], rounds.pids[1]);
        assert_eq!(rounds.placement, Some(u64::from(rounds.launch % 3)));
        assert!(rounds.ticks.iter().all(|ticks| *ticks > 0), "{rounds:?}");
        let first = rounds.arm.iter().filter(|arm| **arm == 0).count();
        assert_eq!(first * 2, rounds.arm.len());
    }
    let frequency = Frequency::of(&run.header.clock).expect("a frequency");
    let mut again = judge(
        Design::Builds,
        &run.rounds,
        0,
        1,
        Criteria::BUILDS,
        &frequency,
    );
    again.reference.clone_from(&stored.reference);
    assert_eq!(again, *stored);
    explained(shop);
}

fn explained(shop: &Shop) {
    let store = store(shop);
    let words = [
        "explain",
        "speed::sum",
        "--store",
        store.to_str().expect("a path"),
    ];
    let output = shop.command("", &words).output();
    let ran: Ran = output.expect("the program starts").into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("recomputed figures are the same"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("placement"), "{}", ran.stdout);
}

pub(super) fn a_build_is_compared_with_itself(shop: &Shop) {
    let arguments = [
        "v2",
        "v2",
        "--time",
        "1ms",
        "--layouts",
        "3",
        "--format",
        "jsonl",
    ];
    let ran = compare(shop, &arguments, &["sum"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let output = Output::of(&ran);
    // Both sides have the same placements.
    assert_eq!(output.end["links"], 3, "{}", output.end);
    assert_eq!(output.of_case("::sum")["launches"], 1);
}

pub(super) fn a_gate_closes_on_what_is_slower(shop: &Shop) {
    shop.write("core/src/lib.rs", SLOW);
    let ran = compare(shop, &["v2", "--gate", "5%", "--time", "20s"], &["sum"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("slower"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("gate: sum is slower by more than 5 %"),
        "{}",
        ran.stdout
    );
    // A difference within the threshold passes, and so does an undecided case.
    let ran = compare(
        shop,
        &[
            "v1", "v2", "--gate", "900%", "--time", "1s", "--format", "md",
        ],
        &["sum"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("| case | v1 | v2 | change |"),
        "{}",
        ran.stdout
    );
    shop.write("core/src/lib.rs", QUICK);
}

pub(super) fn a_side_that_fails_is_named(shop: &Shop) {
    shop.write("core/src/lib.rs", PANICKING);
    let ran = compare(shop, &["v2", "--time", "1s", "--layouts", "1"], &["sum"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stdout.contains("failed in working tree"),
        "{}",
        ran.stdout
    );
    // Regardless of line breaks.
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("no sum of 9"), "{}", ran.stdout);
    shop.write("core/src/lib.rs", QUICK);
}

/// A benchmark that returns a number of which more is better.
const FOUND: &str =
    "const FOUND: tourbillon::Metric = tourbillon::Metric::count(\"found\").more_is_better();
#[tourbillon::bench]
fn found(b: tourbillon::Bencher<'_>) { b.measure(FOUND, || core_of_shop::sum(5)); }
";

pub(super) fn numbers_follow_their_direction(shop: &Shop) {
    let speed = shop.repository().join("shop/benches/speed.rs");
    let before = fs::read_to_string(speed).expect("a file");
    shop.write("shop/benches/speed.rs", &(before.clone() + FOUND));
    let base = "--layouts 1 --time 3s --format jsonl";
    let base: Vec<&str> = base.split(' ').collect();
    let against =
        |words: &[&str]| compare(shop, &[&["found"], words, &base[..]].concat(), &["found"]);
    shop.commit("found");
    for (core, gate, finding, code) in [
        // 10 of both.
        (QUICK, &[][..], "same", 0),
        (
            "pub fn sum(n: u64) -> u64 { (0..=n).sum() }\n",
            &[],
            "faster",
            0,
        ),
        (
            "pub fn sum(n: u64) -> u64 { (0..=n).sum() }\n",
            &["--gate", "1%"],
            "faster",
            0,
        ),
        (
            "pub fn sum(n: u64) -> u64 { (2..n).sum() }\n",
            &[],
            "slower",
            0,
        ),
        (
            "pub fn sum(n: u64) -> u64 { (2..n).sum() }\n",
            &["--gate", "1%"],
            "slower",
            2,
        ),
    ] {
        shop.write("core/src/lib.rs", core);
        let ran = against(gate);
        let output = Output::of(&ran);
        let found = output.of_case("found");
        assert_eq!(
            (text(&found["verdict"]), ran.code),
            (finding, Some(code)),
            "{ran:?}"
        );
        assert_eq!(found["number"]["more_is_better"], true, "{ran:?}");
    }
    shop.write("core/src/lib.rs", QUICK);
    // Of the other direction, it is another number.
    let other = before.clone() + &FOUND.replace(".more_is_better()", "");
    shop.write("shop/benches/speed.rs", &other);
    let ran = against(&["--gate", "1%"]);
    let output = Output::of(&ran);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(output.of_case("found")["why"], "not_comparable", "{ran:?}");
    shop.write("shop/benches/speed.rs", &before);
}
