//! Faults of every kind: each costs its own launch.

use tourbillon_analysis::synthetic::{self, Model};
use tourbillon_coordinator::runner::{Act, CaseSettings, Ending};
use tourbillon_record::{
    Absence, Fault, FaultKind, Frame, Hello, Metric, Note, Plan, SourceLocation,
};

use crate::stage::{Played, measure, play, settings};

const SECOND: u64 = 1_000_000_000;

/// A run of two cases, of which launch 5 of `bad` does something else.
fn with_one(bad: impl Fn(&Plan, &mut dyn FnMut(Act)) + 'static) -> Played {
    play(
        &["bad", "good"],
        &settings(CaseSettings::default()),
        move |plan, act| {
            if plan.case == "bad" && plan.launch == 5 {
                bad(plan, act);
            } else {
                measure(&Model::default(), plan, act);
            }
        },
    )
}

/// Its only fault, after a look at what must hold whatever it was.
fn only_fault(played: &Played) -> &Fault {
    let [fault] = &played.outcome.faults[..] else {
        panic!("{} faults", played.outcome.faults.len());
    };
    assert_eq!((fault.case.as_str(), fault.launch), ("bad", 5));
    assert_eq!(played.outcome.end.exit_code, 3);
    assert_eq!(
        (played.outcome.end.launches, played.outcome.end.faults),
        (39, 1)
    );
    let bad = played.result("bad", Metric::Time);
    assert_eq!(bad.launches, 19);
    assert!(bad.notes.contains(&Note::FailedLaunches { count: 1 }));
    assert_eq!(played.result("good", Metric::Time).launches, 20);
    fault
}

fn panicking() -> Act {
    Act::Say(Frame::Panicking {
        message: "index out of bounds".to_owned(),
        location: Some(location()),
    })
}

fn location() -> SourceLocation {
    SourceLocation {
        file: "benches/x.rs".to_owned(),
        line: 7,
    }
}

fn reports(kind: FaultKind) -> Act {
    Act::Say(Frame::Fault(Fault {
        case: "bad".to_owned(),
        launch: 5,
        kind,
        message: "what the worker reported".to_owned(),
        location: None,
        stderr: String::new(),
        unknown: String::new(),
    }))
}

#[test]
fn a_panic_has_message_and_place() {
    for ending in [Ending::Exited(101), Ending::Signalled(6)] {
        let played = with_one(move |_, act| {
            act(Act::Complain("thread 'main' panicked\n".to_owned()));
            act(panicking());
            act(Act::End(ending));
        });
        let fault = only_fault(&played);
        assert_eq!(fault.kind, FaultKind::Panic);
        assert_eq!(fault.message, "index out of bounds");
        assert_eq!(fault.location, Some(location()));
        assert_eq!(fault.stderr, "thread 'main' panicked\n");
    }
}

#[test]
fn a_panic_that_the_worker_caught_has_the_place_from_its_hook() {
    let played = with_one(|_, act| {
        act(panicking());
        act(reports(FaultKind::Panic));
    });
    let fault = only_fault(&played);
    assert_eq!(fault.kind, FaultKind::Panic);
    assert_eq!(fault.message, "index out of bounds");
    assert_eq!(fault.location, Some(location()));
}

#[test]
fn a_panic_that_the_benchmark_caught_is_not_the_reason() {
    let played = with_one(|_, act| {
        act(panicking());
        act(Act::End(Ending::Exited(2)));
    });
    assert_eq!(only_fault(&played).kind, FaultKind::Exit(2));
    let played = with_one(|plan, act| {
        act(panicking());
        measure(&Model::default(), plan, act);
    });
    assert!(played.outcome.faults.is_empty());
}

#[test]
fn endings_are_distinguished() {
    let cases = [
        (Ending::Exited(0), FaultKind::Exit(0)),
        (Ending::Exited(101), FaultKind::Exit(101)),
        (Ending::Signalled(6), FaultKind::Signal(6)),
        (Ending::Signalled(9), FaultKind::Signal(9)),
    ];
    for (ending, kind) in cases {
        let played = with_one(move |_, act| {
            act(Act::Complain("last words".to_owned()));
            act(Act::End(ending));
        });
        let fault = only_fault(&played);
        assert_eq!(fault.kind, kind);
        assert_eq!(fault.stderr, "last words");
    }
}

#[test]
fn the_message_has_how_far_the_launch_was() {
    // The kind holds the rest: code, signal, or for how long there was no sign of life.
    let last_acts = [Some(Ending::Exited(7)), Some(Ending::Signalled(9)), None];
    for (begun, message) in [
        (false, "in the set-up or the first call of the body"),
        (
            true,
            "after the first call of the body, before the samples came",
        ),
    ] {
        for last in last_acts {
            let played = with_one(move |_, act| {
                if begun {
                    act(Act::Say(Frame::Progress {
                        first_call_ns: 5,
                        timeout_ns: None,
                    }));
                }
                if let Some(ending) = last {
                    act(Act::End(ending));
                }
            });
            assert_eq!(only_fault(&played).message, message);
        }
    }
}

