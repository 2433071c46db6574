//! The result of a comparison as JSON lines.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use tourbillon_present::kind::WHY;
use tourbillon_present::{Block, Document};
use tourbillon_record::codec::{Object, encode};
use tourbillon_record::{ByCase, CaseResult, Metric, Verdict};

use crate::counts::CountKind;
use crate::growth::Growth;
use crate::judgement::Compared;
use crate::measurement::MeasuredCase;
use crate::pairing::Comparison;
use crate::pairing::listing::ids;

/// A line for each case, as in a record, with the other build's label and the result of the gate; then one for the
/// comparison. docs/reference/record-format.md has all members.
pub(crate) fn json_lines(compared: &Compared<'_>) -> String {
    let (comparison, measured) = (compared.comparison, &compared.measured);
    let gate_result = compared.gate.as_ref();
    let mut text = String::new();
    let slower: HashSet<_> = gate_result
        .iter()
        .flat_map(|result| &result.slower)
        .map(|one| (one.case.as_str(), one.metric.map(Metric::name)))
        .collect();
    let grown = gate_result.iter().flat_map(|result| &result.grown);
    let grown = ByCase::of(grown.map(|one| (&*one.case, one.metric)));
    for (case, paired) in measured.cases.iter().zip(&comparison.cases) {
        let grown = gate_result.map(|_| grown.case(&case.case.id));
        for verdict in compared.verdicts(case) {
            let of_time = verdict.metric.is_none();
            let mut beside = vec![("candidate", json!(comparison.new.label))];
            if of_time && paired.reference != paired.case.id {
                beside.push(("reference_case", json!(paired.reference)));
            }
            if let Some(grown) = grown {
                let own = (verdict.case.as_str(), verdict.metric.map(Metric::name));
                let fails = slower.contains(&own) || of_time && !grown.is_empty();
                beside.push(("gate", passes(!fails)));
            }
            if of_time {
                beside.extend(of_case(comparison, case, grown));
            }
            text += &verdict_line(verdict, &beside);
        }
    }
    let end = json!({
        "type": "comparison",
        "reference": comparison.old.label,
        "candidate": comparison.new.label,
        "only_reference": ids(&comparison.only_old),
        "only_candidate": ids(&comparison.only_new),
        "ignored": comparison.ignored_ids(),
        "not_compared": ids(&comparison.refused_cases),
        "changed_files": comparison.conditions.files,
        "built_otherwise": comparison.conditions.note(),
        "margin": measured.criteria.margin,
        "seed": measured.seed,
        "clock": measured.clock.source,
        "wall_ns": measured.wall_ns,
        "launches_ns": measured.launches_ns,
        "linking_ns": measured.linking_ns,
        "links": measured.links.count(),
        "link_ns": measured.links.median_ns(),
        "link_most_ns": measured.links.most_ns(),
        "interrupted": measured.interrupted,
        "growth": gate_result.map(|result| result.growth.iter().map(growth).collect::<Vec<_>>()),
        "gate": gate_result.map(|result| passes(result.passes())),
    });
    text + &format!("{end}\n")
}

/// The line of what explains the cases that are faster or slower; empty without blocks.
pub fn why_line(why: &[Block]) -> String {
    if why.is_empty() {
        return String::new();
    }
    let document = Document::of(why.to_vec());
    let json = document.json(&WHY);
    format!("{{\"type\":\"why\",\"document\":{}}}\n", json.trim_end())
}

/// A verdict as in a record, with members beside its own.
pub(crate) fn verdict_line(verdict: &Verdict, beside: &[(&str, Value)]) -> String {
    let members: Vec<String> = beside
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    encode(
        "verdict",
        |out| verdict.write_members(out),
        &members.join(","),
    ) + "\n"
}

/// What there is about a case beside its times: its counts, or why there are none, and its failure.
fn of_case(
    comparison: &Comparison,
    case: &MeasuredCase,
    grown: Option<&[Metric]>,
) -> Vec<(&'static str, Value)> {
    let label = |side: usize| &comparison.builds()[side].label;
    let mut members = Vec::new();
    let counts = counts(case, grown);
    if !counts.is_empty() {
        members.push(("counts", Value::Object(counts)));
    }
    for (kind, name) in [
        (CountKind::Allocations, "not_counted"),
        (CountKind::Instructions, "not_stepped"),
        (CountKind::Events, "events_absent"),
    ] {
        if let Some((side, why)) = case.counts.gap(kind) {
            members.push((name, json!({"side": label(side), "why": why})));
        }
    }
    if let Some((side, fault)) = &case.fault {
        let kind = fault.kind.name();
        let fault = json!({"side": label(*side), "kind": kind, "message": fault.message});
        members.push(("fault", fault));
    }
    members
}

