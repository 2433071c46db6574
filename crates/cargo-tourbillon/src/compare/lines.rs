//! What comparisons came to, an object a line.

use serde_json::{Map, Value, json};
use tourbillon_record::CaseResult;

use super::gate_result::GateResult;
use super::measure::{Measured, MeasuredCase};
use super::pairing::Comparison;

/// A line for each case, as in a record (docs/reference/record-format.md), with the label of the other build and what
/// the gate says; then one for the whole.
pub(super) fn of(
    comparison: &Comparison,
    measured: &Measured,
    gated: Option<(&GateResult, bool)>,
) -> String {
    let mut text = String::new();
    for case in &measured.cases {
        let mut verdict = case.verdict.clone();
        let mut add = |name: &str, value: Value| {
            let comma = if verdict.unknown.is_empty() { "" } else { "," };
            verdict
                .unknown
                .push_str(&format!("{comma}\"{name}\":{value}"));
        };
        add("candidate", json!(comparison.new.label));
        if let Some((gated, _)) = gated {
            let slower = gated.slower.iter().any(|(id, _)| *id == case.verdict.case);
            let grown = gated.grown.iter().any(|one| one.case == case.verdict.case);
            add("gate", json!(if slower || grown { "fail" } else { "pass" }));
        }
        let counts = counts(case, gated.map(|(gated, _)| gated));
        if !counts.is_empty() {
            add("counts", Value::Object(counts));
        }
        if let Some((side, why)) = case.counts.gap() {
            let label = comparison.label(side);
            add("not_counted", json!({"side": label, "why": why}));
        }
        if let Some((side, fault)) = &case.fault {
            let label = comparison.label(*side);
            add(
                "fault",
                json!({"side": label, "kind": fault.kind.name(), "message": fault.message}),
            );
        }
        text.push_str(&tourbillon_record::Entry::Verdict(&verdict).encode());
        text.push('\n');
    }
    let passes = gated.map(|(gated, undecided_fails)| gated.passes(undecided_fails));
    let end = json!({
        "type": "comparison",
        "reference": comparison.old.label,
        "candidate": comparison.new.label,
        "only_reference": comparison.only_old,
        "only_candidate": comparison.only_new,
        "margin": measured.terms.margin,
        "seed": measured.seed,
        "clock": measured.clock.source,
        "wall_ns": measured.wall_ns,
        "visits_ns": measured.visits_ns,
        "linking_ns": measured.linking_ns,
        "links": measured.links.count(),
        "link_ns": measured.links.median_ns(),
        "link_most_ns": measured.links.most_ns(),
        "interrupted": measured.interrupted,
        "gate": passes.map(|passes| if passes { "pass" } else { "fail" }),
    });
    text.push_str(&end.to_string());
    text.push('\n');
    text
}

/// What was counted of both builds, by the name of the count.
fn counts(case: &MeasuredCase, gated: Option<&GateResult>) -> Map<String, Value> {
    let side = |result: &CaseResult| {
        let estimate = result.estimate.ok();
        json!({"estimate": estimate, "lower": result.lower, "upper": result.upper})
    };
    let mut counts = Map::new();
    for pair in case.counts.pairs(&case.verdict.case) {
        let mut of = json!({
            "finding": pair.finding(),
            "reference": side(&pair.then),
            "candidate": side(&pair.now),
        });
        if let Some(gated) = gated {
            let mut grown = gated.grown.iter();
            let fails = grown.any(|one| one.case == case.verdict.case && one.metric == pair.metric);
            of["gate"] = json!(if fails { "fail" } else { "pass" });
        }
        counts.insert(pair.metric.name().to_owned(), of);
    }
    counts
}
