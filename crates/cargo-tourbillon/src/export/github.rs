//! The custom JSON of github-action-benchmark: <https://github.com/benchmark-action/github-action-benchmark>.

use serde_json::{Value, json};

use super::rows::{ExportedCase, Omitted, Row, entries};

/// Times, cycles and counts for `customSmallerIsBetter`, or throughputs and numbers that are better with more for
/// `customBiggerIsBetter`: an entry each.
pub(super) fn json(cases: &[ExportedCase<'_>], bigger: bool, omitted: &mut Vec<Omitted>) -> Value {
    let of_case = |case: &ExportedCase<'_>| {
        let rows = match case.rows() {
            Ok(rows) => rows,
            Err(_) if bigger => return Err(without_rate(case)),
            Err(why) => return Err(why),
        };
        let (more, less): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.more_is_better());
        let rows = if bigger { more } else { less };
        if !rows.is_empty() {
            let entries = rows.into_iter().map(|row| entry(&case.case.id, row));
            Ok(entries.collect::<Vec<Value>>())
        } else if bigger {
            Err(without_rate(case))
        } else {
            Err(case.omitted("better with more, see bigger-is-better"))
        }
    };
    entries(cases, omitted, of_case).concat().into()
}

/// Why a case has nothing that is better with more.
fn without_rate(case: &ExportedCase<'_>) -> Omitted {
    let no_time = case.wall_time().err();
    no_time.unwrap_or_else(|| case.omitted("no throughput"))
}

/// The interval stands in `range`, which the charts show next to the value. The name has the metric where that is not
/// wall time.
fn entry(id: &str, row: &Row<'_>) -> Value {
    let result = row.result;
    let name = if row.is_time() || row.rate.is_some() {
        id.to_owned()
    } else {
        format!("{id} ({})", row.metric)
    };
    let mut entry = json!({ "name": name, "unit": row.unit, "value": row.value });
    if let Some((lower, upper)) = row.lower.zip(row.upper) {
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
    use tourbillon_record::{Case, CaseResult, Metric, OwnMetric, Run, Scope};

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
            let cases = [exported];
            let values = [
                json(&cases, false, &mut one),
                json(&cases, true, &mut other),
            ];
            (
                values.map(|value| value.to_string().contains("hits")),
                [one.len(), other.len()],
            )
        };
        assert_eq!(formed(false), ([true, false], [0, 1]));
        assert_eq!(formed(true), ([false, true], [1, 0]));
    }
}
