//! Cases that are measured in something other than wall time, next to those that are.

use tourbillon_record::{
    Absence, Case, CaseResult, Metric, Note, Scale, ScaleUnit, Throughput, ThroughputUnit,
};
use tourbillon_report::{Before, Ratio, ReportFormat, Style, Table, TableData};

use crate::same::same;
use crate::samples::{self, absent, case, noted, own, result, time};

struct Run {
    cases: Vec<Case>,
    results: Vec<CaseResult>,
}

/// One of each, and a bound of a time that is sampled.
fn run() -> Run {
    let cases: Vec<Case> = ["wall", "cpu", "user", "kernel", "idle", "retries", "sent"]
        .iter()
        .map(|name| case("io", name, &[]))
        .collect();
    let sampled = |ticks| Note::Sampled {
        step_ns: 4e6,
        ticks,
    };
    let idle = CaseResult {
        metric: Metric::KernelTime,
        ..absent(&cases[4], Absence::BelowResolution, Some(4_000.0))
    };
    let user = result(&cases[2], Metric::UserTime, 1_234.5, 0.1);
    let kernel = result(&cases[3], Metric::KernelTime, 0.5, 0.2);
    let results = vec![
        time(&cases[0], 1_234.5, 0.001),
        result(&cases[1], Metric::CpuTime, 1_234.5, 0.001),
        noted(user, &[sampled(131)]),
        noted(kernel, &[sampled(96)]),
        noted(idle, &[sampled(140)]),
        own(&cases[5], "retries", "retries", 0.031, 0.01),
        own(&cases[6], "sent", "bytes", 4_096.0, 0.0),
    ];
    let results = results.into_iter().map(|result| CaseResult {
        throughput: Some(Throughput {
            unit: ThroughputUnit::Items,
            per_op: 10,
        }),
        ..result
    });
    let results = results.collect();
    Run { cases, results }
}

fn table<'t>(run: &'t Run, last: &'t dyn Fn(&str) -> Option<Before>) -> Table<'t> {
    Table {
        last,
        ..samples::table(&run.cases, &run.results)
    }
}

fn drawn_table(table: &Table<'_>) -> String {
    let style = Style::default();
    table.document(&style).text(&style)
}

#[test]
fn a_figure_says_what_it_is_and_a_rate_is_of_wall_time() {
    let run = run();
    let drawn = drawn_table(&table(&run, &|_| None));
    let expected = "
io                    per op   ±99 %       throughput
├─ wall      1.234 µs          0.1 %  8.100 M items/s
├─ cpu       1.234 µs cpu      0.1 %
├─ user        1.2 µs user      10 %
├─ kernel      0.5 ns kernel    20 %
├─ idle      < 4.0 µs kernel
├─ retries  0.0310 retries     1.0 %
╰─ sent       4096 B sent     0.01 %
cpu  CPU time of all threads of the process; not wall time
user  CPU time in the program's own code; not wall time
kernel  CPU time in the kernel for the program; not wall time
<  an upper bound: the system sampled it too rarely

! io/user, io/kernel, io/idle: the system samples CPU time only every 4.00 ms,
  here down to 96 times; raise --max-time for more samples
";
    same(&drawn, expected);
}

#[test]
fn units_of_a_suite_are_in_all_columns() {
    let mut run = run();
    let scale = |from, shown, unit: &str, falls| {
        Scale(vec![ScaleUnit {
            from,
            shown,
            unit: unit.to_owned(),
            falls,
        }])
    };
    run.results[5].units = scale(1e-3, 1.0, "millitries", false);
    run.results[5].rates = scale(1e-3, 500.0, "wins/s", true);
    run.results[6].units = scale(1e3, 1.0, "kilobytes", false);
    run.results[6].estimate = Err(Absence::BelowResolution);
    run.results[6].upper = Some(4_321.0);
    let drawn = drawn_table(&table(&run, &|_| None));
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = drawn.lines().map(words).collect();
    for line in [
        "├─ retries 31.0 millitries 1.0 % 16.1 wins/s",
        "╰─ sent < 4.4 kilobytes",
    ] {
        assert!(lines.iter().any(|found| found == line), "{drawn}");
    }
}

#[test]
fn wall_time_alone_has_a_title_of_its_own() {
    let mut run = run();
    run.cases.truncate(1);
    run.results.truncate(1);
    let drawn = drawn_table(&table(&run, &|_| None));
    assert!(drawn.lines().next().unwrap().contains(" time "), "{drawn}");
}

#[test]
fn ratios_are_of_what_is_measured() {
    let ratio = |metric| {
        Before::Change(Ratio {
            metric,
            estimate: 1.0,
            lower: 0.99,
            upper: 1.01,
        })
    };
    let run = run();
    let drawn = |last: &dyn Fn(&str) -> Option<Before>| drawn_table(&table(&run, last));
    let of_cpu = drawn(&|id| id.ends_with("cpu").then(|| ratio(Metric::CpuTime)));
    assert!(of_cpu.contains("change of figures since"), "{of_cpu}");
    let of_wall = drawn(&|id| id.ends_with("wall").then(|| ratio(Metric::Time)));
    assert!(of_wall.contains("change of times since"), "{of_wall}");
    let of_cycles = drawn(&|id| {
        let metric = if id.ends_with("wall") {
            Metric::Cycles
        } else {
            Metric::Own
        };
        Some(ratio(metric))
    });
    let text: Vec<&str> = of_cycles.split_whitespace().collect();
    let text = text.join(" ");
    assert!(
        text.contains("change of cycles, or of what is not wall time, since"),
        "{of_cycles}"
    );
}

#[test]
fn formats_name_the_metric_and_gnuplot_draws_wall_time_only() {
    let run = run();
    let table = table(&run, &|_| None);
    let form = |form: ReportFormat| {
        form.render(&[TableData {
            name: "",
            table: &table,
        }])
    };
    let csv = form(ReportFormat::Csv);
    for row in [
        "io,cpu,,cpu_time,ns,1234.5,",
        "io,user,,user_time,ns,1234.5,",
        "io,idle,,kernel_time,ns,,,4000,",
        "io,retries,,retries,retries,0.031,",
        "io,sent,,sent,bytes,4096,",
    ] {
        assert!(csv.contains(row), "{row} in {csv}");
    }
    let markdown = form(ReportFormat::Markdown);
    assert!(
        markdown.contains("| `io/sent` | 4096 B sent |"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| `io/kernel` | 0.5 ns kernel |"),
        "{markdown}"
    );
    let plot = form(ReportFormat::Gnuplot);
    assert!(plot.contains("io::wall\" 1 1234.5"), "{plot}");
    assert_eq!(
        plot.matches("is not drawn: not measured in wall time")
            .count(),
        6,
        "{plot}"
    );
}
