use tourbillon_record::{ClockCheck, End, Meanwhile};
use tourbillon_report::{Stored, Style, Summary};

use crate::same::same;

fn end() -> End {
    End {
        wall_ns: 7_412_000_000,
        visits_ns: 6_151_960_000,
        batches_ns: 4_521_320_000,
        visits: 760,
        faults: 0,
        interrupted: false,
        clock_check: None,
        meanwhile: None,
        exit_code: 0,
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
        not_reached,
        without_time: 0,
        stored,
    }
    .render(style)
}

#[test]
fn all_went_well() {
    let end = end();
    same(
        &drawn(&end, 0, 0, Stored::NotAsked, &Style::default()),
        "
7.4 s, 83 % measuring (61 % in batches)
38 cases measured
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
38 cases measured
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
^[31m38 cases measured · 2 failed · 1 ignored · 5 not reached^[0m
^[31m3 of 763 visits failed^[0m
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
        visits_ns: 0,
        batches_ns: 0,
        visits: 0,
        ..end()
    };
    same(
        &drawn(&end, 0, 0, Stored::NotAsked, &Style::default()),
        "0 ms, 0 % measuring (0 % in batches)\n38 cases measured\n",
    );
}

/// A run on a machine that did nothing else.
const QUIET: Meanwhile = Meanwhile {
    wanted_ticks: 1_000,
    stolen_ticks: 0,
    own_ticks: 990,
    swapped_pages: 0,
    throttled: 0,
};

/// The lines about what happened during a run.
fn meanwhile(meanwhile: Meanwhile) -> String {
    let end = End {
        meanwhile: Some(meanwhile),
        ..end()
    };
    let text = drawn(&end, 0, 0, Stored::NotAsked, &Style::default());
    let (_, lines) = text.split_once("measured\n").expect("the line before them");
    lines.to_owned()
}

#[test]
fn what_happened_during_the_run_is_said_with_what_to_do() {
    let all = Meanwhile {
        stolen_ticks: 34,
        own_ticks: 620,
        swapped_pages: 1_204,
        throttled: 3,
        ..QUIET
    };
    same(
        &meanwhile(all),
        "
! the hypervisor took 3.4 % of the processor time during the run: measure when
  the host is quiet, or on a machine with processors of its own
! other programs had 35 % of the processor time during the run: end them, for
  they share caches, memory and frequency; `cargo tourbillon doctor` names them
! 1,204 pages came from the swap space during the run: end programs that hold
  memory, or take smaller inputs
! slowed down by heat during the run: let it cool, clean the fans, and switch
  turbo off
",
    );
}

#[test]
fn each_thing_is_said_from_some_amount_on() {
    for (wanted, stolen, own, swapped_pages, throttled, expected) in [
        (1_000, 0, 990, 0, 0, &[][..]),
        (1_000, 19, 882, 0, 0, &[]),
        (1_000, 20, 881, 0, 0, &["! the hypervisor took 2.0 % "]),
        (1_000, 0, 900, 0, 0, &["! other programs had 10 % "]),
        (1_000, 0, 990, 1, 0, &["! 1 page came "]),
        (1_000, 0, 990, 0, 1, &["! slowed down by heat "]),
        // A tick or two of a short run are chance.
        (12, 4, 4, 0, 0, &[]),
        // Counters that are not read at one moment do not always add up.
        (1_000, 0, 1_001, 0, 0, &[]),
        (0, 0, 0, 0, 0, &[]),
    ] {
        let text = meanwhile(Meanwhile {
            wanted_ticks: wanted,
            stolen_ticks: stolen,
            own_ticks: own,
            swapped_pages,
            throttled,
        });
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("! ")).collect();
        assert_eq!(lines.len(), expected.len(), "{text}");
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.starts_with(expected), "{line} is not: {expected}");
        }
    }
}
