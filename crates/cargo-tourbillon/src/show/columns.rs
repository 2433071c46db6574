//! Several records side by side.

use std::collections::{HashMap, HashSet};

use tourbillon_present::number::percent_at_most;
use tourbillon_present::{Column, Table};
use tourbillon_record::{Absence, Case, CaseResult, FactValue, Header, Metric, Run, Scope};
use tourbillon_report::{Figure, Names, Style, counted_figure, escape, is_exact, measured};

use crate::records::Record;
use crate::screen::Page;

/// Facts that change over time on one machine.
const PASSING: [&str; 3] = ["load", "steal", "revision"];

/// Tables of times, cycles, amounts and counts, where known, and the differences between the
/// records.
pub(super) fn render(records: &[Record], style: &Style) -> String {
    let mut page = Page::new(style);
    let events = Metric::events().map(|metric| (metric, metric.name()));
    for (metric, title) in [
        (Metric::Time, "time"),
        (Metric::CpuTime, "cpu time"),
        (Metric::UserTime, "user time"),
        (Metric::KernelTime, "kernel time"),
        (Metric::Own, "own/op"),
        (Metric::Cycles, "cycles/op"),
        (Metric::P50, "p50"),
        (Metric::P90, "p90"),
        (Metric::P99, "p99"),
        (Metric::P999, "p99.9"),
        (Metric::Max, "max"),
        (Metric::Allocs, "allocs/op"),
        (Metric::Bytes, "bytes/op"),
        (Metric::Peak, "peak"),
        (Metric::Kept, "kept/op"),
        (Metric::Moved, "moved/op"),
        (Metric::Instructions, "instructions/op"),
        (Metric::PeakMemory, "peak memory"),
        (Metric::PageFaults, "page faults"),
        (Metric::Switches, "switches"),
    ]
    .into_iter()
    .chain(events)
    {
        if let Some(sheet) = sheet(records, metric, title, style) {
            page.table(sheet);
            page.line("");
        }
    }
    let sign = if style.unicode { "±" } else { "+-" };
    let mut results = runs(records).flat_map(|run| &run.results);
    let varies = results.any(|result| result.metric.is_counted() && !is_exact(result));
    let mean = if varies {
        " v: a mean of counts that vary."
    } else {
        ""
    };
    let meaning = format!(
        "{sign} is half the width of an interval as a share of the figure; \
        p: of one process only.{mean} The records were not measured together: a difference between \
        them is no verdict."
    );
    page.say("", &meaning);
    if let Some(source) = source(records) {
        page.say("", &source);
    }
    let differences = differences(records);
    if differences.is_empty() {
        let text = "Machines and how it was built are the same, according to their headers.";
        page.say("", text);
        return page.document().text(style);
    }
    page.gap();
    page.line("What differs");
    let mut sheet = Table::new("").left(records.iter().map(|record| &record.name));
    for (name, values) in differences {
        sheet.push([name].into_iter().chain(values));
    }
    page.table(sheet);
    page.document().text(style)
}

/// The commit of each record, as far as headers say; `None` where none says it.
fn source(records: &[Record]) -> Option<String> {
    let commit = |record: &'_ Record| {
        let header = &record.runs().next()?.header;
        let commit = header.fact_text("revision")?;
        Some(commit.get(..7).unwrap_or(commit).to_owned())
    };
    let commits: Vec<Option<String>> = records.iter().map(commit).collect();
    commits.iter().flatten().next()?;
    let texts = records.iter().zip(commits).map(|(record, commit)| {
        let commit = commit.unwrap_or_else(|| "unknown".to_owned());
        format!("{} {commit}", record.name)
    });
    let texts: Vec<String> = texts.collect();
    Some(format!(
        "Commits: {}, each with or without changes that were not committed.",
        texts.join(", ")
    ))
}

/// The names of records for the heads of columns. Of files of the store, `20260711T153012.123456789Z-4711`, their seconds,
/// where these tell them apart.
fn short_names<'n>(names: &[&'n str]) -> Vec<&'n str> {
    let short = names.iter().map(|name| match name.split_once('.') {
        Some((seconds, rest)) if seconds.len() == 15 && rest.contains("Z-") => seconds,
        _ => name,
    });
    let different: HashSet<&str> = short.clone().collect();
    if different.len() == names.len() {
        short.collect()
    } else {
        names.to_vec()
    }
}

