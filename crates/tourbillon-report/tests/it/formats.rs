//! The formats for other programs, byte for byte.

use tourbillon_record::{Absence, Argument, Case, CaseResult, Note, Throughput, ThroughputUnit};
use tourbillon_report::{ReportFormat, Table, TableData};

use crate::samples::{absent, case, cycles, table, time};

/// Renders the results of one run, or of several under their names.
fn rendered(form: ReportFormat, runs: &[(&str, &[Case], &[CaseResult])]) -> String {
    let tables: Vec<Table<'_>> = runs
        .iter()
        .map(|(_, cases, results)| table(cases, results))
        .collect();
    let mut sheets = Vec::new();
    for ((name, ..), table) in runs.iter().zip(&tables) {
        sheets.push(TableData { name, table });
    }
    form.render(&sheets)
}

fn sort(algorithm: &str, n: &str) -> Case {
    case("sort", algorithm, &[("n", n)])
}

fn hostile() -> Case {
    let mut case = case("a|b", "x,\"y\";`<b>`\u{1b}[2J\n", &[]);
    case.id = "p/t::a|b::x,\"y\";`<b>`\u{1b}[2J\n".to_owned();
    case
}

#[test]
fn csv_of_one_run() {
    let (heap, concat) = (sort("heap", "100"), case("", "concat", &[]));
    let mut slow = time(&heap, 1234.5, 0.5);
    slow.stddev = Some(0.25);
    slow.notes = vec![Note::Skewed, Note::CorrectionTooLarge];
    let results = [
        slow,
        cycles(&heap, 5000.0, 0.5),
        absent(&concat, Absence::BelowResolution, Some(0.125)),
    ];
    let text = rendered(ReportFormat::Csv, &[("", &[heap, concat], &results)]);
    assert_eq!(
        text,
        "case,group,name,arguments,metric,unit,estimate,lower,upper,confidence,scope,systematic,\
         launches,samples,mean,stddev,mad,fixed_cost,first_call,resolution,ops,iterations,\
         elapsed_ns,method,absent,notes,throughput,throughput_unit\r\n\
         examples/it::concat,,concat,,time,ns,,,0.125,,processes,0,20,2000,,,,,,,1,1,1,test,\
         below_resolution,,,\r\n\
         examples/it::sort::heap[n=100],sort,heap,n=100,time,ns,1234.5,617.25,1851.75,0.9974,\
         processes,0,20,2000,1234.5,0.25,,,,,1,1,1,test,,skewed correction_too_large,,\r\n\
         examples/it::sort::heap[n=100],sort,heap,n=100,cycles,cycles,5000,2500,7500,0.9974,\
         processes,0,20,2000,5000,,,,,,1,1,1,test,,,,\r\n"
    );
}

#[test]
fn csv_has_the_throughput_of_times() {
    let heap = sort("heap", "100");
    let mut results = [time(&heap, 500.0, 0.5), cycles(&heap, 1750.0, 0.5)];
    results[0].throughput = Some(Throughput {
        unit: ThroughputUnit::Bytes,
        per_op: 800,
    });
    let cases = [heap];
    let table = table(&cases, &results);
    let sheet = TableData {
        name: "",
        table: &table,
    };
    let text = ReportFormat::Csv.render(&[sheet]);
    let ends: Vec<_> = text.lines().map(|line| line.rsplitn(3, ',')).collect();
    let ends = ends.into_iter().map(|mut end| (end.next(), end.next()));
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [
            (Some("throughput_unit"), Some("throughput")),
            (Some("bytes/s"), Some("1600000000")),
            (Some(""), Some("")),
        ],
        "{text}"
    );
}

#[test]
fn csv_with_semicolons_has_decimal_commas() {
    let heap = sort("heap", "100");
    let results = [time(&heap, 1234.5, 0.5)];
    let cases = [heap];
    let text = rendered(
        ReportFormat::CsvSemicolon,
        &[("one", &cases, &results), ("two", &cases, &results)],
    );
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert!(lines[0].starts_with("run;case;group;"), "{text}");
    let line = "examples/it::sort::heap[n=100];sort;heap;n=100;time;ns;1234,5;617,25;1851,75;0,9974;\
                processes;0;20;2000;1234,5;;;;;;1;1;1;test;;;;";
    assert_eq!(
        lines[1..],
        [&format!("one;{line}"), &format!("two;{line}"), ""]
    );
}

#[test]
fn fields_with_signs_of_their_own_are_quoted_and_controls_are_written_out() {
    let case = hostile();
    let results = [time(&case, 1.0, 0.5)];
    let text = rendered(ReportFormat::Csv, &[("", &[case], &results)]);
    let quoted = "\"x,\"\"y\"\";`<b>`\\u{1b}[2J\\n\"";
    assert!(text.contains(&format!(",a|b,{quoted},,time,")), "{text}");
    assert_eq!(text.matches('\n').count(), 2, "{text}");
    // One that separates numbers in the other form is quoted in both.
    let mut case = sort("heap", "1");
    case.arguments = vec![Argument {
        axis: "n".to_owned(),
        value: "1,5".to_owned(),
    }];
    let results = [time(&case, 1.0, 0.5)];
    let text = rendered(ReportFormat::CsvSemicolon, &[("", &[case], &results)]);
    assert!(text.contains(";\"n=1,5\";"), "{text}");
}

