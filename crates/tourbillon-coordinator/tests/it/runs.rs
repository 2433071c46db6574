//! Runs without faults: order, plans, lines, budgets, shares.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use tourbillon_analysis::synthetic::{HZ, Model, frequency};
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Dismissal, Draw, Ending, Error, Event, InMemory, RunClock, ScriptedRunClock,
    SpawnWorker, Worker, run,
};
use tourbillon_record::{Absence, CaseOptions, ClockCheck, Frame, Line, Metric, Note, Plan, Scope};

use crate::stage::{Log, cases, measure, play, settings};

const MS: u64 = HZ / 1000;

#[test]
fn every_case_gets_twenty_launches() {
    let played = play(
        &["a", "b", "c"],
        &settings(CaseSettings::default()),
        |plan, act| {
            measure(&Model::default(), plan, act);
        },
    );
    for case in ["a", "b", "c"] {
        assert_eq!(played.begun(case), 20);
        let result = played.result(case, Metric::Time);
        assert_eq!((result.launches, result.scope), (20, Scope::Processes));
        assert_eq!(result.samples, 20 * 40);
    }
    assert!(!played.outcome.interrupted);
    assert_eq!(played.outcome.end.exit_code, 0);
    assert_eq!(played.outcome.end.launches, 60);
    assert!(played.outcome.faults.is_empty());
}

/// A clock that is so many parts per million faster than the system's.
struct Fast(ScriptedRunClock, f64);

impl RunClock for Fast {
    fn now_ns(&self) -> u64 {
        self.0.now_ns()
    }

    fn check(&self) -> Option<ClockCheck> {
        Some(ClockCheck {
            deviation_ppm: self.1,
            bound_ppm: 0.1,
            baseline_ns: 1_000_000_000,
        })
    }
}

#[test]
fn clocks_that_disagree_leave_cycles_and_no_time() {
    let ran = |ppm: f64| {
        let run_clock = Fast(ScriptedRunClock::new(), ppm);
        let mut spawner = InMemory::new(&run_clock.0, |plan, _, act| {
            measure(&Model::default(), plan, act);
        });
        let mut log = Log::default();
        let settings = settings(CaseSettings::default());
        let outcome = run(
            &cases(&["a"]),
            &[],
            &settings,
            &mut spawner,
            &run_clock,
            &mut log,
        );
        (outcome.results, log.lines)
    };
    let (right, _) = ran(499.0);
    let (wrong, lines) = ran(-47_619.0);
    assert_eq!(right.len(), wrong.len());
    for (right, wrong) in right.iter().zip(&wrong) {
        assert!(right.estimate.is_ok(), "{right:?}");
        if right.metric == Metric::Cycles {
            assert_eq!(right, wrong);
            continue;
        }
        assert_eq!(wrong.estimate, Err(Absence::ClocksDisagree));
        let ppm = -47_619.0;
        assert_eq!(wrong.notes, [Note::ClocksDisagree { ppm }]);
        assert_eq!((wrong.lower, wrong.upper, wrong.mean), (None, None, None));
    }
    // As in the record.
    let stored = lines.iter().filter_map(|line| match line {
        Line::Result(result) => Some(result.clone()),
        _ => None,
    });
    assert_eq!(stored.collect::<Vec<_>>(), wrong);
}

#[test]
fn the_first_launch_is_the_pilot_launch_and_the_others_take_its_length() {
    let played = play(
        &["a", "b"],
        &settings(CaseSettings::default()),
        |plan, act| {
            measure(&Model::default(), plan, act);
        },
    );
    for (plan, _) in &played.plans {
        match plan.launch {
            0 => assert_eq!(plan.batch_shape, None),
            _ => assert_eq!(plan.batch_shape.unwrap().items, 1_000),
        }
    }
}

#[test]
fn every_launch_draws_anew_and_every_run_the_same() {
    let ran = || {
        play(
            &["a", "b"],
            &settings(CaseSettings::default()),
            |plan, act| {
                measure(&Model::default(), plan, act);
            },
        )
    };
    let (first, second) = (ran(), ran());
    assert_eq!(first.plans, second.plans);
    assert_eq!(first.outcome, second.outcome);
    let seeds: BTreeSet<u64> = first.plans.iter().map(|(plan, _)| plan.seed).collect();
    assert_eq!(seeds.len(), 40);
    let paddings: BTreeSet<u32> = first
        .plans
        .iter()
        .map(|(_, draw)| draw.environment_bytes)
        .collect();
    assert!(paddings.len() > 35, "{paddings:?}");
    assert!(paddings.last() < Some(&4096));
}