fn runs(records: &[Record]) -> impl Iterator<Item = &Run> {
    records.iter().flat_map(Record::runs)
}

/// A row for each case that any record has, in their order; `None` if no record has this metric.
fn sheet(records: &[Record], metric: Metric, title: &str, style: &Style) -> Option<Table> {
    let mut cases: Vec<&Case> = runs(records).flat_map(|run| &run.cases).collect();
    let mut known = HashSet::new();
    cases.retain(|case| known.insert(case.id.as_str()));
    let found: Vec<HashMap<&str, &CaseResult>> = records
        .iter()
        .map(|record| results(record, metric))
        .collect();
    if found.iter().all(HashMap::is_empty) {
        return None;
    }
    let mut sheet = Table::new(title);
    let whole: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
    let columns = whole.iter().zip(short_names(&whole));
    let columns = columns.map(|(name, short)| Column::right(*name, escape(short, style.unicode)));
    sheet.columns.extend(columns);
    let names = Names::of(cases.iter().copied());
    for case in cases {
        let label = names.name(&case.id).to_owned();
        let results = found.iter().map(|results| results.get(case.id.as_str()));
        let cells = results.map(|found| found.map_or_else(String::new, |found| cell(found, style)));
        sheet.push([label].into_iter().chain(cells));
    }
    Some(sheet)
}

/// The results in a metric by case: the newest of several runs in a record.
fn results(record: &Record, metric: Metric) -> HashMap<&str, &CaseResult> {
    let mut found = HashMap::new();
    for result in record.runs().flat_map(|run| &run.results) {
        if result.metric == metric {
            found.entry(result.case.as_str()).or_insert(result);
        }
    }
    found
}

fn cell(result: &CaseResult, style: &Style) -> String {
    if result.metric.is_counted() && result.estimate.is_ok() {
        let mark = if is_exact(result) { "" } else { " v" };
        return counted_figure(result) + mark;
    }
    let shown = |figure| measured(result, figure, style);
    match (result.estimate, result.upper) {
        (Ok(estimate), _) => {
            let figure = Figure::new(estimate, result.lower, result.upper);
            let sign = if style.unicode { "±" } else { "+-" };
            let mark = match result.scope {
                Scope::Process => " p",
                Scope::Processes => "",
            };
            match figure.relative() {
                Some(share) => format!("{} {sign}{}{mark}", shown(figure), percent_at_most(share)),
                None => shown(figure),
            }
        }
        (Err(Absence::BelowResolution), Some(upper)) => {
            format!("< {}", shown(Figure::new(upper, None, None)))
        }
        (Err(absence), _) => absence.name().replace('_', " "),
    }
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
    use tourbillon_record::Fact;
    use tourbillon_tool::record_file::StoredRun;

    use super::*;

    #[test]
    fn records_have_their_commits() {
        let record = |name: &str, commit: Option<&str>| {
            let fact = |commit: &str| Fact {
                name: "revision".to_owned(),
                value: FactValue::Text(commit.to_owned()),
            };
            let run = Run {
                header: Header {
                    facts: commit.into_iter().map(fact).collect(),
                    ..Header::default()
                },
                ..Run::default()
            };
            Record {
                name: name.to_owned(),
                runs: vec![StoredRun {
                    run,
                    sha256: String::new(),
                }],
            }
        };
        let named = record("main", Some("d53286c7a7936269c119"));
        let page = render(&[named, record("here", None)], &Style::of_width(200));
        assert!(
            page.contains(
                "Commits: main d53286c, here unknown, each with or without changes that were not committed."
            ),
            "{page}"
        );
        let page = render(
            &[record("main", None), record("here", None)],
            &Style::of_width(200),
        );
        assert!(!page.contains("Commits"), "{page}");
        assert!(
            page.contains(
                "Machines and how it was built are the same, according to their headers."
            ),
            "{page}"
        );
    }

    #[test]
    fn files_of_the_store_are_told_apart_by_their_seconds() {
        let [one, two, other] = [
            "20260711T153012.123456789Z-4711",
            "20260711T153013.000000001Z-4712",
            "20260711T153012.923456789Z-1",
        ];
        let seconds = ["20260711T153012", "20260711T153013", "main"];
        assert_eq!(short_names(&[one, two, "main"]), seconds);
        assert_eq!(short_names(&[one, other]), [one, other]);
        assert_eq!(short_names(&["a.b", "c"]), ["a.b", "c"]);
    }
}