#[test]
fn markdown_of_one_run() {
    let cases = [
        sort("heap", "100"),
        case("", "concat", &[]),
        sort("std", "100"),
    ];
    let results = [
        time(&cases[0], 1234.5, 0.01),
        cycles(&cases[0], 5000.0, 0.01),
        absent(&cases[1], Absence::BelowResolution, Some(0.125)),
    ];
    let text = rendered(ReportFormat::Markdown, &[("", &cases, &results)]);
    assert_eq!(
        text,
        "| case | time | ±99 % | cycles |\n\
         |---|--:|--:|--:|\n\
         | `concat` | &#60; 0.13 ns |  |  |\n\
         | `sort/heap/100` | 1.23 µs | 1.0 % | 5000 |\n\
         | `sort/std/100` | no result |  |  |\n\
         \n\
         * `<`: an upper bound: not distinguishable from an empty loop\n\
         \n\
         * `concat`: not distinguishable from an empty body; the compiler may have removed the work: pass inputs \
         through hide(), return the result, and read what is left: cargo rustc --profile bench --bench NAME -- --emit asm\n"
    );
}

#[test]
fn markdown_of_hostile_names_keeps_its_columns() {
    let cases = [hostile()];
    let results = [time(&cases[0], 1.0, 0.01)];
    let text = rendered(ReportFormat::Markdown, &[("`a`", &cases, &results)]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("<code>&#96;a&#96;</code>"));
    let row = lines.nth(3).expect("a row");
    assert!(row.ends_with("</code> | 1.00 ns | 1.0 % |"), "{row}");
    assert_eq!(row.matches('|').count(), 4, "{row}");
}

#[test]
fn gnuplot_draws_a_line_for_each_sweep_and_the_rest_by_name() {
    let cases = [
        sort("heap", "100"),
        sort("heap", "200"),
        sort("std", "100"),
        case("", "concat", &[]),
        hostile(),
        case("", "nothing", &[]),
    ];
    let mut results = Vec::new();
    for (case, ns) in cases.iter().zip([100.0, 220.0, 50.0, 8.0, 4.0]) {
        results.push(time(case, ns, 0.5));
    }
    results.push(absent(&cases[5], Absence::BelowResolution, Some(0.1)));
    let text = rendered(ReportFormat::Gnuplot, &[("", &cases, &results)]);
    assert_eq!(
        text,
        r##"# time per op in nanoseconds; run it with: gnuplot -p FILE
# "examples/it::nothing" is not drawn: below_resolution
# case x y dy ylow yhigh
$series0 << END
"examples/it::concat" 1 8 4 4 12
"p/t::a|b::x,'y';\u{60}<b>\u{60}\u{1b}[2J\n" 2 4 2 2 6
END
$series1 << END
"examples/it::sort::heap[n=100]" 100 100 50 50 150
"examples/it::sort::heap[n=200]" 200 220 110 110 330
END
$series2 << END
"examples/it::sort::std[n=100]" 100 50 25 25 75
END
set key outside below
set ylabel 'ns/op'
set multiplot layout 2,1
unset logscale
set xlabel ''
set xrange [0.5:2.5]
set xtics noenhanced rotate ('concat' 1, 'x,"y";\u{60}<b>\u{60}\u{1b}[2J\n' 2)
set logscale y
plot $series0 using 2:3:5:6 with yerrorbars title '' noenhanced
unset logscale
set xtics autofreq norotate
set autoscale x
set xlabel 'n' noenhanced
set logscale xy
plot $series1 using 2:3:5:6 with yerrorlines title 'sort/heap' noenhanced, \
    $series2 using 2:3:5:6 with yerrorlines title 'sort/std' noenhanced
unset multiplot
"##
    );
}

#[test]
fn texts_are_no_formulas_of_a_spreadsheet() {
    let formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "=\"a\";b"];
    let cases = formulas.map(|name| case(name, name, &[]));
    let results = cases.clone().map(|case| time(&case, -1.0, 0.5));
    for (form, sign) in [(ReportFormat::Csv, ','), (ReportFormat::CsvSemicolon, ';')] {
        let text = rendered(form, &[("-run", &cases, &results)]);
        for line in text.lines().skip(1) {
            assert!(line.starts_with("'-run"), "{line}");
            let name = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "\"'=\"\"a\"\";b\""]
                .iter()
                .any(|name| line.contains(&format!("{sign}{name}{sign}{name}{sign}")));
            assert!(name, "{line}");
            // A number is one.
            assert!(line.contains(&format!("{sign}ns{sign}-1{sign}")), "{line}");
        }
    }
}

#[test]
fn gnuplot_takes_no_name_for_a_format_or_markup() {
    let strange = "50%_a^{b}@'c%d\\";
    let cases = [
        case("", strange, &[]),
        case("", "f", &[("n%d_m", "1"), ("rest", strange)]),
    ];
    let results = [time(&cases[0], 1.0, 0.5), time(&cases[1], 2.0, 0.5)];
    let text = rendered(ReportFormat::Gnuplot, &[("", &cases, &results)]);
    for part in [
        r"set xtics noenhanced rotate ('50%%_a^{b}@''c%%d\' 1)",
        "set xlabel 'n%d_m' noenhanced",
        r"title 'f/50%_a^{b}@''c%d\' noenhanced",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn gnuplot_has_no_logarithm_of_zero() {
    let cases = [case("", "f", &[("n", "0")]), case("", "f", &[("n", "1")])];
    let results = [time(&cases[0], 1.0, 0.5), time(&cases[1], 2.0, 0.5)];
    let text = rendered(ReportFormat::Gnuplot, &[("", &cases, &results)]);
    assert!(!text.contains("\nset logscale"), "{text}");
}

#[test]
fn no_case_no_line() {
    let text = rendered(ReportFormat::Csv, &[("", &[], &[])]);
    assert_eq!(text.matches("\r\n").count(), 1);
    assert!(!rendered(ReportFormat::Gnuplot, &[("", &[], &[])]).contains("plot $"));
}
