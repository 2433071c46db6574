//! Several records side by side.

use std::collections::{HashMap, HashSet};

use tourbillon_record::{Absence, Case, CaseResult, Fact, FactValue, Header, Metric, Scope};
use tourbillon_report::{Figure, Style, case_label, counted, escape, is_exact, measured};

use crate::records::Record;
use crate::screen::paragraph;
use crate::table::Sheet;

/// Facts that change over time on one machine.
const PASSING: [&str; 3] = ["load", "steal", "revision"];

/// Tables of times, cycles, amounts and counts, where known, and the differences between the
/// records.
pub(super) fn render(records: &[Record], style: &Style) -> String {
    let mut page = String::new();
    for (metric, title) in [
        (Metric::Time, "time/op"),
        (Metric::CpuTime, "cpu time/op"),
        (Metric::UserTime, "user time/op"),
        (Metric::KernelTime, "kernel time/op"),
        (Metric::Own, "own/op"),
        (Metric::Cycles, "cycles/op"),
        (Metric::Allocs, "allocs/op"),
        (Metric::Bytes, "bytes/op"),
        (Metric::Peak, "peak"),
        (Metric::Kept, "kept/op"),
        (Metric::Moved, "moved/op"),
    ] {
        if let Some(sheet) = sheet(records, metric, title, style) {
            page.push_str(&sheet.render(style));
            page.push('\n');
        }
    }
    let sign = if style.unicode { "±" } else { "+-" };
    let counts = records.iter().flat_map(|record| &record.runs);
    let mut counts = counts.flat_map(|run| &run.results);
    let varies = counts.any(|result| result.metric.is_counted() && !is_exact(result));
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
    paragraph(&mut page, "", &meaning, style);
    let differences = differences(records);
    if differences.is_empty() {
        paragraph(
            &mut page,
            "",
            "Machines and builds are the same, according to their headers.",
            style,
        );
        return page;
    }
    page.push_str("\nWhat differs\n");
    let mut sheet = Sheet::new("").left(records.iter().map(|record| &record.name));
    for (name, values) in differences {
        sheet.row([name].into_iter().chain(values));
    }
    page.push_str(&sheet.render(style));
    page
}

/// A row for each case that any record has, in their order; `None` if no record has this metric.
fn sheet(records: &[Record], metric: Metric, title: &str, style: &Style) -> Option<Sheet> {
    let mut cases: Vec<&Case> = Vec::new();
    let mut known = HashSet::new();
    for case in records
        .iter()
        .flat_map(|record| &record.runs)
        .flat_map(|run| &run.cases)
    {
        if known.insert(case.id.as_str()) {
            cases.push(case);
        }
    }
    let found: Vec<HashMap<&str, &CaseResult>> = records
        .iter()
        .map(|record| results(record, metric))
        .collect();
    let names = records
        .iter()
        .map(|record| escape(&record.name, style.unicode));
    let mut sheet = Sheet::new(title).right(names);
    let mut any = false;
    for case in cases {
        let group = match case.group.as_str() {
            "" => String::new(),
            group if group == case.name => String::new(),
            group => format!("{}/", escape(group, style.unicode)),
        };
        let mut row = vec![format!("{group}{}", case_label(case, style))];
        for results in &found {
            let found = results.get(case.id.as_str());
            any |= found.is_some();
            row.push(found.map_or_else(String::new, |result| cell(result, style)));
        }
        sheet.row(row);
    }
    any.then_some(sheet)
}

/// The results in a metric by case: the newest of several runs in a record.
fn results(record: &Record, metric: Metric) -> HashMap<&str, &CaseResult> {
    let mut found = HashMap::new();
    for result in record.runs.iter().flat_map(|run| &run.results) {
        if result.metric == metric {
            found.entry(result.case.as_str()).or_insert(result);
        }
    }
    found
}

fn cell(result: &CaseResult, style: &Style) -> String {
    if result.metric.is_counted() && result.estimate.is_ok() {
        let mark = if is_exact(result) { "" } else { " v" };
        return counted(result) + mark;
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
                Some(share) => format!("{} {sign}{}{mark}", shown(figure), percent(share)),
                None => shown(figure),
            }
        }
        (Err(Absence::BelowResolution), Some(upper)) => {
            format!("< {}", shown(Figure::new(upper, None, None)))
        }
        (Err(absence), _) => absence.name().replace('_', " "),
    }
}

/// A share in percent, rounded up.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = if percent < 0.1 {
        2
    } else {
        usize::from(percent < 10.0)
    };
    let scale = 10_f64.powi(decimals as i32);
    format!(
        "{:.decimals$} %",
        (percent * scale - 1e-9).ceil().max(1.0) / scale
    )
}

/// The facts that differ, each with its value in every record, taken from its first run.
fn differences(records: &[Record]) -> Vec<(String, Vec<String>)> {
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
    let of_all =
        |value: fn(&Header) -> String| headers.iter().map(|header| value(header)).collect();
    let mut found: Vec<(&str, Vec<String>)> = vec![
        ("engine", of_all(|header| header.engine.clone())),
        ("clock", of_all(|header| header.clock.source.clone())),
        (
            "launches",
            of_all(|header| header.settings.launches.to_string()),
        ),
    ];
    for name in names {
        let values = headers.iter().map(|header| value(&header.facts, name));
        found.push((name, values.collect()));
    }
    found.retain(|(_, values)| values.windows(2).any(|two| two[0] != two[1]));
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
