//! Several records side by side.

use std::collections::{HashMap, HashSet};

use tourbillon_present::number::counted;
use tourbillon_present::{Block, Document};
use tourbillon_record::{FactValue, Header};
use tourbillon_report::{Beside, Style, beside, program_name, shortened};

use super::labels::{commit, labels};
use crate::records::Record;

/// Facts that change over time on one machine, and those that the title has.
const PASSING: [&str; 4] = ["load", "steal", "revision", "dirty"];

/// What was measured, the table of all records, and the facts in which they differ.
pub(super) fn document(records: &[Record], style: &Style) -> Document {
    let labels = labels(records);
    let columns = records.iter().zip(&labels).map(|(record, label)| Beside {
        label: label.clone(),
        runs: record.runs().collect(),
    });
    let mut document = beside(&columns.collect::<Vec<_>>(), style);
    document.title = title(records, &labels, style);
    let differences = differences(records);
    document.blocks.push(if differences.is_empty() {
        Block::text("Machines and how it was built are the same, according to their headers.")
    } else {
        let lines = differences.into_iter().map(|(name, values)| {
            let lead = format!("{}: ", style.safe(&short(&name, style)));
            let values: Vec<String> = values.iter().map(|value| short(value, style)).collect();
            Block::led(lead, values.join(&format!(" {} ", style.glyphs().arrow)))
        });
        Block::Group(lines.collect())
    });
    document
}

