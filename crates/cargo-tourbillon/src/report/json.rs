//! The figures of a page as JSON.

use serde_json::{Value, json};
use tourbillon_present::number;
use tourbillon_record::{CaseResult, Run, Verdict};

use super::view::{CaseView, RunView};

/// All figures, as they stand in the records: not rounded, except those of single launches.
pub(super) fn json(runs: &[RunView<'_>]) -> String {
    let values: Vec<Value> = runs.iter().map(run).collect();
    json!({ "tourbillon": env!("CARGO_PKG_VERSION"), "runs": values }).to_string()
}

fn run(view: &RunView<'_>) -> Value {
    let Run {
        header, verdicts, ..
    } = view.run;
    json!({
        "record": view.record,
        "sha256": view.sha256,
        "package": header.package,
        "target": header.target,
        "started": header.started,
        "engine": header.engine,
        "seed": header.seed,
        "confidence": header.settings.confidence,
        "cases": view.cases.iter().map(case).collect::<Vec<_>>(),
        "verdicts": verdicts.iter().map(verdict).collect::<Vec<_>>(),
    })
}

fn case(view: &CaseView<'_>) -> Value {
    json!({
        "id": view.case.id,
        "results": view.results.iter().copied().map(result).collect::<Vec<_>>(),
        "launches": view.launches.iter().map(|launch| digits(launch.estimate)).collect::<Vec<_>>(),
    })
}

/// Eight digits: more than a launch can be trusted for, and half as long.
fn digits(value: f64) -> Value {
    number::digits(value, 8).parse().unwrap_or(value).into()
}

/// Members that are absent were not known.
fn result(result: &CaseResult) -> Value {
    let mut members = json!({
        "metric": result.metric_name(),
        "unit": result.unit(),
        "scope": result.scope.name(),
        "launches": result.launches,
    });
    for (name, value) in [
        ("estimate", result.estimate.ok()),
        ("lower", result.lower),
        ("upper", result.upper),
        ("confidence", result.confidence),
        ("first_call", result.first_call),
    ] {
        if let Some(value) = value {
            members[name] = value.into();
        }
    }
    if let Some(rough) = result.rough {
        members["rough"] = json!({
            "estimate": rough.estimate,
            "lower": rough.lower,
            "upper": rough.upper,
        });
    }
    if let Err(absence) = result.estimate {
        members["absence"] = absence.name().into();
    }
    if !result.notes.is_empty() {
        members["notes"] = result.notes.iter().map(|note| note.name()).collect();
    }
    members
}

fn verdict(verdict: &Verdict) -> Value {
    json!({
        "case": verdict.case,
        "reference": verdict.reference,
        "finding": verdict.finding.name(),
        "why": verdict.why.map(|why| why.name()),
        "ratio": verdict.ratio,
        "lower": verdict.lower,
        "upper": verdict.upper,
        "confidence": verdict.confidence,
        "margin": verdict.margin,
        "scope": verdict.scope.name(),
        "pairs": verdict.pairs,
        "launches": verdict.launches,
    })
}
