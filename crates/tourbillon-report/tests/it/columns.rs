//! Columns on request, and the order of rows.

use tourbillon_analysis::Spread;
use tourbillon_present::kind::{Holds, RESULTS};
use tourbillon_record::{Absence, Case, CaseResult, Metric, Rough};
use tourbillon_report::{
    OptionalColumn, ReportFormat, RowOrder, Style, Table, TableData, TableOptions, display_width,
};
use tourbillon_values::choices;

use crate::samples::{absent, case, cycles, result, table, time};

/// The columns of these names with commas between them.
fn named(names: &str) -> Vec<OptionalColumn> {
    choices(names, &OptionalColumn::WORDS).expect("names of columns")
}

fn all() -> Vec<OptionalColumn> {
    OptionalColumn::WORDS.map(|(_, column)| column).to_vec()
}

/// Launches around an estimate.
fn spread(estimate: f64) -> Spread {
    Spread {
        mean: 1.01 * estimate,
        median: estimate,
        min: 0.97 * estimate,
        max: 1.25 * estimate,
        stddev: Some(0.0625 * estimate),
        mad: 0.015 * estimate,
        p90: 1.125 * estimate,
    }
}

/// Two groups, the first with a reference, one case without a figure.
fn run() -> (Vec<Case>, Vec<CaseResult>) {
    let mut cases = vec![
        case("sort", "heap", &[("n", "1000")]),
        case("sort", "merge", &[("n", "1000")]),
        case("sort", "quick", &[("n", "1000")]),
        case("sort", "heap", &[("n", "200")]),
        case("sort", "broken", &[("n", "1000")]),
        case("find", "linear", &[]),
    ];
    cases[0].reference = true;
    let results = vec![
        time(&cases[0], 800.0, 0.01),
        cycles(&cases[0], 2_400.0, 0.01),
        time(&cases[1], 404.0, 0.01),
        time(&cases[2], 400.0, 0.01),
        time(&cases[3], 160.0, 0.01),
        CaseResult {
            lower: Some(118.0),
            ..absent(&cases[4], Absence::TooScattered, Some(9e3))
        },
        time(&cases[5], 50.0, 0.01),
    ];
    (cases, results)
}

