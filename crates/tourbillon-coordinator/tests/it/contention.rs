//! Contended launches, and those that are made in their place.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_analysis::synthetic::{Model, contend, frequency};
use tourbillon_coordinator::runner::{Act, CaseSettings, Ending};
use tourbillon_record::{Absence, CaseOptions, Frame, LaunchSamples, Metric, Note, Plan, Scope};

use crate::stage::{Played, play, settings};

/// A run of two cases; `is_contended` tells which launches of `a` are: their body takes a fifth longer, and
/// a turn of the empty loop 1.5 cycles.
fn played(common: CaseSettings, is_contended: fn(u32) -> bool) -> Played {
    worked(common, move |plan| {
        let mut launch = Model::default().launch(plan);
        if plan.case == "a" && is_contended(plan.launch) {
            contend(&mut launch, 1.5, 0.0);
        }
        launch
    })
}

fn worked(common: CaseSettings, mut work: impl FnMut(&Plan) -> LaunchSamples + 'static) -> Played {
    play(&["a", "b"], &settings(common), move |plan, act| {
        let launch = work(plan);
        act(Act::Work(frequency().nanos(launch.launch_ticks)));
        act(Act::Say(Frame::Launch(Box::new(launch))));
        act(Act::Say(Frame::Bye));
        act(Act::End(Ending::Exited(0)));
    })
}

fn discarded(launches: u32) -> Note {
    Note::Contended {
        launches,
        in_figure: false,
    }
}

#[test]
fn contended_launches_are_repeated_until_twelve_others_were_made() {
    // Two of three are contended: 6 of 20 are not, and 12 of 36.
    let settings = CaseSettings {
        budget_ns: 1_000_000_000,
        ..CaseSettings::default()
    };
    let played = played(settings, |launch| launch % 3 != 1);
    assert_eq!((played.begun("a"), played.begun("b")), (35, 20));
    for metric in [Metric::Time, Metric::Cycles] {
        let result = played.result("a", metric);
        assert_eq!((result.launches, result.scope), (12, Scope::Processes));
        assert_eq!(result.notes, [discarded(23)]);
    }
    let estimate = played.result("a", Metric::Cycles).estimate.unwrap();
    assert!((estimate - 100.0).abs() < 0.05, "{estimate}");
    assert_eq!(played.result("b", Metric::Time).notes, []);
}

#[test]
fn repeated_launches_fit_into_the_time_of_the_case() {
    let settings = CaseSettings {
        budget_ns: 45_000_000,
        ..CaseSettings::default()
    };
    let played = played(settings, |launch| launch % 3 != 1);
    let launches = played.begun("a") as u64;
    assert!((20..35).contains(&launches), "{launches}");
    // The launches of the model take so long, and nothing else takes any.
    let cost = frequency().nanos(Model::default().launches("a", 1)[0].launch_ticks);
    assert!(launches * cost <= 45_000_000, "{launches}");
    assert!((launches + 1) * cost > 45_000_000, "{launches}");
}

#[test]
fn fewer_than_eight_others_have_an_interval_of_their_own_and_fewer_than_three_no_figure() {
    let of = |is_contended| {
        played(CaseSettings::default(), is_contended)
            .result("a", Metric::Time)
            .clone()
    };
    let few = of(|launch| launch >= 7);
    assert_eq!((few.launches, few.scope), (7, Scope::Process));
    assert!(few.estimate.is_ok());
    assert!(few.notes.contains(&Note::FewLaunches { launches: 7 }));
    let three = of(|launch| launch >= 3);
    assert!(three.estimate.is_ok());
    for count in [0, 2] {
        let busy = if count == 0 {
            of(|_| true)
        } else {
            of(|launch| launch >= 2)
        };
        assert_eq!(busy.estimate, Err(Absence::MachineBusy));
        assert_eq!((busy.launches, busy.lower, busy.upper), (count, None, None));
        assert!(matches!(busy.notes[..], [Note::Contended { .. }]));
    }
}

