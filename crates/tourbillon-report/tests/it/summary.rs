use tourbillon_record::{ClockCheck, End};
use tourbillon_report::{Stored, Style, Summary};

use crate::same::same;

fn end() -> End {
    End {
        wall_ns: 7_412_000_000,
        launches_ns: 6_151_960_000,
        batches_ns: 4_521_320_000,
        launches: 760,
        faults: 0,
        interrupted: false,
        clock_check: None,
        machine_events: None,
        exit_code: 0,
        lines: None,
        unknown: String::new(),
    }
}

fn drawn(end: &End, failed: u64, not_reached: u64, stored: Stored<'_>, style: &Style) -> String {
    let ignored = u64::from(failed > 0);
    Summary {
        end,
        measured: 38,
        failed,
        ignored,
        rough: 0,
        without_figure: 0,
        not_reached,
        stored,
    }
    .render(style)
}

#[test]
fn all_went_well() {
    let end = end();
    same(
        &drawn(&end, 0, 0, Stored::NotRequested, &Style::default()),
        "
7.4 s, 83 % measuring (61 % in batches)
38 benchmarks measured
",
    );
    let file = "target/tourbillon/runs/examples/sort/1.jsonl";
    let end = End {
        clock_check: Some(ClockCheck {
            deviation_ppm: 0.12,
            bound_ppm: 0.31,
            baseline_ns: 7_400_000_000,
        }),
        ..end
    };
    same(
        &drawn(&end, 0, 0, Stored::In(file), &Style::default()),
        "
7.4 s, 83 % measuring (61 % in batches) · clock +0.1 ±0.4 ppm from the system's
38 benchmarks measured
stored in target/tourbillon/runs/examples/sort/1.jsonl
",
    );
}

#[test]
fn not_all_went_well() {
    let end = End {
        faults: 3,
        interrupted: true,
        ..end()
    };
    let why = "/mnt/full/runs: no space left on device; name another folder with --store";
    let style = Style {
        color: true,
        ..Style::default()
    };
    same(
        &drawn(&end, 2, 5, Stored::Not(why), &style).replace('\x1b', "^"),
        "
7.4 s, 83 % measuring (61 % in batches)
^[31m38 benchmarks measured · 2 failed · 1 ignored · 5 not reached^[0m
^[31m3 of 763 launches failed^[0m
^[33m! interrupted: figures are of the launches until then^[0m
^[33m! not stored: /mnt/full/runs: no space left on device; name another folder with^[0m
^[33m              --store^[0m
",
    );
}

#[test]
fn a_run_of_no_time_is_no_division_by_zero() {
    let end = End {
        wall_ns: 0,
        launches_ns: 0,
        batches_ns: 0,
        launches: 0,
        ..end()
    };
    same(
        &drawn(&end, 0, 0, Stored::NotRequested, &Style::default()),
        "0 ms, 0 % measuring (0 % in batches)\n38 benchmarks measured\n",
    );
}

#[test]
fn rough_estimates_and_rows_without_any_are_counted() {
    let end = end();
    let summary = Summary {
        end: &end,
        measured: 6,
        failed: 0,
        ignored: 0,
        not_reached: 0,
        rough: 4,
        without_figure: 2,
        stored: Stored::NotRequested,
    };
    same(
        &summary.render(&Style::default()),
        "
7.4 s, 83 % measuring (61 % in batches)
6 benchmarks measured · 4 of them rough · 2 of them without a figure
",
    );
}
