//! Percentiles of single calls in every format.

use tourbillon_record::{Absence, Case, CaseResult, Metric, Note};
use tourbillon_report::{ReportFormat, Style, Table, TableData};

use crate::samples::{absent, case, result, table, time};

fn results(case: &Case) -> Vec<CaseResult> {
    let percentile = |metric, ns, relative| CaseResult {
        fixed_cost: Some(21.3),
        samples: 20_040,
        ..result(case, metric, ns, relative)
    };
    vec![
        time(case, 12_000.0, 0.01),
        percentile(Metric::P50, 11_900.0, 0.004),
        percentile(Metric::P99, 25_100.0, 0.03),
        CaseResult {
            metric: Metric::P999,
            ..absent(case, Absence::TooFewCalls, None)
        },
        CaseResult {
            lower: None,
            upper: None,
            ..percentile(Metric::Max, 310_000.0, 0.0)
        },
    ]
}

/// What a function makes of the table of a case.
fn tabled<T>(case: &Case, results: &[CaseResult], make: impl Fn(&Table<'_>) -> T) -> T {
    make(&Table {
        has_calls: true,
        ..table(std::slice::from_ref(case), results)
    })
}

fn formatted(format: ReportFormat) -> String {
    let handle = case("", "handle", &[]);
    tabled(&handle, &results(&handle), |table| {
        format.render(&[TableData { name: "", table }])
    })
}

fn printed(case: &Case, results: &[CaseResult]) -> String {
    let style = Style::of_width(80);
    tabled(case, results, |table| table.document(&style).text(&style))
}

#[test]
fn they_stand_below_the_row() {
    let handle = case("", "handle", &[]);
    assert_eq!(
        printed(&handle, &results(&handle)),
        "           time  ±99 %\n\
         handle  12.0 µs  1.0 %\n    \
         p50 11.90 µs ±0.4 % · p99 25.1 µs ±3.0 % · p99.9 needs 10,000 calls a launch\n    \
         max 310 µs · 20,040 calls, each with 21.3 ns of clock reading\n"
    );
}

#[test]
fn each_is_a_line_of_csv() {
    let text = formatted(ReportFormat::Csv);
    let metrics = text.lines().skip(1).map(|line| line.split(',').nth(4));
    let metrics: Vec<&str> = metrics.map(Option::unwrap_or_default).collect();
    assert_eq!(metrics, ["time", "p50", "p99", "p99.9", "max"]);
    let p99 = text.lines().find(|line| line.contains(",p99,")).unwrap();
    assert!(p99.contains(",p99,ns,25100,"), "{p99}");
    assert!(text.contains(",too_few_calls,"), "{text}");
}

#[test]
fn markdown_has_them_in_a_cell_and_gnuplot_in_series_of_their_own() {
    let text = formatted(ReportFormat::Markdown);
    assert!(text.contains("| details |"), "{text}");
    assert!(text.contains("p99 25.1 µs ±3.0 %"), "{text}");
    let text = formatted(ReportFormat::Gnuplot);
    for expected in [
        "\"examples/it::handle\" 1 25100 753 24347 25853\n",
        "$series1 using 2:3:5:6 with yerrorbars title 'p50' noenhanced",
        "$series2 using 2:3:5:6 with yerrorbars title 'p99' noenhanced",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    // What has no interval is in the comments of no case.
    assert!(
        !text.contains("is not drawn") && !text.contains("series3"),
        "{text}"
    );
}

#[test]
fn calls_that_are_too_short_have_a_reason_and_a_remedy() {
    let short = case("", "short", &[]);
    let mut time = absent(&short, Absence::CallsTooShort, None);
    time.notes.push(Note::CallsTooShort { least_ns: 2_130.0 });
    let text = printed(&short, &[time]);
    assert!(
        text.contains("calls too short to be timed one by one\n"),
        "{text}"
    );
    let lines = text.replace("\n  ", " ");
    assert!(
        lines.contains("! short: calls below 2.13 µs cannot be timed one by one: readings"),
        "{text}"
    );
    assert!(lines.contains("or do more in a call"), "{text}");
}

#[test]
fn a_rate_that_was_not_held_is_a_finding() {
    let served = case("", "served", &[]);
    let mut results = results(&served);
    let per_second = 100_000.0;
    results[0].notes = vec![
        Note::Scheduled {
            per_second,
            late: 0.99,
            backlog: 1_204,
        },
        Note::RateNotHeld { per_second },
    ];
    let text = printed(&served, &results);
    assert!(
        text.contains("100,000 due a second: 99 % began late, up to 1,204 waited"),
        "{text}"
    );
    let lines = text.replace("\n  ", " ");
    assert!(
        lines.contains(
            "! served: a call takes longer than the time between two at 100,000 a second"
        ),
        "{text}"
    );
}