fn with<T>(columns: &[OptionalColumn], order: RowOrder, draw: impl FnOnce(&Table<'_>) -> T) -> T {
    let (cases, results) = run();
    let times = results
        .iter()
        .filter(|result| result.metric == Metric::Time);
    // A case without a figure has launches all the same.
    let spreads = times.map(|time| (&*time.case, spread(time.estimate.unwrap_or(1.0))));
    let spreads = spreads.collect();
    draw(&Table {
        options: TableOptions {
            columns,
            order,
            spreads: Some(&spreads),
        },
        ..table(&cases, &results)
    })
}

fn drawn(columns: &[OptionalColumn], order: RowOrder, width: usize) -> String {
    let style = Style::of_width(width);
    with(columns, order, |table| table.document(&style).text(&style))
}

fn formed(format: ReportFormat, columns: &[OptionalColumn], order: RowOrder) -> String {
    with(columns, order, |table| {
        format.render(&[TableData { name: "", table }])
    })
}

#[test]
fn every_column_has_its_figure() {
    let text = drawn(&all(), RowOrder::Source, 200);
    let line = |name: &str| {
        let mut lines = text.lines().filter(|line| line.contains(name));
        lines.next().unwrap_or_default().to_owned()
    };
    let words = |line: &str| {
        line.split("  ")
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(&line("±99 %"))[1..],
        [
            "time", "±99 %", "cycles", "mean", "median", "min", "max", "sd", "mad", "p90", "ratio",
            "rank"
        ]
    );
    // As many digits as the interval of the figure supports; three of a deviation.
    assert_eq!(
        words(&line("quick/1000"))[1..],
        [
            "400 ns", "1.0 %", "404 ns", "400 ns", "388 ns", "500 ns", "25.0 ns", "6.00 ns",
            "450 ns", "0.50", "2"
        ]
    );
    assert!(line("heap/1000").contains(" 1     "), "{text}");
    // Their intervals overlap: one rank. The next is the fourth.
    assert!(line("merge/1000").ends_with("  2"), "{text}");
    assert!(line("heap/1000").ends_with("  4"), "{text}");
    assert!(line("heap/200").ends_with("  1"), "{text}");
    assert!(
        line("broken/1000").ends_with("too scattered for a figure: 110 ns to 9.0 µs"),
        "{text}"
    );
    for meaning in [
        "\nmean, median, min, max, sd, mad, p90  over the launches, one value each\n",
        "\nratio  figure divided by that of the group's reference; the verdict has",
        "\nrank  place in the group; equal where an interval overlaps that of",
    ] {
        assert!(text.contains(meaning), "{text}");
    }
    // Without columns nothing is explained.
    assert!(!drawn(&[], RowOrder::Source, 200).contains("launches"));
}

/// What the table says about columns of which no row has a value.
fn about_missing(columns: &str, cases: &[Case], results: &[CaseResult]) -> String {
    let style = Style::default();
    let text = with(&named(columns), RowOrder::Source, |table| {
        let table = &Table {
            cases,
            results,
            ..*table
        };
        table.document(&style).text(&style)
    });
    let titles = text.lines().next().unwrap_or_default();
    assert!(
        !titles.contains("mean") && !titles.contains("ratio"),
        "{text}"
    );
    let lines = text
        .lines()
        .filter(|line| line.contains("mean") || line.contains("ratio"));
    Vec::from_iter(lines).join("\n")
}

#[test]
fn the_table_says_why_a_requested_column_is_missing() {
    let (cases, results) = run();
    let rough = CaseResult {
        rough: Some(Rough::between(39.2, 83.7)),
        ..absent(&cases[0], Absence::MachineBusy, None)
    };
    assert_eq!(
        about_missing("mean,sd,ratio", &cases[..1], std::slice::from_ref(&rough)),
        "mean, sd, ratio  of cases with a figure only; none has one"
    );
    // The reference has no figure, and another case of the group has one.
    let beside = [rough, results[2].clone()];
    assert_eq!(
        about_missing("ratio", &cases[..2], &beside),
        "ratio  no reference has a figure"
    );
    let style = Style::default();
    let text = with(&named("mean,sd"), RowOrder::Source, |table| {
        let options = TableOptions {
            spreads: None,
            ..table.options
        };
        let table = &Table { options, ..*table };
        table.document(&style).text(&style)
    });
    assert!(
        text.contains(
            "\nmean, sd  over the launches of a figure; the record has none of them, or too few\n"
        ),
        "{text}"
    );
}

#[test]
fn every_word_is_a_member_of_the_rows_of_results() {
    for (name, _) in OptionalColumn::WORDS {
        assert_eq!(RESULTS.holds("rows", name), Some(Holds::Number), "{name}");
    }
}

#[test]
fn csv_has_every_column() {
    for (name, column) in OptionalColumn::WORDS {
        let text = formed(ReportFormat::Csv, &[column], RowOrder::Source);
        let titles = text.lines().next().unwrap_or_default();
        let expected = if name == "sd" { "stddev" } else { name };
        let found = titles.split(',').filter(|title| *title == expected);
        assert_eq!(found.count(), 1, "{name}: {titles}");
    }
}

#[test]
fn the_help_lists_every_column() {
    let help = OptionalColumn::help();
    let words = || help.split([',', ' ']);
    for (name, _) in OptionalColumn::WORDS {
        assert!(words().any(|word| word == name), "{name} is not in {help}");
    }
    let end = " (over launches), ratio (to the reference of the group), rank";
    assert!(help.ends_with(end), "{help}");
}

#[test]
fn a_ratio_needs_a_reference() {
    let (mut cases, results) = run();
    cases[0].reference = false;
    let table = with(&named("ratio"), RowOrder::Source, |table| {
        Table {
            cases: &cases,
            results: &results,
            ..*table
        }
        .document(&Style::default())
        .text(&Style::default())
    });
    assert!(
        table.contains("\nratio  no group has a reference: mark one of its benchmarks with"),
        "{table}"
    );
}

#[test]
fn a_ratio_is_of_one_metric() {
    let (mut cases, _) = run();
    cases.truncate(3);
    let results = [
        time(&cases[0], 800.0, 0.01),
        result(&cases[1], Metric::CpuTime, 400.0, 0.01),
        time(&cases[2], 400.0, 0.01),
    ];
    let text = with(&named("ratio"), RowOrder::Source, |table| {
        let table = &Table {
            cases: &cases,
            results: &results,
            ..*table
        };
        ReportFormat::Csv.render(&[TableData { name: "", table }])
    });
    let ratios: Vec<_> = text.lines().map(|line| line.rsplit(',').next()).collect();
    assert_eq!(ratios, [Some("ratio"), Some("1"), Some(""), Some("0.5")]);
}

#[test]
fn requested_columns_outlast_others_at_80_columns() {
    for width in [60, 80] {
        let text = drawn(&all(), RowOrder::Source, width);
        for line in text.lines() {
            assert!(display_width(line) <= width, "{text}");
        }
    }
    let text = drawn(&all(), RowOrder::Source, 80);
    let titles = text
        .lines()
        .find(|line| line.contains("±99 %"))
        .unwrap_or_default();
    assert!(titles.contains("mean"), "{text}");
    assert!(text.contains("\nno room for: cycles, "), "{text}");
    assert!(text.contains("rank\n"), "{text}");
    let few = drawn(&named("mean,p90"), RowOrder::Source, 80);
    assert!(few.contains("p90") && !few.contains("no room"), "{few}");
}

#[test]
fn other_formats_have_them_too() {
    let wanted = named("mean,max,rank");
    let table = formed(ReportFormat::Markdown, &wanted, RowOrder::Source);
    assert!(
        table.contains("| cycles | mean | max | rank |\n"),
        "{table}"
    );
    assert!(
        table.contains("| `sort/quick/1000` | 400 ns | 1.0 % |  | 404 ns | 500 ns | 2 |\n"),
        "{table}"
    );
    // CSV has the mean anyway, and the others of what is measured only.
    let csv = formed(ReportFormat::CsvSemicolon, &wanted, RowOrder::Source);
    let ends: Vec<String> = csv
        .lines()
        .map(|line| {
            let mut fields: Vec<&str> = line.split(';').collect();
            fields.split_off(28).join(" ")
        })
        .collect();
    assert_eq!(
        ends,
        [
            "max rank", "1000 4", " ", "505 2", "500 2", "200 1", " ", "62,5 1"
        ],
        "{csv}"
    );
    // A script for gnuplot joins sizes: it has its own order.
    let script = |order| formed(ReportFormat::Gnuplot, &wanted, order);
    assert_eq!(script(RowOrder::Time), script(RowOrder::Source));
}

#[test]
fn rows_are_ordered_within_their_groups() {
    let order = |order| -> Vec<String> {
        let text = formed(ReportFormat::Markdown, &[], order);
        let names = text.lines().filter(|line| line.starts_with("| `"));
        let names = names.filter_map(|line| line.split('`').nth(1));
        names.map(str::to_owned).collect()
    };
    assert_eq!(
        order(RowOrder::Source),
        [
            "sort/heap/1000",
            "sort/merge/1000",
            "sort/quick/1000",
            "sort/heap/200",
            "sort/broken/1000",
            "find/linear"
        ]
    );
    assert_eq!(
        order(RowOrder::Time),
        [
            "sort/heap/200",
            "sort/quick/1000",
            "sort/merge/1000",
            "sort/heap/1000",
            "sort/broken/1000",
            "find/linear"
        ]
    );
    assert_eq!(
        order(RowOrder::Name),
        [
            "find/linear",
            "sort/broken/1000",
            "sort/heap/200",
            "sort/heap/1000",
            "sort/merge/1000",
            "sort/quick/1000"
        ]
    );
}
