//! Failures of one of two builds, and the allocations of both.

mod alone;
mod counts;
mod faults;
mod package;

use std::process::Command;

use self::package::Fates;
use crate::program::Ran;

/// In sequence, because the program is built once.
#[test]
fn failures_of_one_side() {
    let fates = Fates::new();
    alone::what_takes_no_turns_is_compared(&fates);
    alone::what_one_build_isolates_is_not_comparable(&fates);
    counts::counts_are_compared_by_equality(&fates);
    counts::a_gate_closes_on_what_is_counted(&fates);
    counts::a_side_without_a_meter_is_named(&fates);
    counts::events_are_compared_by_pairs_of_launches(&fates);
    faults::panics_and_exits(&fates);
    faults::the_list_of_cases_changes(&fates);
    counts::counting_fails(&fates);
    faults::a_side_hangs(&fates);
    faults::a_side_hangs_for_longer_than_its_case_may(&fates);
    faults::a_worker_is_killed(&fates);
    faults::interrupted_while_measuring(&fates);
}

/// A text regardless of line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn prints(ran: &Ran, expected: &str) {
    assert!(
        words(&ran.stdout).contains(expected),
        "{expected:?} in\n{}\n{}",
        ran.stdout,
        ran.stderr
    );
}

pub(super) fn send(signal: &str, process: &str) {
    let status = Command::new("kill").args([signal, process]).status();
    assert!(status.expect("kill starts").success());
}
