//! Lines about calls that were timed one by one.

use tourbillon_record::{
    Absence, Calls, CaseResult, Finding, LaunchSamples, Line, Metric, Note, Reach, Rounds, Verdict,
};

use crate::{comparison_lines, entries};

pub(crate) fn lines() -> Vec<Line> {
    let calls = Calls {
        per_second: Some(20_000.0),
        ticks: vec![1_021, 26_000, 26_016, 78_016],
        count: vec![1, 1_800, 103, 96],
        longest_ticks: 78_031,
        reading_ticks: vec![52, 54, 52],
        step_ticks: 26,
        late: 12,
        backlog: 3,
    };
    let back_to_back = Calls {
        per_second: None,
        late: 0,
        backlog: 0,
        ..calls.clone()
    };
    let launch = |calls: &Calls| {
        Line::Launch(Box::new(LaunchSamples {
            terminal: "latencies".to_owned(),
            calls: Some(Box::new(calls.clone())),
            ..entries::launch()
        }))
    };
    let result = |metric, estimate| CaseResult {
        metric,
        estimate,
        method: "percentiles-1".to_owned(),
        notes: Vec::new(),
        ..entries::result()
    };
    let time = CaseResult {
        notes: vec![
            Note::Scheduled {
                per_second: 20_000.0,
                late: 0.006,
                backlog: 3,
            },
            Note::RateNotHeld {
                per_second: 20_000.0,
            },
            Note::CallsTooShort { least_ns: 2_100.0 },
        ],
        ..result(Metric::Time, Err(Absence::CallsTooShort))
    };
    let rounds = Rounds {
        calls: Some(vec![back_to_back.clone(), calls.clone()]),
        ..comparison_lines::rounds()
    };
    let verdict = Verdict {
        metric: Some(Metric::P999),
        ..comparison_lines::verdict(Finding::Slower, None, Reach::Placements)
    };
    vec![
        launch(&calls),
        launch(&back_to_back),
        Line::Result(time),
        Line::Result(result(Metric::P50, Ok(4.4125))),
        Line::Result(result(Metric::P999, Err(Absence::TooFewCalls))),
        Line::Result(result(Metric::Max, Ok(4.4175))),
        Line::Rounds(rounds),
        Line::Verdict(verdict),
    ]
}

#[test]
fn buckets_are_ascending_and_each_has_its_calls() {
    let text = lines()[0].encode();
    assert!(Line::decode(&text).is_ok());
    for (from, to, what) in [
        ("[1021,26000,", "[26000,1021,", "not ascending"),
        ("[1,1800,103,96]", "[1,1800,103]", "has 4 entries"),
    ] {
        let broken = text.replace(from, to);
        assert_ne!(broken, text);
        let error = Line::decode(&broken).expect_err(what);
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn percentiles_are_neither_counts_nor_the_main_metric() {
    let mut before = 0.0;
    for metric in Metric::PERCENTILES {
        assert!(metric.is_of_calls() && !metric.is_counted() && !metric.is_main());
        let share = metric.share().expect("a percentile");
        assert!(share > before);
        before = share;
        assert_eq!(metric.name(), format!("p{}", 100.0 * share));
    }
    assert!(Metric::Max.is_of_calls() && Metric::Max.share().is_none());
    assert!(!Metric::Allocs.is_of_calls());
}
