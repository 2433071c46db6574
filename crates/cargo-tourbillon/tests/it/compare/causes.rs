//! `why`, of real builds and a verdict that is written by hand: what it says depends on no timing.

use std::fs;

use serde_json::Value;
use tourbillon_record::{Case, Entry, Fact, FactValue, Finding, Verdict};

use super::shop::{Shop, text};
use crate::program::Ran;
use crate::records::header;

const QUICK: &str = "
pub fn sum(n: u64) -> u64 {
    let (mut at, mut sum) = (0, 0);
    while at < n {
        sum += at;
        at += 1;
    }
    sum
}

pub fn boxes(n: u64) -> Vec<u64> {
    Vec::with_capacity(n as usize)
}
";
const SLOW: [(&str, &str); 2] = [
    ("while at < n", "while at < 3 * n"),
    (
        "    Vec::with_capacity(n as usize)",
        "    let _last = Box::new(n);\n    Vec::with_capacity(n as usize)",
    ),
];
const BENCH: &str = "
#[tourbillon::bench]
fn sum() -> u64 { core_of_shop::sum(tourbillon::hide(9)) }
#[tourbillon::bench]
fn boxes() -> Vec<u64> { core_of_shop::boxes(tourbillon::hide(9)) }
fn main() -> std::process::ExitCode { tourbillon::main() }
";

/// Stores a comparison of two tags whose second build takes longer.
fn store_comparison(shop: &Shop) {
    let mut header = header(1, "model A");
    header.target = "speed".to_owned();
    let fact = |name: &str, value: &str| Fact {
        name: name.to_owned(),
        value: FactValue::Text(value.to_owned()),
    };
    for (side, tag) in [("reference", "quick"), ("candidate", "slow")] {
        header.facts.push(fact(side, tag));
        let commit = shop.commit_of(tag);
        header.facts.push(fact(&format!("{side}_commit"), &commit));
    }
    let mut lines = vec![Entry::Header(&header).encode()];
    for (name, ratio) in [("sum", 1.5), ("boxes", 3.0)] {
        let case = Case {
            id: format!("shop/speed::{name}"),
            name: name.to_owned(),
            ..Case::default()
        };
        let verdict = Verdict {
            case: case.id.clone(),
            reference: "quick".to_owned(),
            finding: Finding::Slower,
            ratio: Some(ratio),
            reference_ns: Some(100.0),
            case_ns: Some(100.0 * ratio),
            placements: 1,
            ..Verdict::default()
        };
        lines.push(Entry::Case(&case).encode());
        lines.push(Entry::Verdict(&verdict).encode());
    }
    let folder = shop.folder.join("store/comparisons/runs/shop/speed");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("20260101T000001.000000000Z-1.jsonl");
    fs::write(file, lines.join("\n") + "\n").expect("a record");
}

fn why(shop: &Shop, words: &[&str]) -> String {
    let store = shop.folder.join("store");
    let common = ["why", "--offline", "--profile", "dev", "--bench", "speed"];
    let store = ["--store", store.to_str().expect("a path")];
    let output = shop
        .command("", &[&common, &store[..], words].concat())
        .output();
    let ran: Ran = output.expect("the program starts").into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

fn table<'v>(document: &'v Value, key: &str) -> Vec<&'v Value> {
    let rows = document[key].as_array();
    rows.expect(key).iter().collect()
}

#[test]
fn causes_are_those_that_the_commit_has() {
    let shop = Shop::new("causes");
    let root = fs::read_to_string(shop.repository().join("Cargo.toml")).expect("a manifest");
    // Without the lines of the facade, which is lent.
    let lines = "[profile.dev.package.core-of-shop]\ndebug = \"line-tables-only\"\n";
    shop.write("Cargo.toml", &format!("{root}{lines}"));
    shop.write("shop/benches/speed.rs", BENCH);
    shop.write("core/src/lib.rs", QUICK);
    shop.commit("quick");
    let slow = SLOW
        .iter()
        .fold(QUICK.to_owned(), |text, (old, new)| text.replace(old, new));
    shop.write("core/src/lib.rs", &slow);
    shop.commit("slow");
    shop.lend_facade();
    store_comparison(&shop);

    let printed = why(&shop, &["sum", "--format", "json"]);
    let document: Value = serde_json::from_str(&printed).expect("JSON");
    let causes = table(&document, "causes");
    let cause = causes[0];
    assert_eq!(cause["cause"], "more work", "{document:#}");
    let instructions = ["instructions_before", "instructions_now"].map(|key| cause[key].as_f64());
    let [Some(before), Some(now)] = instructions else {
        panic!("{document:#}");
    };
    // 18 rounds more, of some instructions each; all of them in the function.
    let more = now - before;
    assert!(more >= 18.0 * 5.0, "{before} {now}");
    let first = table(&document, "functions")[0];
    assert_eq!(first["function"], "core_of_shop::sum");
    assert_eq!(first["difference"].as_f64(), Some(more));
    let changed = table(&document, "changed_lines");
    let shown: Vec<(&str, &str)> = changed
        .iter()
        .map(|line| (text(&line["change"]), text(&line["line"])))
        .collect();
    let line = "core/src/lib.rs:4";
    assert_eq!(shown, [("-", line), ("+", line)], "{document:#}");
    // Counts are the same again.
    assert_eq!(why(&shop, &["sum", "--format", "json"]), printed);

    let printed = why(&shop, &["boxes", "--format", "json"]);
    let document: Value = serde_json::from_str(&printed).expect("JSON");
    let cause = table(&document, "causes")[0];
    assert_eq!(cause["cause"], "allocations", "{document:#}");
    let sentence = text(&cause["sentence"]);
    let expected = "2 requests instead of 1, 1 more by core_of_shop::boxes (core/src/lib.rs:13)";
    assert!(sentence.contains(expected), "{sentence}");
    let text = why(&shop, &["boxes"]);
    assert!(
        text.contains("boxes: 3.0× slower, allocations: 2 requests"),
        "{text}"
    );
}
