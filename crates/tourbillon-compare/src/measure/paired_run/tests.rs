//! Pairs of workers of two builds that take turns, and what goes wrong with one of them.

use tourbillon_coordinator::runner::{
    Act, Draw, Ending, InMemory, PEER_GONE, ScriptedRunClock, SpawnWorker,
};
use tourbillon_record::{Calls, Fault, FaultKind, Frame, Plan, Rounds};

use super::{PairedRun, Silence, paired_run};

const SECOND: u64 = 1_000_000_000;
/// A silence that counts as a hang in these tests.
const TIMEOUT: u64 = 2 * SECOND;

fn plan() -> Plan {
    Plan {
        case: "c".to_owned(),
        seed: 7,
        ..Plan::default()
    }
}

/// A paired run of two workers that do so.
fn ended_by(first: &[Act], second: &[Act]) -> PairedRun {
    let asked = Silence {
        requested_ns: Some(TIMEOUT),
        else_ns: None,
    };
    ended_with(asked, first, second)
}

fn ended_with(silence: Silence, first: &[Act], second: &[Act]) -> PairedRun {
    let run_clock = ScriptedRunClock::new();
    let plans = [plan(), plan()];
    let workers = [first, second].map(|acts| {
        let acts = acts.to_vec();
        let mut spawner = InMemory::new(&run_clock, move |_, _, act| {
            acts.iter().cloned().for_each(&mut *act);
        });
        spawner.spawn(&plans[0], &Draw::default()).unwrap()
    });
    paired_run(workers, &plans, silence, &run_clock)
}

fn began() -> Act {
    Act::Say(Frame::Progress {
        first_call_ns: 10,
        timeout_ns: None,
    })
}

fn reports(kind: FaultKind, message: &str) -> Act {
    Act::Say(Frame::Fault(Fault {
        case: "c".to_owned(),
        launch: 0,
        kind,
        message: message.to_owned(),
        location: None,
        stderr: String::new(),
        unknown: String::new(),
    }))
}

/// What a worker reports at the end, of whose two batches those with ticks are its own.
fn rounds(ticks: [u64; 2]) -> Act {
    let plan = plan();
    Act::Say(Frame::Rounds(Box::new(Rounds {
        cases: vec![plan.case],
        seed: plan.seed,
        ops: vec![1],
        round: vec![0, 0],
        arm: vec![0, 1],
        ticks: ticks.to_vec(),
        ..Rounds::default()
    })))
}

fn blamed(run: PairedRun) -> (usize, FaultKind, String) {
    match run {
        PairedRun::Fault(side, fault) => (side, fault.kind, fault.message),
        other => panic!("no fault: {other:?}"),
    }
}

#[test]
fn the_samples_of_both_are_one_record() {
    let PairedRun::Rounds(rounds) =
        ended_by(&[began(), rounds([5, 0])], &[began(), rounds([0, 7])])
    else {
        panic!("no samples");
    };
    assert_eq!((rounds.ticks, rounds.ops), (vec![5, 7], vec![1, 1]));
}

#[test]
fn calls_that_one_side_times_are_kept() {
    let timed = |ticks| {
        let Act::Say(Frame::Rounds(mut report)) = rounds(ticks) else {
            panic!("no rounds");
        };
        report.calls = Some(vec![Calls {
            ticks: vec![5],
            count: vec![1],
            ..Calls::default()
        }]);
        Act::Say(Frame::Rounds(report))
    };
    let calls = |first, second| match ended_by(&[began(), first], &[began(), second]) {
        PairedRun::Rounds(rounds) => {
            let calls = rounds.calls?;
            Some(calls.iter().map(Calls::calls).collect::<Vec<_>>())
        }
        other => panic!("no samples: {other:?}"),
    };
    let (first, second) = ([5, 0], [0, 7]);
    assert_eq!(calls(timed(first), timed(second)), Some(vec![1, 1]));
    assert_eq!(calls(timed(first), rounds(second)), Some(vec![1, 0]));
    assert_eq!(calls(rounds(first), timed(second)), Some(vec![0, 1]));
    assert_eq!(calls(rounds(first), rounds(second)), None);
}

#[test]
fn the_side_that_hangs_in_its_first_call_is_known() {
    let hang = FaultKind::Hang(2_250);
    let (side, kind, _) = blamed(ended_by(&[], &[]));
    assert_eq!((side, &kind), (0, &hang));
    let (side, kind, _) = blamed(ended_by(&[began()], &[]));
    assert_eq!((side, kind), (1, hang));
}