#[test]
fn a_case_has_the_same_seeds_whatever_runs_beside_it() {
    let seeds = |ids: &[&str]| {
        let played = play(ids, &settings(CaseSettings::default()), |plan, act| {
            measure(&Model::default(), plan, act);
        });
        let of_b = played.plans.iter().filter(|(plan, _)| plan.case == "b");
        of_b.map(|(plan, _)| plan.seed).collect::<BTreeSet<u64>>()
    };
    assert_eq!(seeds(&["b"]), seeds(&["a", "b", "c"]));
}

#[test]
fn lines_come_in_the_order_of_the_record() {
    let played = play(
        &["a", "b"],
        &settings(CaseSettings::default()),
        |plan, act| {
            measure(&Model::default(), plan, act);
        },
    );
    let kinds: String = played
        .log
        .lines
        .iter()
        .map(|line| match line {
            Line::Header(_) => 'h',
            Line::Case(_) => 'c',
            Line::Launch(_) => 'l',
            Line::Memory(_) => 'm',
            Line::Stepped(_) => 's',
            Line::Fault(_) => 'f',
            Line::Result(_) => 'r',
            Line::Rounds(_) => 'o',
            Line::Verdict(_) => 'd',
            Line::End(_) => 'e',
        })
        .collect();
    assert_eq!(kinds, format!("cc{}rrrre", "l".repeat(40)));
    let expected: Vec<(usize, usize)> = (0..40).map(|done| (done, 40)).collect();
    assert_eq!(played.log.progress, expected);
}

#[test]
fn a_body_that_does_not_fit_gets_fewer_launches() {
    let model = |case: &str| Model {
        setup_ticks: match case {
            "short" => 0,
            "some" => 18 * MS,
            "eight" => 60 * MS,
            _ => 2_000 * MS,
        },
        ..Model::default()
    };
    let ids = ["short", "some", "eight", "one"];
    let played = play(
        &ids,
        &settings(CaseSettings::default()),
        move |plan, act| {
            measure(&model(&plan.case), plan, act);
        },
    );
    let begun = ids.map(|case| played.begun(case));
    // 20 rounds of 3 ms of batches: 1.6 ms plus the set-up.
    assert_eq!(begun, [20, 10, 8, 3]);
    let one = played.result("one", Metric::Time);
    assert_eq!(one.scope, Scope::Process);
    assert!(one.notes.contains(&Note::Shortened { requested: 20 }));
    assert!(one.notes.contains(&Note::FewLaunches { launches: 3 }));
    assert!(one.lower.is_some() && one.confidence.unwrap() >= 0.99);
    let eight = played.result("eight", Metric::Time);
    assert_eq!(eight.scope, Scope::Processes);
    assert!(eight.notes.contains(&Note::Shortened { requested: 20 }));
    assert!(played.result("short", Metric::Time).notes.is_empty());
}

/// Workers in memory, and what happens to them in order: `+` hired, `>` begins, `-` sent away.
struct Watched {
    workers: InMemory,
    seen: Rc<RefCell<String>>,
}

struct WatchedWorker {
    worker: Box<dyn Worker>,
    seen: Rc<RefCell<String>>,
}

impl SpawnWorker for Watched {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        self.seen.borrow_mut().push('+');
        Ok(Box::new(WatchedWorker {
            worker: self.workers.spawn(plan, draw)?,
            seen: Rc::clone(&self.seen),
        }))
    }
}

impl Worker for WatchedWorker {
    fn begin(&mut self) -> Result<(), Error> {
        self.seen.borrow_mut().push('>');
        self.worker.begin()
    }

    fn next(&mut self, timeout_ns: u64) -> Event {
        self.worker.next(timeout_ns)
    }

    fn dismiss(self: Box<Self>) -> Dismissal {
        self.seen.borrow_mut().push('-');
        self.worker.dismiss()
    }
}

#[test]
fn a_worker_starts_while_another_one_ends_and_begins_when_it_is_gone() {
    let run_clock = ScriptedRunClock::new();
    let seen = Rc::new(RefCell::new(String::new()));
    let workers = InMemory::new(&run_clock, |plan, _draw, act| match plan.launch {
        2 => act(Act::End(Ending::Exited(1))),
        _ => measure(&Model::default(), plan, act),
    });
    let mut spawner = Watched {
        workers,
        seen: Rc::clone(&seen),
    };
    let common = CaseSettings {
        launches: 5,
        ..CaseSettings::default()
    };
    run(
        &cases(&["a"]),
        &[],
        &settings(common),
        &mut spawner,
        &run_clock,
        &mut Log::default(),
    );
    // After a launch that failed no worker waits, for the case may be given up. The last launch is in the
    // place of the one that failed.
    assert_eq!(*seen.borrow(), "+>+->+->-+>+->-+>-");
}

