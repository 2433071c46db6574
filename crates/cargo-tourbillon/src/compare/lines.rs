//! What comparisons came to, an object a line.

use serde_json::{Value, json};

use super::gated::Gated;
use super::measure::Measured;
use super::pairing::Comparison;

/// A line for each case, as in a record (docs/FORMAT.md), with the label of the other build and what
/// the gate says; then one for the whole.
pub(super) fn of(
    comparison: &Comparison,
    measured: &Measured,
    gated: Option<(&Gated, bool)>,
) -> String {
    let mut text = String::new();
    for case in &measured.cases {
        let mut verdict = case.verdict.clone();
        let mut add = |name: &str, value: Value| {
            verdict.unknown.push((name.to_owned(), value.to_string()));
        };
        add("candidate", json!(comparison.new.label));
        if let Some((gated, _)) = gated {
            let slower = gated.slower.iter().any(|(id, _)| *id == case.verdict.case);
            add("gate", json!(if slower { "fail" } else { "pass" }));
        }
        if let Some((side, fault)) = &case.fault {
            let label = match side {
                0 => &comparison.old.label,
                _ => &comparison.new.label,
            };
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
        "interrupted": measured.interrupted,
        "gate": passes.map(|passes| if passes { "pass" } else { "fail" }),
    });
    text.push_str(&end.to_string());
    text.push('\n');
    text
}
