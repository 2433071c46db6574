//! Lines of cases that are measured in something else than wall time.

use tourbillon_record::{
    Case, CaseResult, Frame, LaunchSamples, Line, Measured, Metric, Note, OwnMetric, Plan, Scale,
    ScaleUnit,
};

use crate::entries;

/// A batch of each length, and what it came to.
fn launch(metric: Metric, own: Option<OwnMetric>, step_ns: Option<u64>) -> LaunchSamples {
    LaunchSamples {
        measured: Some(Box::new(Measured {
            metric,
            own,
            step_ns,
            first_call: 1_200.0,
            amounts: vec![98_000.0, 196_400.5, 0.0],
            ..Measured::default()
        })),
        ..entries::launch()
    }
}

fn result(metric: Metric, own: Option<OwnMetric>, notes: Vec<Note>) -> CaseResult {
    CaseResult {
        metric,
        own,
        method: "totals-1".into(),
        notes,
        ..entries::result()
    }
}

fn units() -> Scale {
    let unit = |from, unit: &str| ScaleUnit {
        from,
        shown: 1.5,
        unit: unit.to_owned(),
        falls: false,
    };
    Scale(vec![unit(1e-9, "retries"), unit(1e3, "kiloretries")])
}

fn rates() -> Scale {
    Scale(vec![ScaleUnit {
        from: 1.0,
        shown: 3.0,
        unit: "retries/s".to_owned(),
        falls: true,
    }])
}

fn retries() -> Option<OwnMetric> {
    Some(OwnMetric {
        name: "lost".into(),
        unit: "retries".into(),
        more_is_better: false,
    })
}

/// A number of which more is better, and a runtime whose threads sleep.
pub(crate) fn better_with_more() -> [Line; 2] {
    let hits = retries().map(|own| OwnMetric {
        more_is_better: true,
        ..own
    });
    let launch = LaunchSamples {
        threads: Some(5),
        working_threads: Some(1),
        ..launch(Metric::Own, hits.clone(), None)
    };
    [
        Line::Launch(Box::new(launch)),
        Line::Result(result(Metric::Own, hits, Vec::new())),
    ]
}

pub(crate) fn lines() -> Vec<Line> {
    let sampled = Note::Sampled {
        step_ns: 4e6,
        ticks: 131,
    };
    let limited = Case {
        at_most: Some("n log n".into()),
        ..entries::case()
    };
    vec![
        Line::Case(limited),
        Line::Launch(Box::new(launch(Metric::CpuTime, None, None))),
        Line::Launch(Box::new(launch(Metric::KernelTime, None, Some(4_000_000)))),
        Line::Launch(Box::new(launch(Metric::Own, retries(), None))),
        Line::Result(result(Metric::CpuTime, None, Vec::new())),
        Line::Result(result(Metric::UserTime, None, vec![sampled])),
        Line::Result(result(Metric::Own, retries(), Vec::new())),
    ]
}

/// A launch of one of two builds that are compared.
pub(crate) fn of_build() -> Line {
    let launch = LaunchSamples {
        pilot_launch: false,
        arm: Some(1),
        ..launch(Metric::CpuTime, None, None)
    };
    Line::Launch(Box::new(launch))
}

/// Those of a measurement that has units of its own.
pub(crate) fn with_units() -> Vec<Line> {
    let mut launch = launch(Metric::Own, retries(), None);
    if let Some(measured) = &mut launch.measured {
        (measured.units, measured.rates) = (units(), rates());
    }
    let result = CaseResult {
        units: units(),
        rates: rates(),
        ..result(Metric::Own, retries(), Vec::new())
    };
    vec![Line::Launch(Box::new(launch)), Line::Result(result)]
}

pub(crate) fn frames() -> Vec<Frame> {
    vec![Frame::Plan(Plan {
        metric: Some(Metric::CpuTime),
        ..entries::plan(None)
    })]
}

#[test]
fn what_was_measured_is_read_back() {
    for line in lines().into_iter().chain(with_units()) {
        let text = line.encode();
        assert_eq!(Line::decode(&text).as_ref(), Ok(&line), "{text}");
    }
    for frame in frames() {
        let text = frame.encode();
        assert_eq!(Frame::decode(&text).as_ref(), Ok(&frame), "{text}");
    }
}

#[test]
fn what_is_not_measured_leaves_no_trace() {
    let text = Line::Launch(Box::new(entries::launch())).encode();
    assert!(!text.contains("measured"), "{text}");
    let text = Line::Result(entries::result()).encode();
    assert!(text.contains(r#""metric":"time","unit":"ns""#), "{text}");
}

#[test]
fn an_own_metric_has_a_name_and_others_have_their_unit() {
    let text = Line::Result(result(Metric::Own, retries(), Vec::new())).encode();
    let nameless = text.replace(r#""name":"lost","#, "");
    let error = Line::decode(&nameless).unwrap_err().to_string();
    assert!(error.starts_with("field `name` is missing"), "{error}");
    let text = Line::Result(result(Metric::CpuTime, None, Vec::new())).encode();
    let cycles = text.replace(r#""unit":"ns""#, r#""unit":"cycles""#);
    let error = Line::decode(&cycles).unwrap_err().to_string();
    assert!(error.contains("the unit of the metric"), "{error}");
}

#[test]
fn every_batch_has_an_amount() {
    let text = Line::Launch(Box::new(launch(Metric::CpuTime, None, None))).encode();
    let short = text.replace("[98000.0,", "[");
    let error = Line::decode(&short).unwrap_err().to_string();
    assert!(
        error.starts_with("column `ticks` has 3 entries, column `amounts` 2"),
        "{error}"
    );
}

#[test]
fn a_metric_of_a_newer_version_is_passed_over() {
    let text = Line::Result(result(Metric::CpuTime, None, Vec::new())).encode();
    let newer = text.replace("cpu_time", "joules");
    assert!(Line::decode(&newer).unwrap_err().is_unknown_type());
}

#[test]
fn a_case_has_one_main_metric() {
    let main = [
        Metric::Time,
        Metric::CpuTime,
        Metric::UserTime,
        Metric::KernelTime,
        Metric::Own,
    ];
    for metric in main {
        assert!(metric.is_main() && !metric.is_counted(), "{metric:?}");
    }
    assert!(!Metric::Cycles.is_main() && !Metric::Cycles.is_counted());
    assert!(Metric::Allocs.is_counted() && !Metric::Allocs.is_main());
}
