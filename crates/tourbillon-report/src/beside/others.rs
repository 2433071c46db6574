//! What else differs between records: allocations, percentiles, CPU times and other metrics below the row of a case.

use tourbillon_present::{Figure, Ratio, Style, counted_figure, measured, same_count};
use tourbillon_record::{CaseResult, Metric};

use crate::case_results::CaseResults;

/// The metrics of a case, beside that of its row and its cycles, in which two records are told apart: `allocs 1 → 3`.
pub(super) fn differing(records: &[CaseResults<'_>], case: &str, style: &Style) -> Vec<String> {
    let mut known: Vec<&CaseResult> = Vec::new();
    let results = records.iter().flat_map(|record| record.case(case));
    for result in results.filter(|result| result.metric != Metric::Cycles) {
        if !known.iter().any(|other| is_same(other, result)) {
            known.push(result);
        }
    }
    let main = known.iter().position(|result| result.metric.is_main());
    let others = known.iter().enumerate();
    let others = others.filter(|(at, _)| Some(*at) != main);
    let lines = others.filter_map(|(_, one)| {
        let of_records = records.iter().map(|record| {
            let mut results = record.case(case).iter().copied();
            results.find(|result| is_same(one, result) && result.estimate.is_ok())
        });
        line(&of_records.collect::<Vec<_>>(), style)
    });
    lines.collect()
}

fn is_same(one: &CaseResult, other: &CaseResult) -> bool {
    (one.metric, &one.own) == (other.metric, &other.own)
}

/// One metric in all records, if any two that follow each other differ.
fn line(results: &[Option<&CaseResult>], style: &Style) -> Option<String> {
    let known: Vec<&CaseResult> = results.iter().copied().flatten().collect();
    if !known.windows(2).any(|two| differ(two[0], two[1])) {
        return None;
    }
    let figures = results.iter().map(|result| {
        let shown = result.and_then(|result| figure(result, style));
        shown.unwrap_or_else(|| "none".to_owned())
    });
    let figures: Vec<String> = figures.collect();
    let figures = figures.join(&format!(" {} ", style.glyphs().arrow));
    let first = known.first()?;
    Some(if names_itself(first.metric) {
        figures
    } else {
        format!("{} {figures}", first.metric_name().replace('_', " "))
    })
}

/// Whether a figure has the name of what it is of behind it.
fn names_itself(metric: Metric) -> bool {
    metric.is_main() || matches!(metric, Metric::PageFaults | Metric::Switches)
}

fn differ(then: &CaseResult, now: &CaseResult) -> bool {
    if then.metric.is_counted() {
        return !same_count(now, then);
    }
    Ratio::of(now, then).is_some_and(|ratio| !ratio.may_be_none())
}

fn figure(result: &CaseResult, style: &Style) -> Option<String> {
    let estimate = result.estimate.ok()?;
    Some(if result.metric.is_counted() {
        counted_figure(result)
    } else {
        measured(
            result,
            Figure::new(estimate, result.lower, result.upper),
            style,
        )
    })
}
