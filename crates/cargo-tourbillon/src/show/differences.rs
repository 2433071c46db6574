//! Differences between the machines and builds of several records.

use tourbillon_record::{Fact, FactValue, Header};

use crate::records::Record;

/// Facts that change over time on one machine.
const PASSING: [&str; 3] = ["load", "steal", "revision"];

/// The facts that differ, each with its value in every record, taken from its first run.
pub(super) fn differences(records: &[Record]) -> Vec<(String, Vec<String>)> {
    let headers: Vec<&Header> = records
        .iter()
        .filter_map(|record| record.runs.first())
        .map(|run| &run.header)
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for fact in headers.iter().flat_map(|header| &header.facts) {
        if !names.contains(&fact.name.as_str()) && !PASSING.contains(&fact.name.as_str()) {
            names.push(&fact.name);
        }
    }
    let mut found = vec![
        (
            "engine",
            headers.iter().map(|header| header.engine.clone()).collect(),
        ),
        (
            "clock",
            headers
                .iter()
                .map(|header| header.clock.source.clone())
                .collect(),
        ),
        (
            "launches",
            headers
                .iter()
                .map(|header| header.settings.launches.to_string())
                .collect(),
        ),
    ];
    for name in names {
        let values = headers.iter().map(|header| value(&header.facts, name));
        found.push((name, values.collect()));
    }
    found.retain(|(_, values): &(&str, Vec<String>)| values.windows(2).any(|two| two[0] != two[1]));
    found
        .into_iter()
        .map(|(name, values)| (name.replace('_', " "), values))
        .collect()
}

/// A fact as text.
fn value(facts: &[Fact], name: &str) -> String {
    let Some(fact) = facts.iter().find(|fact| fact.name == name) else {
        return "not recorded".to_owned();
    };
    match &fact.value {
        FactValue::Text(text) => text.clone(),
        FactValue::Integer(number) => number.to_string(),
        FactValue::Flag(on) => if *on { "yes" } else { "no" }.to_owned(),
        FactValue::List(list) if list.is_empty() => "none".to_owned(),
        FactValue::List(list) => list.join(" "),
        FactValue::Absent(_) => "unknown".to_owned(),
    }
}
