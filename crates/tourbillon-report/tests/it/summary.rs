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

/// A run of 38 cases and those that are not measured.
fn summary<'a>(end: &'a End, failed: u64, not_reached: u64, stored: Stored<'a>) -> Summary<'a> {
    Summary {
        end,
        measured: 38,
        failed,
        ignored: u64::from(failed > 0),
        rough: 0,
        without_figure: 0,
        not_reached,
        answer: Vec::new(),
        stored,
        verbose: false,
    }
}

#[test]
fn all_went_well() {
    let end = end();
    let file = "target/tourbillon/runs/examples/sort/1.jsonl";
    let mut summary = summary(&end, 0, 0, Stored::In(file));
    same(&summary.render(&Style::default()), "\n38 cases in 7.4 s\n");
    summary.answer = vec!["1 comparison: quick is 3.5× slower than heap".to_owned()];
    same(
        &summary.render(&Style::default()),
        "\n38 cases in 7.4 s · 1 comparison: quick is 3.5× slower than heap\n",
    );
}

#[test]
fn where_the_time_went_is_for_those_who_ask() {
    let file = "target/tourbillon/runs/examples/sort/1.jsonl";
    let end = End {
        clock_check: Some(ClockCheck {
            deviation_ppm: 0.12,
            bound_ppm: 0.31,
            baseline_ns: 7_400_000_000,
        }),
        ..end()
    };
    let summary = Summary {
        verbose: true,
        ..summary(&end, 0, 0, Stored::In(file))
    };
    same(
        &summary.render(&Style::default()),
        "
7.4 s, 83 % measuring (61 % in batches) · clock +0.1 ±0.4 ppm from the system's
stored in target/tourbillon/runs/examples/sort/1.jsonl
38 cases in 7.4 s
",
    );
}

#[test]
fn not_all_went_well() {
    let end = End { faults: 3, ..end() };
    let why = "/mnt/full/runs: no space left on device; name another folder with --store";
    let style = Style {
        color: true,
        ..Style::default()
    };
    let text = summary(&end, 2, 5, Stored::Not(why)).render(&style);
    same(
        &text.replace('\x1b', "^"),
        "
^[33m! not stored: /mnt/full/runs: no space left on device; name another folder with^[0m
^[33m              --store^[0m
^[31m45 cases in 7.4 s · 2 failed · 1 ignored · 5 not reached^[0m
^[31m3 of 763 launches failed^[0m
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
    let summary = Summary {
        verbose: true,
        ..summary(&end, 0, 0, Stored::NotRequested)
    };
    same(
        &summary.render(&Style::default()),
        "\n0 ms, 0 % measuring (0 % in batches)\n38 cases in 0 ms\n",
    );
}

#[test]
fn rough_estimates_and_rows_without_any_are_counted() {
    let end = end();
    let summary = Summary {
        rough: 4,
        without_figure: 2,
        ..summary(&end, 0, 0, Stored::NotRequested)
    };
    same(
        &summary.render(&Style::default()),
        "\n38 cases in 7.4 s · 4 rough · 2 without a figure\n",
    );
}
