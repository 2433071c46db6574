//! What disturbed a run, in one line.

use tourbillon_record::{CaseResult, End, MachineEvents, Note};
use tourbillon_report::{Style, Table};

use crate::same::same;
use crate::samples::{case, noted, table, time};

/// A run on a machine that did nothing else.
const QUIET: MachineEvents = MachineEvents {
    busy_ticks: 1_000,
    stolen_ticks: 0,
    own_ticks: 990,
    swapped_pages: 0,
    throttled: 0,
};

/// The notes below a table of four cases, of which each result has these notes.
fn notes(events: MachineEvents, notes: [&[Note]; 4]) -> String {
    let cases = ["a", "b", "c", "d"].map(|name| case("", name, &[]));
    let results = cases.iter().zip(notes);
    let results: Vec<CaseResult> = results
        .map(|(case, notes)| noted(time(case, 10.0, 0.01), notes))
        .collect();
    let end = End {
        machine_events: Some(events),
        ..End::default()
    };
    let table = Table {
        end: Some(&end),
        ..table(&cases, &results)
    };
    let text = table.document(&Style::default()).text(&Style::default());
    let notes = text.split_once("\n\n").map(|(_, notes)| notes);
    notes.unwrap_or_default().to_owned()
}

#[test]
fn a_busy_machine_is_one_line() {
    let discarded = |launches| Note::Contended {
        launches,
        in_figure: false,
    };
    let waited = || Note::Waited { fraction: 0.04 };
    let busy = MachineEvents {
        stolen_ticks: 34,
        own_ticks: 620,
        ..QUIET
    };
    same(
        &notes(
            busy,
            [
                &[discarded(7)],
                &[discarded(9), waited()],
                &[discarded(1)],
                &[],
            ],
        ),
        "
! busy machine: other programs took 35 %, the hypervisor took 3.4 % of the CPU
  time; in a quieter moment times may differ by more than their intervals,
  cycles hardly; verdicts hold
",
    );
    same(
        &notes(QUIET, [&[discarded(16)], &[], &[], &[]]),
        "
! busy machine: 16 of 96 launches discarded; in a quieter moment times may
  differ by more than their intervals, cycles hardly; verdicts hold
",
    );
    // What was repeated here and there needs nothing done.
    let few = &[discarded(7)][..];
    same(&notes(QUIET, [few, &[], &[], &[]]), "");
    let waiting = &[discarded(7), waited()][..];
    same(
        &notes(QUIET, [waiting, &[], &[], &[]]),
        "
! busy machine: 1 case waited up to 4.0 % of the time for a processor; in a
  quieter moment times may differ by more than their intervals, cycles hardly;
  verdicts hold
",
    );
}

#[test]
fn what_needs_another_remedy_has_its_own_line() {
    let events = MachineEvents {
        swapped_pages: 1_204,
        throttled: 3,
        ..QUIET
    };
    same(
        &notes(events, [&[]; 4]),
        "
! 1,204 pages came from the swap space: end programs that hold memory, or use
  smaller inputs
! slowed down by heat: let it cool, clean the fans, and switch turbo off
",
    );
}

#[test]
fn each_disturbance_has_a_threshold() {
    for (wanted, stolen, own, swapped_pages, throttled, expected) in [
        (1_000, 0, 990, 0, 0, &[][..]),
        (1_000, 19, 882, 0, 0, &[]),
        (
            1_000,
            20,
            881,
            0,
            0,
            &["! busy machine: the hypervisor took 2.0 % "],
        ),
        (
            1_000,
            0,
            900,
            0,
            0,
            &["! busy machine: other programs took 10 % "],
        ),
        (1_000, 0, 990, 1, 0, &["! 1 page came "]),
        (1_000, 0, 990, 0, 1, &["! slowed down by heat: "]),
        // A tick or two of a short run are chance.
        (12, 4, 4, 0, 0, &[]),
        // Counters that are not read at one moment do not always add up.
        (1_000, 0, 1_001, 0, 0, &[]),
        (0, 0, 0, 0, 0, &[]),
    ] {
        let events = MachineEvents {
            busy_ticks: wanted,
            stolen_ticks: stolen,
            own_ticks: own,
            swapped_pages,
            throttled,
        };
        let text = notes(events, [&[]; 4]);
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("! ")).collect();
        assert_eq!(lines.len(), expected.len(), "{text}");
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.starts_with(expected), "{line} is not: {expected}");
        }
    }
}