#[test]
fn the_fault_that_a_worker_reports_is_taken() {
    for kind in [
        FaultKind::Error,
        FaultKind::UnknownCase,
        FaultKind::NoTerminal,
    ] {
        let reported = kind.clone();
        let played = with_one(move |_, act| act(reports(reported.clone())));
        let fault = only_fault(&played);
        assert_eq!(fault.kind, kind);
        assert_eq!(fault.message, "what the worker reported");
    }
}

#[test]
fn silence_of_thirty_seconds_is_a_hang() {
    let played = with_one(|_, _| {});
    assert_eq!(only_fault(&played).kind, FaultKind::Hang(30_000));
    let played = with_one(|plan, act| {
        act(Act::Work(30 * SECOND));
        measure(&Model::default(), plan, act);
    });
    assert_eq!(only_fault(&played).kind, FaultKind::Hang(30_000));
}

#[test]
fn a_long_set_up_and_a_long_first_call_are_none() {
    let played = with_one(|plan, act| {
        act(Act::Say(Frame::Hello(Hello {
            protocol: 1,
            engine: "e".to_owned(),
        })));
        act(Act::Work(29 * SECOND));
        act(Act::Say(Frame::Progress {
            first_call_ns: 29 * SECOND,
            timeout_ns: None,
        }));
        // Ten first calls may pass in silence.
        act(Act::Work(289 * SECOND));
        measure(&Model::default(), plan, act);
    });
    assert!(played.outcome.faults.is_empty());
    let played = with_one(|_, act| {
        act(Act::Say(Frame::Progress {
            first_call_ns: 29 * SECOND,
            timeout_ns: None,
        }));
    });
    assert_eq!(only_fault(&played).kind, FaultKind::Hang(290_000));
}

#[test]
fn a_timeout_that_was_asked_for_is_kept() {
    let mut settings = settings(CaseSettings::default());
    settings.common.options.timeout_ns = Some(2 * SECOND);
    let played = play(&["a"], &settings, |plan, act| {
        act(Act::Say(Frame::Progress {
            first_call_ns: SECOND,
            timeout_ns: None,
        }));
        act(Act::Work(if plan.launch == 3 {
            3 * SECOND
        } else {
            SECOND
        }));
        measure(&Model::default(), plan, act);
    });
    let [fault] = &played.outcome.faults[..] else {
        panic!("{} faults", played.outcome.faults.len());
    };
    assert_eq!((fault.launch, &fault.kind), (3, &FaultKind::Hang(2_250)));
}

#[test]
fn the_worker_knows_the_timeout_of_its_case() {
    let of_case = Act::Say(Frame::Progress {
        first_call_ns: 0,
        timeout_ns: Some(3 * SECOND),
    });
    let fault = of_case.clone();
    let played = with_one(move |_, act| act(fault.clone()));
    let fault = only_fault(&played);
    assert_eq!(fault.kind, FaultKind::Hang(3_250));
    assert_eq!(fault.message, "in the set-up or the first call of the body");
    // After the first call as well, however long that was.
    let fault = of_case.clone();
    let played = with_one(move |_, act| {
        act(fault.clone());
        act(Act::Work(2 * SECOND));
        act(Act::Say(Frame::Progress {
            first_call_ns: 2 * SECOND,
            timeout_ns: None,
        }));
    });
    assert_eq!(only_fault(&played).kind, FaultKind::Hang(3_250));
    // What was requested goes before.
    let mut settings = settings(CaseSettings::default());
    settings.common.options.timeout_ns = Some(2 * SECOND);
    let played = play(&["a"], &settings, move |_, act| act(of_case.clone()));
    for fault in &played.outcome.faults {
        assert_eq!(fault.kind, FaultKind::Hang(2_250));
    }
    assert!(!played.outcome.faults.is_empty());
}

#[test]
fn a_call_shorter_than_the_timeout_is_no_hang() {
    let mut settings = settings(CaseSettings::default());
    settings.common.options.timeout_ns = Some(2 * SECOND);
    let played = play(&["a"], &settings, |plan, act| {
        // The last sign of life before the call may be so old.
        act(Act::Work(249_000_000));
        act(Act::Work(2 * SECOND - 1));
        act(Act::Say(Frame::Progress {
            first_call_ns: 2 * SECOND - 1,
            timeout_ns: None,
        }));
        measure(&Model::default(), plan, act);
    });
    assert_eq!(played.outcome.faults, []);
}