/// `hex/tb · 25 cases · main d53286c → here 719b121 and changes`
fn title(records: &[Record], labels: &[String], style: &Style) -> String {
    let runs = || records.iter().flat_map(Record::runs);
    let mut programs: Vec<String> = Vec::new();
    for header in runs().map(|run| &run.header) {
        let program = program_name(header);
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    let program = match programs.as_slice() {
        [only] => short(only, style),
        several => counted(several.len(), "program"),
    };
    let cases: HashSet<&str> = runs()
        .flat_map(|run| run.cases.iter().map(|case| &*case.id))
        .collect();
    let mut items = vec![program, counted(cases.len(), "case")];
    let commits: Vec<Option<String>> = records.iter().map(commit).collect();
    let is_one = commits.windows(2).all(|two| two[0] == two[1]);
    if let (true, Some(commit)) = (is_one, commits.first().cloned().flatten()) {
        items.push(commit);
    }
    let names = labels.iter().zip(&commits).map(|(label, commit)| {
        let label = short(label, style);
        let commit = commit.as_deref().filter(|_| !is_one);
        match commit {
            Some(commit) if commit.starts_with(&label) => commit.to_owned(),
            Some(commit) => format!("{label} {commit}"),
            None => label,
        }
    });
    let names: Vec<String> = names.collect();
    items.push(names.join(&format!(" {} ", style.glyphs().arrow)));
    items.join(style.glyphs().separator)
}

/// A name or a value from a record, in a line of the terminal at most.
fn short(text: &str, style: &Style) -> String {
    shortened(text, style.columns(), style.glyphs().ellipsis)
}

/// The facts that differ, each with its value in every record, taken from its first run.
fn differences(records: &[Record]) -> Vec<(String, Vec<String>)> {
    let firsts = records.iter().filter_map(|record| record.runs().next());
    let headers: Vec<&Header> = firsts.map(|run| &run.header).collect();
    let facts = headers.iter().flat_map(|header| &header.facts);
    let mut seen = HashSet::new();
    let names: Vec<&str> = facts
        .map(|fact| fact.name.as_str())
        .filter(|name| !PASSING.contains(name) && seen.insert(*name))
        .collect();
    let known: Vec<HashMap<&str, &FactValue>> =
        headers.iter().map(|header| facts_of(header)).collect();
    let names = ["engine", "clock", "launches"].into_iter().chain(names);
    let mut found = Vec::new();
    for name in names {
        let values: Vec<String> = headers
            .iter()
            .zip(&known)
            .map(|(header, known)| value(header, known, name))
            .collect();
        if values.windows(2).any(|two| two[0] != two[1]) {
            found.push((name.replace('_', " "), values));
        }
    }
    found
}

/// The facts of a header by name: the first of each.
fn facts_of(header: &Header) -> HashMap<&str, &FactValue> {
    let mut facts = HashMap::with_capacity(header.facts.len());
    for fact in &header.facts {
        facts.entry(fact.name.as_str()).or_insert(&fact.value);
    }
    facts
}

/// A fact, or one of the settings, as text.
fn value(header: &Header, known: &HashMap<&str, &FactValue>, name: &str) -> String {
    match name {
        "engine" => return header.engine.clone(),
        "clock" => return header.clock.source.clone(),
        "launches" => return header.settings.launches.to_string(),
        _ => {}
    }
    match known.get(name) {
        None => "not recorded".to_owned(),
        Some(FactValue::Text(text)) => text.clone(),
        Some(FactValue::Integer(number)) => number.to_string(),
        Some(FactValue::Flag(on)) => if *on { "yes" } else { "no" }.to_owned(),
        Some(FactValue::List(list)) if list.is_empty() => "none".to_owned(),
        Some(FactValue::List(list)) => list.join(" "),
        Some(FactValue::Absent(_)) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Case, CaseResult, Fact, Run, RunSettings, Scope};
    use tourbillon_tool::record_file::StoredRun;

    use super::*;

    fn record(name: &str, facts: &[(&str, &str)], times: &[(&str, f64)]) -> Record {
        let mut run = Run {
            header: Header {
                package: "shop".to_owned(),
                target: "checkout".to_owned(),
                settings: RunSettings {
                    confidence: 0.99,
                    ..RunSettings::default()
                },
                facts: Vec::from_iter(facts.iter().map(|(name, value)| Fact {
                    name: (*name).to_owned(),
                    value: FactValue::Text((*value).to_owned()),
                })),
                ..Header::default()
            },
            ..Run::default()
        };
        for (name, ns) in times {
            run.cases.push(Case {
                id: format!("shop/checkout::{name}"),
                name: (*name).to_owned(),
                ..Case::default()
            });
            run.results.push(CaseResult {
                case: format!("shop/checkout::{name}"),
                estimate: Ok(*ns),
                lower: Some(0.98 * ns),
                upper: Some(1.02 * ns),
                confidence: Some(0.99),
                scope: Scope::Processes,
                ..CaseResult::default()
            });
        }
        Record {
            name: name.to_owned(),
            runs: vec![StoredRun {
                run,
                sha256: String::new(),
            }],
        }
    }

    fn shown(records: &[Record]) -> String {
        let style = Style::default();
        document(records, &style).text(&style)
    }

    #[test]
    fn two_records_have_one_table_with_the_change() {
        let main = record(
            "main",
            &[("revision", "d53286c7a79362"), ("rustc", "1.94")],
            &[("add", 100.0), ("remove", 360.0), ("find", 50.0)],
        );
        let here = record(
            "here",
            &[("revision", "719b12107a9362"), ("rustc", "1.95")],
            &[("add", 270.0), ("remove", 342.0), ("find", 50.1)],
        );
        assert_eq!(
            shown(&[main, here]),
            "\
shop/checkout · 3 cases · main d53286c → here 719b121

          main  ±99 %    here  ±99 %  change
add     100 ns  2.0 %  270 ns  2.0 %  2.7× slower
remove  360 ns  2.0 %  342 ns  2.0 %  −5 %
find     50 ns  2.0 %   50 ns  2.0 %  ≈
change  of the time, main → here; not measured together, so not a verdict

rustc: 1.94 → 1.95

2 differ · 1 not told apart
"
        );
    }

    #[test]
    fn records_of_different_cases_say_where_each_is_missing() {
        let main = record("main", &[], &[("add", 100.0), ("gone", 360.0)]);
        let here = record("here", &[], &[("add", 100.0), ("fresh", 342.0)]);
        assert_eq!(
            shown(&[main, here]),
            "\
shop/checkout · 3 cases · main → here

         main  ±99 %    here  ±99 %  change
add    100 ns  2.0 %  100 ns  2.0 %  ≈
gone   360 ns  2.0 %                 missing
fresh                 342 ns  2.0 %  new
change  of the time, main → here; not measured together, so not a verdict

Machines and how it was built are the same, according to their headers.

1 missing · 1 not told apart · 1 new
"
        );
    }

    #[test]
    fn three_records_have_no_change() {
        let records = [("a", 100.0), ("b", 200.0), ("c", 300.0)]
            .map(|(name, ns)| record(name, &[("revision", name)], &[("add", ns)]));
        assert_eq!(
            shown(&records),
            "\
shop/checkout · 1 case · a → b → c

          a  ±99 %       b  ±99 %       c  ±99 %
add  100 ns  2.0 %  200 ns  2.0 %  300 ns  2.0 %

The records were not measured together: a difference between them is not a
verdict.

Machines and how it was built are the same, according to their headers.
"
        );
    }
}
