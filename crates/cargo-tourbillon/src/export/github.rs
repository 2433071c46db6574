//! The custom JSON of github-action-benchmark: <https://github.com/benchmark-action/github-action-benchmark>.

use serde_json::{Value, json};
use tourbillon_record::{CaseResult, Metric};

use super::case::{ExportedCase, Interval, Omitted, metric_name, rate};

/// Times, cycles and counts, an entry each, for `customSmallerIsBetter`.
pub(super) fn smaller(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut entries = Vec::new();
    for case in cases {
        match case.figures() {
            Ok(figures) if figures.iter().all(|(result, _)| result.more_is_better()) => {
                omitted.push(case.omitted("better with more, see bigger-is-better"));
            }
            Ok(figures) => {
                let smaller = figures
                    .iter()
                    .filter(|(result, _)| !result.more_is_better());
                entries.extend(smaller.map(|(result, figure)| named(case, result, *figure)));
            }
            Err(why) => omitted.push(why),
        }
    }
    text(entries)
}

/// Throughputs, and numbers that are better with more, for `customBiggerIsBetter`.
pub(super) fn bigger(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut entries = Vec::new();
    for case in cases {
        let figures = case.figures().unwrap_or_default();
        let bigger = figures.iter().filter(|(result, _)| result.more_is_better());
        let before = entries.len();
        entries.extend(bigger.map(|(result, figure)| named(case, result, *figure)));
        if entries.len() > before {
            continue;
        }
        let throughput = case.wall_time().and_then(|(main, time)| {
            let (rate, unit) = rate(main, time).ok_or_else(|| case.omitted("no throughput"))?;
            let unit = format!("{}/s", unit.name());
            Ok(entry(&case.case.id, &unit, main, rate))
        });
        match throughput {
            Ok(entry) => entries.push(entry),
            Err(why) => omitted.push(why),
        }
    }
    text(entries)
}

/// The entry of a result, named by its case, and by its metric where that is not wall time.
fn named(case: &ExportedCase<'_>, result: &CaseResult, figure: Interval) -> Value {
    let id = &case.case.id;
    let name = match result.metric {
        Metric::Time => id.clone(),
        _ => format!("{id} ({})", metric_name(result)),
    };
    entry(&name, result.unit(), result, figure)
}

fn text(entries: Vec<Value>) -> String {
    format!("{:#}\n", Value::Array(entries))
}

/// The interval stands in `range`, which the charts show next to the value.
fn entry(name: &str, unit: &str, result: &CaseResult, figure: Interval) -> Value {
    let mut entry = json!({ "name": name, "unit": unit, "value": figure.value });
    if let Some((lower, upper)) = figure.lower.zip(figure.upper) {
        entry["range"] = format!("[{lower}, {upper}]").into();
    }
    let launches = format!("launches: {}", result.launches);
    entry["extra"] = match result.confidence {
        Some(confidence) => format!("confidence: {confidence}\n{launches}"),
        None => launches,
    }
    .into();
    entry
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Case, OwnMetric, Run, Scope};

    use super::*;

    #[test]
    fn a_number_goes_where_its_direction_points() {
        let run = Run::default();
        let case = Case {
            id: "p/t::hits".to_owned(),
            ..Case::default()
        };
        let formed = |more_is_better| {
            let own = OwnMetric {
                name: "found".to_owned(),
                unit: "hits".to_owned(),
                more_is_better,
            };
            let result = CaseResult {
                case: case.id.clone(),
                metric: Metric::Own,
                own: Some(own),
                estimate: Ok(8.0),
                scope: Scope::Processes,
                ..CaseResult::default()
            };
            let exported = ExportedCase {
                run: &run,
                case: &case,
                results: vec![&result],
                samples: Vec::new(),
                runs: None,
            };
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let texts = [
                smaller(std::slice::from_ref(&exported), &mut one),
                bigger(&[exported], &mut other),
            ];
            (
                texts.map(|text| text.contains("hits")),
                [one.len(), other.len()],
            )
        };
        assert_eq!(formed(false), ([true, false], [0, 1]));
        assert_eq!(formed(true), ([false, true], [1, 0]));
    }
}