#[test]
fn a_coordinator_that_was_stopped_counts_no_silence() {
    let played = with_one(|plan, act| {
        for _ in 0..5 {
            act(Act::Work(SECOND));
            act(Act::Stop(300 * SECOND));
        }
        measure(&Model::default(), plan, act);
    });
    assert_eq!(played.outcome.faults, []);
    // Silence before and after it is one.
    let played = with_one(|_, act| {
        act(Act::Work(SECOND));
        act(Act::Stop(300 * SECOND));
    });
    assert_eq!(only_fault(&played).kind, FaultKind::Hang(30_000));
}

#[test]
fn signs_of_life_start_the_silence_anew() {
    let played = with_one(|plan, act| {
        for _ in 0..100 {
            act(Act::Work(29 * SECOND));
            act(Act::Say(Frame::Progress {
                first_call_ns: 1_000,
                timeout_ns: None,
            }));
        }
        measure(&Model::default(), plan, act);
    });
    assert!(played.outcome.faults.is_empty());
}

#[test]
fn what_is_not_understood_is_a_fault() {
    let acts = [
        Act::Garble("the worker sent what is no frame".to_owned()),
        Act::Say(Frame::Bye),
        Act::Say(Frame::Plan(synthetic::plan("bad", 5))),
    ];
    for strange in acts {
        let played = with_one(move |_, act| act(strange.clone()));
        assert_eq!(only_fault(&played).kind, FaultKind::Protocol);
    }
    // Samples of another launch, of no ops, and with a column cut short.
    let breaks: [fn(&mut tourbillon_record::LaunchSamples); 5] = [
        |launch| launch.case = "good".to_owned(),
        |launch| launch.launch = 4,
        |launch| launch.batch_shape.items = 0,
        |launch| launch.batches.kind.truncate(1),
        |launch| launch.batches.kind.fill(0),
    ];
    for broken in breaks {
        let played = with_one(move |plan, act| {
            let mut launch = Model::default().launch(plan);
            broken(&mut launch);
            act(Act::Say(Frame::Launch(Box::new(launch))));
        });
        assert_eq!(only_fault(&played).kind, FaultKind::Protocol);
    }
}

#[test]
fn a_worker_that_cannot_be_started_costs_its_launch() {
    let played = with_one(|_, act| act(Act::Refuse("no more processes".to_owned())));
    let fault = only_fault(&played);
    assert_eq!(fault.kind, FaultKind::Spawn);
    assert_eq!(fault.message, "no more processes");
}

#[test]
fn samples_that_came_are_kept_whatever_comes_after() {
    let played = with_one(|plan, act| {
        act(Act::Say(Frame::Launch(Box::new(
            Model::default().launch(plan),
        ))));
        act(Act::End(Ending::Signalled(11)));
    });
    assert!(played.outcome.faults.is_empty());
}

#[test]
fn a_second_pilot_launch_is_made() {
    let played = play(
        &["a"],
        &settings(CaseSettings::default()),
        |plan, act| match plan.launch {
            0 => act(Act::End(Ending::Exited(1))),
            _ => measure(&Model::default(), plan, act),
        },
    );
    assert_eq!(played.begun("a"), 20);
    assert_eq!(played.plans[1].0.batch_shape, None);
    assert!(played.plans[2].0.batch_shape.is_some());
    assert_eq!(played.result("a", Metric::Time).launches, 19);
}

#[test]
fn a_case_whose_pilot_launches_fail_is_given_up() {
    let played = play(
        &["bad", "good"],
        &settings(CaseSettings::default()),
        |plan, act| match plan.case.as_str() {
            "bad" => act(Act::End(Ending::Exited(1))),
            _ => measure(&Model::default(), plan, act),
        },
    );
    assert_eq!((played.begun("bad"), played.begun("good")), (2, 20));
    let bad = played.result("bad", Metric::Time);
    assert_eq!(bad.estimate, Err(Absence::Failed));
    assert_eq!((bad.lower, bad.upper, bad.launches), (None, None, 0));
    assert_eq!(bad.notes, [Note::FailedLaunches { count: 2 }]);
    // The others learn that there is less to do.
    assert_eq!(played.log.progress.last(), Some(&(21, 22)));
}

#[test]
fn three_faults_end_a_case_and_keep_what_it_has() {
    let played = play(
        &["a"],
        &settings(CaseSettings::default()),
        |plan, act| match plan.launch {
            4.. => act(Act::End(Ending::Signalled(11))),
            _ => measure(&Model::default(), plan, act),
        },
    );
    assert_eq!(played.begun("a"), 7);
    let result = played.result("a", Metric::Time);
    assert_eq!(result.launches, 4);
    assert!(result.estimate.is_ok());
    assert!(result.notes.contains(&Note::FailedLaunches { count: 3 }));
}