#[test]
fn a_launch_by_itself_cannot_be_judged_by_the_empty_loop() {
    let common = CaseSettings {
        launches: 1,
        ..CaseSettings::default()
    };
    let played = played(common, |_| true);
    let result = played.result("a", Metric::Cycles);
    assert!(result.estimate.is_ok());
    assert_eq!(result.notes, [Note::FewLaunches { launches: 1 }]);
}

#[test]
fn looks_at_the_precision_stay_where_they_were() {
    let common = CaseSettings {
        options: CaseOptions {
            precision: Some(0.5),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    let launches = played(common, |launch| launch % 3 != 0).begun("a");
    assert!(matches!(launches, 20 | 40 | 80), "{launches}");
}

#[test]
fn additions_tell_of_what_the_empty_loop_does_not() {
    let played = worked(CaseSettings::default(), |plan| {
        let mut launch = Model::default().launch(plan);
        contend(
            &mut launch,
            1.0,
            if plan.launch % 4 == 1 { 0.03 } else { 0.0 },
        );
        launch
    });
    let cycles = played.result("a", Metric::Cycles);
    assert_eq!(
        (cycles.launches, cycles.notes.clone()),
        (15, vec![discarded(5)])
    );
}

#[test]
fn a_launch_that_begins_contended_ends_at_once_and_costs_little() {
    let starts = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&starts);
    let played = worked(CaseSettings::default(), move |plan| {
        let mut launch = Model::default().launch(plan);
        if plan.case == "a" {
            seen.borrow_mut().push(plan.contended_from);
            if plan.launch % 2 == 1 {
                contend(&mut launch, 1.9, 0.0);
                if plan.contended_from.is_some() {
                    launch.batches = tourbillon_record::Batches::default();
                    launch.launch_ticks = 100;
                }
            }
        }
        launch
    });
    // What the loop costs is learnt from three launches, and from more where one of these was contended.
    let starts = starts.borrow();
    assert_eq!(starts[..3], [None; 3]);
    assert!(starts[6..].iter().all(|from| *from == Some(1_200)));
    let time = played.result("a", Metric::Time);
    assert_eq!((time.launches, time.scope), (12, Scope::Processes));
}

#[test]
fn time_that_was_asked_for_is_measured_under_contention_too() {
    let starts = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&starts);
    let long = CaseSettings {
        options: CaseOptions {
            min_time_ns: Some(1_000_000_000),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    worked(long, move |plan| {
        seen.borrow_mut().push(plan.contended_from);
        Model::default().launch(plan)
    });
    assert!(starts.borrow().iter().all(Option::is_none));
}

#[test]
fn threads_of_the_benchmark_are_no_contention() {
    let played = worked(CaseSettings::default(), |plan| {
        let mut launch = Model::default().launch(plan);
        contend(&mut launch, 1.5, 0.03);
        launch.threads = Some(3);
        launch
    });
    let time = played.result("a", Metric::Time);
    assert_eq!((time.launches, time.scope), (20, Scope::Processes));
    assert_eq!(time.notes, []);
}

/// Launches that a case gets if two of three are contended, and every process takes so long to start.
fn begun_with_starts_of(start_ns: u64) -> usize {
    let played = play(
        &["a"],
        &settings(CaseSettings::default()),
        move |plan, act| {
            let mut launch = Model::default().launch(plan);
            if plan.launch % 3 != 1 {
                contend(&mut launch, 1.5, 0.0);
            }
            act(Act::Work(start_ns));
            act(Act::Work(frequency().nanos(launch.launch_ticks)));
            act(Act::Say(Frame::Launch(Box::new(launch))));
            act(Act::Say(Frame::Bye));
            act(Act::End(Ending::Exited(0)));
        },
    );
    played.begun("a")
}

#[test]
fn slow_starts_of_processes_leave_time_for_repeated_launches() {
    // Twenty launches of 1.6 ms, of 200 ms: 12 of 36 are not contended.
    assert_eq!(begun_with_starts_of(0), 35);
    // Starts that come out of the time for batches count ..
    let usual = begun_with_starts_of(5_000_000);
    assert!((21..35).contains(&usual), "{usual}");
    // .. and others do not, although twenty of them take longer than the case may.
    assert_eq!(begun_with_starts_of(12_000_000), 35);
}
