//! What stands below the row of a case: the percentiles of calls that were timed one by one, and system calls.

use tourbillon_present::Style;
use tourbillon_present::figure::{Figure, both_ends, measured};
use tourbillon_present::number::{count, counted, percent};
use tourbillon_record::{Absence, CaseResult, Metric, Note};

use crate::case_results::CaseResults;

/// Calls of a launch that are beyond a percentile, at least.
const BEYOND: f64 = 10.0;

impl CaseResults<'_> {
    /// What is known of the calls of a case that were timed one by one: `p50 11.90 µs ±0.4 %`, `p90 12.8 µs ±0.9 %`, .., `max 310 µs`, `40,080 calls, each with 21 ns of clock
    /// reading`, `system calls: read 1`; none for most cases.
    pub fn latencies(&self, case: &str, style: &Style) -> Vec<String> {
        let of_case = self.case(case).iter().copied();
        let of_calls = of_case.clone().filter(|result| result.metric.is_of_calls());
        let mut items: Vec<String> = of_calls
            .clone()
            .filter_map(|one| item(one, style))
            .collect();
        let notes = of_case.clone().flat_map(|result| &result.notes);
        let system_calls = notes.filter_map(|note| match note {
            Note::SystemCalls { calls } => Some(format!("system calls: {}", style.safe(calls))),
            _ => None,
        });
        if items.is_empty() {
            return system_calls.collect();
        }
        if let Some(longest) = of_calls.clone().find(|one| one.metric == Metric::Max) {
            items.push(calls(longest, style));
        }
        let notes = of_case.flat_map(|result| &result.notes);
        items.extend(notes.filter_map(schedule));
        items.extend(system_calls);
        items
    }
}

/// `p99 25.1 µs ±3.1 %`; `p99.9 12 µs to 310 µs` of a wide interval; `p99.9 needs 10,000 calls a launch`. Nothing
/// where the row has the reason.
fn item(result: &CaseResult, style: &Style) -> Option<String> {
    let name = result.metric.name();
    match (result.estimate, result.metric.share()) {
        (Ok(estimate), _) => {
            let figure = Figure::new(estimate, result.lower, result.upper);
            let shown = |figure| measured(result, figure, style);
            let spread = figure.plus_minus(shown, style);
            Some(format!("{name} {}{spread}", shown(figure)))
        }
        (Err(Absence::TooFewCalls), Some(share)) => {
            let needed = (BEYOND / (1.0 - share)).round() as u64;
            Some(format!("{name} needs {} calls a launch", count(needed)))
        }
        (Err(Absence::TooScattered), _) => Some(format!("{name} {}", both_ends(result, style)?)),
        (Err(_), _) => None,
    }
}

/// `40,080 calls, each with 21 ns of clock reading`.
fn calls(longest: &CaseResult, style: &Style) -> String {
    let calls = counted(longest.samples, "call");
    match longest.fixed_cost {
        Some(ns) => {
            let reading = Figure::new(ns, None, None).time(style);
            format!("{calls}, each with {reading} of clock reading")
        }
        None => calls,
    }
}

/// `20,000 due a second: 3.1 % began late, up to 4 waited`.
fn schedule(note: &Note) -> Option<String> {
    let Note::Scheduled {
        per_second,
        late,
        backlog,
    } = note
    else {
        return None;
    };
    let rate = if per_second.fract() == 0.0 {
        count(*per_second as u64)
    } else {
        format!("{per_second}")
    };
    let late = match *backlog {
        0 => "none began late".to_owned(),
        most => format!(
            "{} began late, up to {} waited",
            percent(*late),
            count(most)
        ),
    };
    Some(format!("{rate} due a second: {late}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(metric: Metric, estimate: Result<f64, Absence>, half: f64) -> CaseResult {
        let ends = estimate.ok().filter(|_| half > 0.0);
        CaseResult {
            case: "c".to_owned(),
            metric,
            estimate,
            lower: ends.map(|estimate| estimate - half),
            upper: ends.map(|estimate| estimate + half),
            samples: 40_080,
            fixed_cost: Some(21.3),
            ..CaseResult::default()
        }
    }

    #[test]
    fn percentiles_stand_below_the_row() {
        let mut results = vec![
            result(Metric::Time, Ok(12_000.0), 10.0),
            result(Metric::P50, Ok(11_900.0), 40.0),
            result(Metric::P99, Ok(25_100.0), 760.0),
            result(Metric::P999, Err(Absence::TooFewCalls), 0.0),
            result(Metric::Max, Ok(310_000.0), 0.0),
        ];
        let style = Style::default();
        let below = |results: &[CaseResult]| {
            let results = CaseResults::of(results);
            results.latencies("c", &style).join(" · ")
        };
        assert_eq!(
            below(&results),
            "p50 11.90 µs ±0.4 % · p99 25.1 µs ±3.1 % · p99.9 needs 10,000 calls a launch · max 310 µs · \
             40,080 calls, each with 21.3 ns of clock reading"
        );
        results[0].notes.push(Note::Scheduled {
            per_second: 20_000.0,
            late: 0.031,
            backlog: 4,
        });
        let text = below(&results);
        assert!(
            text.contains("20,000 due a second: 3.1 % began late, up to 4 waited"),
            "{text}"
        );
        assert_eq!(below(&results[..1]), "");
    }

    #[test]
    fn a_wide_interval_is_a_range() {
        let wide = CaseResult {
            estimate: Err(Absence::TooScattered),
            lower: Some(12_600.0),
            upper: Some(310_000.0),
            ..result(Metric::P999, Ok(1.0), 0.0)
        };
        let results = [wide];
        let below = CaseResults::of(&results).latencies("c", &Style::default());
        assert_eq!(below, ["p99.9 12 µs to 310 µs"]);
    }

    #[test]
    fn calls_that_are_too_short_have_no_line() {
        let short = |metric| result(metric, Err(Absence::CallsTooShort), 0.0);
        let results = [Metric::P50, Metric::P99, Metric::Max].map(short);
        let below = CaseResults::of(&results).latencies("c", &Style::default());
        assert_eq!(below, [""; 0]);
    }
}
