//! Ctrl-C at some moment of a run.

use tourbillon_analysis::synthetic::{Model, plan};
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Draw, Event, InMemory, ScriptedRunClock, SpawnWorker,
};
use tourbillon_record::{Absence, Line, Metric};

use crate::stage::{measure, play, settings};

#[test]
fn what_was_measured_is_kept() {
    let mut launches = 0;
    let played = play(
        &["a", "b"],
        &settings(CaseSettings::default()),
        move |plan, act| {
            launches += 1;
            if launches == 25 {
                act(Act::Work(1_000));
                act(Act::Interrupt);
            }
            measure(&Model::default(), plan, act);
        },
    );
    assert!(played.outcome.interrupted && played.outcome.end.interrupted);
    assert_eq!(played.outcome.end.exit_code, 130);
    assert_eq!(played.plans.len(), 25);
    assert_eq!(
        (played.outcome.end.launches, played.outcome.end.faults),
        (24, 0)
    );
    let launches = ["a", "b"].map(|case| played.result(case, Metric::Time).launches);
    assert_eq!(launches.iter().sum::<u32>(), 24);
    assert!(matches!(played.log.lines.last(), Some(Line::End(end)) if end.interrupted));
    // The budget has discarded nothing.
    assert!(
        played
            .outcome
            .results
            .iter()
            .all(|result| result.estimate.is_ok())
    );
}

#[test]
fn a_signal_between_two_launches_begins_no_other() {
    let played = play(&["a"], &settings(CaseSettings::default()), |plan, act| {
        measure(&Model::default(), plan, act);
        // This worker is no longer read.
        act(Act::Interrupt);
    });
    // The worker of the next launch may be there already: it is ended without its plan.
    assert_eq!(played.log.progress.len(), 1);
    assert_eq!(played.outcome.end.launches, 1);
    assert!(played.outcome.interrupted);
    assert_eq!(played.result("a", Metric::Time).launches, 1);
}

#[test]
fn a_spawner_that_was_stopped_stops_every_launch() {
    let run_clock = ScriptedRunClock::new();
    let mut spawner = InMemory::new(&run_clock, |_, _, act| act(Act::Interrupt));
    let mut worker = spawner.spawn(&plan("a", 0), &Draw::default()).unwrap();
    // A worker that waits has heard of nothing yet.
    assert!(!spawner.interrupted());
    assert_eq!(worker.next(1), Event::Interrupted);
    assert!(spawner.interrupted());
}

#[test]
fn cases_that_were_not_reached_are_absent() {
    let played = play(
        &["a", "b", "c"],
        &settings(CaseSettings::default()),
        |_, act| {
            act(Act::Interrupt);
        },
    );
    assert_eq!(played.plans.len(), 1);
    assert_eq!(played.outcome.results.len(), 3);
    for result in &played.outcome.results {
        assert_eq!(result.estimate, Err(Absence::NotReached));
        assert!(result.notes.is_empty());
    }
}
