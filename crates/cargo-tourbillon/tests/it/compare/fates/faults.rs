//! One side panics, exits, prints, forgets its cases, hangs, is killed; and the comparison is
//! interrupted.

use tourbillon_record::FaultKind;

use super::package::Fates;
use super::{prints, send};
use crate::program::Ran;

pub(super) fn panics_and_exits(fates: &Fates) {
    let ran = fates.compare("env=FATE=prints", &[], &["doomed"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for (fate, expected) in [
        (
            "panics",
            "doomed failed in env=FATE=panics: panicked at benches/met.rs:80: no luck",
        ),
        (
            "exits",
            "doomed failed in env=FATE=exits: exited with code 7 while the two builds took turns",
        ),
    ] {
        let ran = fates.compare(&format!("env=FATE={fate}"), &[], &["doomed", "steady"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        prints(&ran, expected);
        // The other case is still measured.
        let of_other = fates.record().rounds;
        assert!(
            of_other
                .iter()
                .any(|rounds| rounds.cases[0].ends_with("steady"))
        );
    }
    let ran = fates.compare("env=FATE=refuses", &[], &["refuses"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    prints(
        &ran,
        "refuses failed in env=FATE=refuses: returned an error: by design",
    );
}

pub(super) fn the_list_of_cases_changes(fates: &Fates) {
    let ran = fates.compare("env=FATE=forgets", &[], &["listed"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    prints(
        &ran,
        "listed/2 failed in env=FATE=forgets: unknown to the worker; arguments are computed in every worker and must be the same there",
    );
    let measured = fates.record().rounds;
    assert!(
        measured
            .iter()
            .any(|rounds| rounds.cases[0].ends_with("listed[n=1]"))
    );
}

pub(super) fn a_side_hangs(fates: &Fates) {
    let child = fates.start("env=FATE=waits", &["--timeout", "500ms"], &["doomed"]);
    fates.arrived();
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    // The machine decides how long: at least 500 ms.
    prints(&ran, "doomed failed in env=FATE=waits: no response for ");
    prints(
        &ran,
        "s while the two builds took turns; if one call takes that long, raise --timeout",
    );
    let hang = fates.record().faults[0].kind.clone();
    assert!(matches!(hang, FaultKind::Hang(ms) if ms >= 500), "{hang:?}");
}

pub(super) fn a_side_hangs_for_longer_than_its_case_may(fates: &Fates) {
    let ran = fates.compare("env=FATE=hangs", &[], &["watched"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    prints(&ran, "watched failed in env=FATE=hangs: no response for ");
    // Not the default of 30 s.
    let hang = fates.record().faults[0].kind.clone();
    assert!(
        matches!(hang, FaultKind::Hang(1_000..30_000)),
        "{hang:?}: it has timeout = \"1s\""
    );
}

pub(super) fn a_worker_is_killed(fates: &Fates) {
    let child = fates.start("env=FATE=waits", &[], &["doomed", "steady"]);
    send("-KILL", &fates.arrived());
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    prints(
        &ran,
        "doomed failed in env=FATE=waits: killed by signal 9 (SIGKILL) while the two builds took turns",
    );
    let run = fates.record();
    assert_eq!(run.faults.len(), 1);
    assert!(
        run.rounds
            .iter()
            .any(|rounds| rounds.cases[0].ends_with("steady"))
    );
}

/// Cases without a verdict are undecided.
pub(super) fn interrupted_while_measuring(fates: &Fates) {
    // Cases have one launch each in turn, and are examined first after sixteen that nothing disturbed. What is the same
    // code stays undecided by this margin.
    let arguments = ["--time", "1min", "--margin", "0.01%"];
    let child = fates.start("env=FATE=waits:40", &arguments, &["doomed", "greedy"]);
    fates.arrived();
    send("-INT", &child.id().to_string());
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!(ran.code, Some(130), "{ran:?}");
    prints(&ran, "▲ greedy ");
    prints(&ran, "? doomed ");
    prints(
        &ran,
        "! interrupted before 1 case had a verdict; compare again",
    );
    let run = fates.record();
    assert!(run.end.is_some_and(|end| end.interrupted));
    let rounds = run
        .rounds
        .iter()
        .filter(|rounds| rounds.cases[0].ends_with("doomed"));
    assert_eq!(rounds.count(), 39);
}
