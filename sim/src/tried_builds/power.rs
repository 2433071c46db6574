use std::collections::BTreeMap;

use tourbillon_record::{Finding, Verdict};

use super::{ERROR, Row, name};
use crate::{Proportion, quantile};

/// Seconds of measuring within which changes shall be found: large ones, and all others.
const WITHIN: [f64; 2] = [4.0, 10.0];

/// How many of the changes that were made were found, and how soon.
pub(super) fn table(rows: &BTreeMap<Row, Vec<Verdict>>) -> String {
    let mut text =
        "| change | condition | case | tries | found within 4 s | at least (95 %) | within 10 s \
                    | at least (95 %) | ratio |\n|---|---|---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    for ((what, change, condition), verdicts) in rows {
        if change == "none" {
            continue;
        }
        let change = match what.as_str() {
            "suite" => format!("{change}, suite"),
            _ => change.clone(),
        };
        let mut cases: BTreeMap<String, Vec<&Verdict>> = BTreeMap::new();
        for verdict in verdicts {
            if what != "suite" {
                cases.entry(name(verdict)).or_default().push(verdict);
            }
        }
        let all = ("all".to_owned(), verdicts.iter().collect());
        for (case, verdicts) in cases.into_iter().chain([all]) {
            text.push_str(&format!("| {change} | {condition} | {case} "));
            text.push_str(&row(&verdicts));
        }
    }
    text
}

fn row(verdicts: &[&Verdict]) -> String {
    let [soon, found] = WITHIN.map(|seconds| {
        let in_time = |one: &&Verdict| one.finding == Finding::Slower && one.seconds <= seconds;
        Proportion::count(verdicts.iter().map(in_time))
    });
    let ratios = verdicts.iter().filter_map(|one| one.ratio);
    format!(
        "| {} | {:.1} % | ≥ {:.1} % | {:.1} % | ≥ {:.1} % | {:.4} |\n",
        verdicts.len(),
        100.0 * soon.share(),
        100.0 * soon.at_least(ERROR),
        100.0 * found.share(),
        100.0 * found.at_least(ERROR),
        quantile(ratios, 0.5),
    )
}