/// A case that sets how long it may be silent.
fn has_timeout(seconds: u64) -> Act {
    Act::Say(Frame::Progress {
        first_call_ns: 0,
        timeout_ns: Some(seconds * SECOND),
    })
}

#[test]
fn the_timeout_of_the_case_holds_where_none_was_asked_for() {
    let long = Silence {
        requested_ns: None,
        else_ns: Some(200 * SECOND),
    };
    let asked = Silence {
        requested_ns: Some(TIMEOUT),
        ..long
    };
    let hangs = |silence, first: &[Act], second: &[Act]| {
        let (side, kind, _) = blamed(ended_with(silence, first, second));
        assert_eq!(side, 1);
        match kind {
            // A quarter of a second more where a timeout holds: see `limit_ns`.
            FaultKind::Hang(milliseconds) => milliseconds / 1_000,
            other => panic!("{other:?}"),
        }
    };
    let (one, three) = ([has_timeout(1), began()], [has_timeout(3), began()]);
    assert_eq!(hangs(Silence::default(), &[began()], &[]), 30);
    assert_eq!(hangs(Silence::default(), &one, &[has_timeout(1)]), 1);
    assert_eq!(hangs(long, &[began()], &[began()]), 200);
    assert_eq!(hangs(long, &one, &one), 1);
    assert_eq!(hangs(asked, &three, &three), 2);
    // Of two, the longer one, and that of one build where the other has none.
    assert_eq!(hangs(Silence::default(), &one, &three), 3);
    assert_eq!(hangs(Silence::default(), &three, &one), 3);
    assert_eq!(hangs(Silence::default(), &[began()], &[has_timeout(1)]), 1);
}

#[test]
fn the_side_that_hangs_later_does_not_notice_the_others_end() {
    // The second is silent as long as the first is there.
    let gone = [
        began(),
        Act::Work(TIMEOUT),
        reports(FaultKind::Error, PEER_GONE),
    ];
    let (side, kind, message) = blamed(ended_by(&[began()], &gone));
    assert_eq!((side, kind), (0, FaultKind::Hang(2_250)));
    assert_eq!(message, "while the two builds took turns");
    let (side, ..) = blamed(ended_by(&[began()], &[began()]));
    assert_eq!(side, 1);
    let stop = [began(), Act::Work(TIMEOUT), Act::Interrupt];
    assert!(matches!(
        ended_by(&[began()], &stop),
        PairedRun::Interrupted
    ));
}

#[test]
fn a_side_is_asked_once_more_before_it_hangs() {
    // The first stays silent; the second speaks when it is listened to for the second time and again
    // after the limit, while the first is listened to.
    let late = TIMEOUT / 16;
    let second = [
        began(),
        Act::Work(late),
        Act::Stop(100 * TIMEOUT),
        rounds([0, 7]),
    ];
    let first = [began(), Act::Work(TIMEOUT), rounds([5, 0])];
    let run = ended_by(&first, &second);
    assert!(matches!(run, PairedRun::Rounds(_)), "{run:?}");
}

#[test]
fn that_the_other_is_gone_is_a_consequence() {
    let gone = [reports(FaultKind::Error, PEER_GONE)];
    let own = [reports(FaultKind::Error, "no such file")];
    for (first, second, side) in [(&own, &gone, 0), (&gone, &own, 1)] {
        let (blamed, kind, message) = blamed(ended_by(first, second));
        assert_eq!((blamed, kind), (side, FaultKind::Error));
        assert_eq!(message, "no such file");
    }
    let killed = [began(), Act::End(Ending::Signalled(9))];
    for (first, second, side) in [(&killed[..], &gone[..], 0), (&gone, &killed, 1)] {
        let (blamed, kind, _) = blamed(ended_by(first, second));
        assert_eq!((blamed, kind), (side, FaultKind::Signal(9)));
    }
}

#[test]
fn two_that_keep_to_different_orders_are_not_compared() {
    let mut other = rounds([0, 7]);
    if let Act::Say(Frame::Rounds(rounds)) = &mut other {
        rounds.arm = vec![1, 0];
    }
    let (_, kind, message) = blamed(ended_by(&[rounds([5, 0])], &[other]));
    assert_eq!(kind, FaultKind::Protocol);
    assert_eq!(message, "the two workers did not keep to one order");
}