#[test]
fn discarded_launches_leave_the_rest_spread_over_the_run() {
    let played = play(
        &["long", "a", "b", "c"],
        &settings(CaseSettings::default()),
        |plan, act| {
            let setup_ticks = if plan.case == "long" { 60 * MS } else { 0 };
            measure(
                &Model {
                    setup_ticks,
                    ..Model::default()
                },
                plan,
                act,
            );
        },
    );
    let places: Vec<usize> = (0..played.plans.len())
        .filter(|place| played.plans[*place].0.case == "long")
        .collect();
    assert_eq!(places.len(), 8);
    assert!(places[7] > played.plans.len() * 3 / 4, "{places:?}");
}

#[test]
fn settings_of_a_case_go_before_those_of_the_run() {
    let mut settings = settings(CaseSettings::default());
    let own = CaseSettings {
        launches: 3,
        batch_ns: 7,
        options: CaseOptions {
            min_iterations: Some(5),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    settings.overrides.push(("b".to_owned(), own));
    let played = play(&["a", "b"], &settings, |plan, act| {
        measure(&Model::default(), plan, act);
    });
    assert_eq!((played.begun("a"), played.begun("b")), (20, 3));
    for (plan, _) in &played.plans {
        let expected = if plan.case == "b" {
            (7, 5)
        } else {
            (100_000, 1)
        };
        assert_eq!((plan.batch_ns, plan.min_iterations), expected);
    }
}

#[test]
fn the_share_of_time_inside_launches_is_what_the_workers_say() {
    let run_clock = ScriptedRunClock::new();
    let clock = run_clock.clone();
    let mut spawner = InMemory::new(&run_clock, move |plan, _draw, act| {
        let launch = Model::default().launch(plan);
        // A process costs as much again as the launch in it.
        clock.advance(2 * frequency().nanos(launch.launch_ticks));
        act(Act::Say(Frame::Launch(Box::new(launch))));
        act(Act::End(Ending::Exited(0)));
    });
    let mut log = Log::default();
    let settings = settings(CaseSettings::default());
    let end = run(
        &cases(&["a"]),
        &[],
        &settings,
        &mut spawner,
        &run_clock,
        &mut log,
    )
    .end;
    let share = end.launches_ns as f64 / end.wall_ns as f64;
    assert!((share - 0.5).abs() < 1e-6, "{share}");
    assert!(end.batches_ns < end.launches_ns && end.batches_ns > end.launches_ns / 100 * 99);
}

#[test]
fn batches_get_the_time_that_processes_leave() {
    // The budget of the last batches, where a process takes so long to start.
    let budget_at_last = |start_ns: u64, setup_ns: u64| {
        let model = Model {
            setup_ticks: setup_ns * MS / 1_000_000,
            ..Model::default()
        };
        let played = play(
            &["a"],
            &settings(CaseSettings::default()),
            move |plan, act| {
                act(Act::Work(start_ns));
                measure(&model, plan, act);
            },
        );
        assert_eq!(played.begun("a"), 20);
        let budgets: Vec<u64> = played
            .plans
            .iter()
            .map(|(plan, _)| plan.budget_ns)
            .collect();
        // Nothing is known before the first.
        assert_eq!(budgets[0], 5_677_778);
        budgets[19]
    };
    let at_once = budget_at_last(0, 0);
    let usual = budget_at_last(1_300_000, 0);
    let slow = budget_at_last(2_500_000, 0);
    assert!((7_200_000..=7_500_000).contains(&at_once), "{at_once}");
    assert!((6_300_000..6_650_000).contains(&usual), "{usual}");
    assert!((5_080_000..5_430_000).contains(&slow), "{slow}");
    // A set-up is counted once, as what the case needs, and not as part of a start.
    let prepared = budget_at_last(1_300_000, 2_000_000);
    assert!((4_330_000..4_630_000).contains(&prepared), "{prepared}");
}

#[test]
fn a_run_without_any_number_has_an_exit_code() {
    let code = |with_cycles: bool| {
        let run_clock = Fast(ScriptedRunClock::new(), -47_619.0);
        let mut spawner = InMemory::new(&run_clock.0, move |plan, _, act| {
            measure(&Model::default(), plan, &mut |said| match said {
                Act::Say(Frame::Launch(mut launch)) if !with_cycles => {
                    launch.chain = None;
                    act(Act::Say(Frame::Launch(launch)));
                }
                said => act(said),
            });
        });
        let settings = settings(CaseSettings::default());
        let (cases, mut log) = (cases(&["a"]), Log::default());
        let outcome = run(&cases, &[], &settings, &mut spawner, &run_clock, &mut log);
        assert_eq!(outcome.faults, []);
        outcome.end.exit_code
    };
    assert_eq!((code(true), code(false)), (0, 3));
}

#[test]
fn no_cases_are_a_run_without_results() {
    let played = play(&[], &settings(CaseSettings::default()), |_, _| {});
    assert_eq!(played.outcome.results, []);
    assert_eq!(played.outcome.end.exit_code, 0);
    assert!(matches!(played.log.lines[..], [Line::End(_)]));
}
