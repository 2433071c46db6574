//! Cases that return a number of their own.

use std::path::Path;

use super::heads::{first_line, outcomes};
use super::{command_of, file, json_file, ran};
use crate::compare::Shop;
use crate::program::{Ran, command};

/// Cases that return these numbers, each of a metric.
fn write_numbers(shop: &Shop, numbers: &[(&str, u64, &str)]) {
    let case = |(name, number, more): &(&str, u64, &str)| {
        format!(
            "#[tourbillon::bench]\nfn {name}(b: tourbillon::Bencher<'_>) {{\n    \
             b.measure(tourbillon::Metric::count(\"{name}\"){more}, || tourbillon::hide({number}_u64));\n}}\n"
        )
    };
    let cases: String = numbers.iter().map(case).collect();
    let main = "fn main() -> std::process::ExitCode { tourbillon::main() }\n";
    shop.write("shop/benches/speed.rs", &(cases + main));
}

const MORE: &str = ".more_is_better()";

/// They are not comparable, which closes no gate.
pub(super) fn another_direction_is_named_in_the_first_line(shop: &Shop) {
    write_numbers(shop, &[("found", 10, MORE), ("probes", 7, "")]);
    shop.commit("numbers");
    write_numbers(shop, &[("found", 10, ""), ("probes", 7, "")]);
    shop.commit("turned");
    let flags = [
        "--base", "numbers", "--bench", "speed", "--time", "3s", "--gate", "1%",
    ];
    let passed = ran(command_of(shop, &flags, &[]));
    assert_eq!(passed.code, Some(0), "{passed:?}");
    assert_eq!(
        first_line(shop),
        "### Benchmarks: passed, 1 of 2 without a verdict; not comparable `found`"
    );
    assert!(
        passed.stdout.ends_with("; not comparable found\n"),
        "{passed:?}"
    );
    let named = &json_file(shop, "outcomes.json")["coverage"]["not_comparable"];
    assert_eq!(named, &serde_json::json!(["found"]));
    assert_eq!(
        outcomes(shop),
        ["shop/speed::found undecided", "shop/speed::probes passes"]
    );
    let why = "both builds have to measure the same";
    assert!(file(shop, "summary.md").contains(why), "{passed:?}");
}

/// Each shard has one of two numbers, of which one is worse.
pub(super) fn merged_shards_are_judged_by_their_numbers(shop: &Shop) {
    write_numbers(shop, &[("found", 8, MORE), ("probes", 7, "")]);
    shop.commit("fewer");
    let store = shop.folder.join("numbers");
    for shard in ["slice:1/2", "slice:2/2"] {
        let line = "compare numbers fewer --offline --profile dev --layouts 1 --time 3s --seed 7 --bench speed";
        let mut words: Vec<&str> = line.split(' ').collect();
        words.extend(["--partition", shard, "--store", text(&store)]);
        let compared = ran(shop.command("", &words));
        assert_eq!(compared.code, Some(0), "{compared:?}");
    }
    let all = shop.folder.join("numbers.jsonl");
    let merged = |threshold| -> Ran {
        let words = [
            "tourbillon",
            "merge",
            "--gate",
            threshold,
            text(&store),
            "-o",
            text(&all),
        ];
        command(&words).output().expect("it starts").into()
    };
    let closed = merged("2%");
    assert_eq!(closed.code, Some(2), "{closed:?}");
    assert!(closed.stdout.contains("worse"), "{closed:?}");
    let open = merged("50%");
    assert_eq!(open.code, Some(0), "{open:?}");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}