/// A benchmark with `at_most`.
fn growth(growth: &Growth) -> Value {
    json!({
        "benchmark": growth.benchmark,
        "axis": growth.axis,
        "at_most": growth.at_most,
        "gate": passes(!growth.exceeds),
    })
}

fn passes(passes: bool) -> Value {
    json!(if passes { "pass" } else { "fail" })
}

/// The counts of both builds by metric; `grown` are those that the gate does not allow.
fn counts(case: &MeasuredCase, grown: Option<&[Metric]>) -> Map<String, Value> {
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
        if let Some(change) = &pair.change {
            let [lower, estimate, upper] = change.difference;
            of["difference"] = json!({"estimate": estimate, "lower": lower, "upper": upper});
        }
        if let Some(grown) = grown {
            of["gate"] = passes(!grown.contains(&pair.metric));
        }
        counts.insert(pair.metric.name().to_owned(), of);
    }
    counts
}

#[cfg(test)]
pub(crate) mod tests {
    use tourbillon_record::Fault;

    use super::*;
    use crate::gate::result::GateResult;
    use crate::gate::result::tests::measured;
    use crate::results::rows::tests::comparison;

    const PAGES: &str = concat!(
        include_str!("../../../../docs/reference/record-format.md"),
        include_str!("../../../../docs/reference/record-fields.md")
    );

    /// The members in the tables of the pages, below one of its headings, without those of nested objects.
    pub(crate) fn documented(heading: &str) -> Vec<&'static str> {
        let names = names(heading).into_iter();
        names.filter(|name| !name.contains('.')).collect()
    }

    /// The members of the objects in a list.
    pub(crate) fn nested(heading: &str, list: &str) -> Vec<&'static str> {
        let prefix = format!("{list}[].");
        names(heading)
            .into_iter()
            .filter_map(|name| name.strip_prefix(&prefix))
            .collect()
    }

    /// The first cells of the tables below a heading.
    fn names(heading: &str) -> Vec<&'static str> {
        let (_, section) = PAGES.split_once(heading).expect(heading);
        let table = section.split("\n#").next().unwrap_or_default();
        let mut names = Vec::new();
        for row in table.lines().filter(|line| line.starts_with("| `")) {
            let cell = row.split('|').nth(1).unwrap_or_default();
            names.extend(cell.split(',').map(|name| name.trim().trim_matches('`')));
        }
        names
    }

    /// The members of a line.
    pub(crate) fn members(line: &str) -> Vec<String> {
        let line: Map<String, Value> = serde_json::from_str(line).expect(line);
        line.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn the_page_has_every_member_of_why() {
        assert_eq!(why_line(&[]), "");
        let line = why_line(&[Block::text("a \"quote\"")]);
        assert_eq!(members(&line), documented("### Members of why"));
        let value: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(value["document"]["texts"][0], "a \"quote\"");
    }

    #[test]
    fn the_page_has_every_member() {
        let mut measured = measured(2);
        measured.cases[0].fault = Some((1, Fault::default()));
        let comparison = comparison();
        let mut compared = Compared::without_gate(&comparison, measured);
        compared.gate = Some(GateResult::default());
        let lines = json_lines(&compared);
        let last = lines.lines().last().unwrap_or_default();
        assert_eq!(members(last), documented("### Members of a comparison"));
        // Those with which every line of a record begins are listed once for all.
        let known = [
            vec!["type", "schema"],
            documented("## `verdict`"),
            documented("### Members of a verdict"),
        ]
        .concat();
        for line in lines.lines().take(3) {
            let members = members(line);
            let unknown: Vec<_> = members
                .iter()
                .filter(|name| !known.contains(&name.as_str()))
                .collect();
            assert!(unknown.is_empty(), "{unknown:?}");
        }
    }
}
