//! The result of a comparison as Markdown and as JSON lines.

use serde_json::{Map, Value, json};
use tourbillon_record::{CaseResult, Entry};
use tourbillon_report::{Style, escape};

use super::gate_result::GateResult;
use super::measured::{Measured, MeasuredCase};
use super::pairing::Comparison;
use super::results::{COUNTS, changes, finding, notes, ratio, summary, time, unchanged};

/// A comparison as a table.
pub(super) fn markdown(
    comparison: &Comparison,
    measured: &Measured,
    gate_result: Option<&GateResult>,
) -> String {
    let style = Style {
        width: usize::MAX,
        ..Style::default()
    };
    let (old, new) = (&comparison.old.label, &comparison.new.label);
    let mut page = format!("**{}** against **{}**\n\n", cell(new), cell(old));
    let changes: Vec<[String; 5]> = measured.cases.iter().map(changes).collect();
    let shown: Vec<usize> = (0..COUNTS.len())
        .filter(|&at| changes.iter().any(|cells| !cells[at].is_empty()))
        .collect();
    let titles: String = shown
        .iter()
        .map(|&at| format!(" {} |", COUNTS[at].1))
        .collect();
    page.push_str(&format!(
        "| case | verdict | ratio | interval | {} | {} |{titles}\n\
         |---|---|---:|---|---:|---:|{}\n",
        cell(old),
        cell(new),
        "---:|".repeat(shown.len())
    ));
    for (case, changes) in measured.cases.iter().zip(&changes) {
        let verdict = &case.verdict;
        let (ratio, interval) = ratio(verdict);
        let finding = match finding(verdict, case.fault.is_some()).as_str() {
            word @ ("slower" | "failed") => format!("**{word}**"),
            word => word.to_owned(),
        };
        page.push_str(&format!(
            "| {} | {finding} | {ratio} | {interval} | {} | {} |",
            cell(&verdict.case),
            time(verdict.reference_ns, &style),
            time(verdict.case_ns, &style)
        ));
        for &at in &shown {
            page.push_str(&format!(" {} |", cell(&changes[at])));
        }
        page.push('\n');
    }
    page.push('\n');
    for note in notes(comparison, measured) {
        page.push_str(&format!("* {}\n", cell(&note)));
    }
    for line in gate_result.iter().flat_map(|result| result.lines()) {
        page.push_str(&format!("* gate: {}\n", cell(&line)));
    }
    let unchanged = unchanged(comparison, measured);
    let unchanged = unchanged.map_or_else(String::new, |text| format!(" · {}", cell(&text)));
    page.push_str(&format!("\n{}{unchanged}\n", summary(measured)));
    page
}

/// Escapes text for Markdown.
fn cell(text: &str) -> String {
    let mut safe = String::new();
    for letter in escape(text, true).chars() {
        if matches!(letter, '|' | '*' | '_' | '<' | '>' | '`' | '[' | ']' | '\\') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

/// A line for each case, as in a record (docs/reference/record-format.md), with the other build's label and the
/// result of the gate; then one for the comparison.
pub(super) fn json_lines(
    comparison: &Comparison,
    measured: &Measured,
    gate_result: Option<&GateResult>,
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
        if let Some(gate_result) = gate_result {
            let slower = gate_result
                .slower
                .iter()
                .any(|(id, _)| *id == case.verdict.case);
            let grown = gate_result
                .grown
                .iter()
                .any(|one| one.case == case.verdict.case);
            add("gate", json!(if slower || grown { "fail" } else { "pass" }));
        }
        let counts = counts(case, gate_result);
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
        text.push_str(&Entry::Verdict(&verdict).encode());
        text.push('\n');
    }
    let passes = gate_result.map(GateResult::passes);
    let end = json!({
        "type": "comparison",
        "reference": comparison.old.label,
        "candidate": comparison.new.label,
        "only_reference": comparison.only_old,
        "only_candidate": comparison.only_new,
        "margin": measured.criteria.margin,
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

/// The counts of both builds by metric.
fn counts(case: &MeasuredCase, gate_result: Option<&GateResult>) -> Map<String, Value> {
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
        if let Some(gate_result) = gate_result {
            let mut grown = gate_result.grown.iter();
            let fails = grown.any(|one| one.case == case.verdict.case && one.metric == pair.metric);
            of["gate"] = json!(if fails { "fail" } else { "pass" });
        }
        counts.insert(pair.metric.name().to_owned(), of);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_takes_text_as_text() {
        assert_eq!(cell("a|b<c>_*"), "a\\|b\\<c\\>\\_\\*");
    }
}
