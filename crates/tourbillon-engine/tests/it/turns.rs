//! Two workers that take turns.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{Drive, Iterated, Peer, Silent, Suite, Visitor, take_turns};
use tourbillon_record::{BatchShape, Case, CaseOptions, FaultKind, Frame, Plan, Rounds};

use crate::stage::{FIXED, about, plan, script};

/// One case that takes so many ticks an op.
struct Cost<'c> {
    script: &'c Script,
    cost: u64,
}

impl Suite for Cost<'_> {
    fn visit(&self, visitor: &mut dyn Visitor) {
        let case = Case {
            id: "case".to_owned(),
            ..Case::default()
        };
        let mut body = |driver: &mut dyn Drive| {
            let mut arm = Iterated::new(|| self.script.advance(self.cost), |()| Ok(()));
            driver.drive(&mut arm, about());
            Ok(())
        };
        let _: ControlFlow<()> = visitor.case(&case, &CaseOptions::default(), &mut body);
    }
}

/// The two ends of a pair of channels.
struct End {
    input: Receiver<bool>,
    output: Sender<bool>,
}

impl Peer for End {
    fn wait(&mut self) -> Result<bool, String> {
        let over = self.input.recv().map_err(|_| "gone".to_owned())?;
        Ok(!over)
    }

    fn pass(&mut self, over: bool) -> Result<(), String> {
        self.output.send(over).map_err(|_| "gone".to_owned())
    }
}

fn ends() -> [End; 2] {
    let (to_second, from_first) = channel();
    let (to_first, from_second) = channel();
    [
        End {
            input: from_second,
            output: to_second,
        },
        End {
            input: from_first,
            output: to_first,
        },
    ]
}

const LENGTH: BatchShape = BatchShape {
    windows: 1,
    items: 400,
    unroll: 8,
    slope: true,
};

fn turn_plan(budget_ns: u64) -> Plan {
    Plan {
        batch_shape: Some(LENGTH),
        budget_ns,
        ..plan("case", 3)
    }
}

fn side(plan: &Plan, side: u8, cost: u64, mut end: End) -> Vec<Frame> {
    let script = script();
    let suite = Cost {
        script: &script,
        cost,
    };
    let clock = Clock::scripted(&script);
    let mut frames = Vec::new();
    take_turns(
        &suite,
        plan,
        side,
        &clock,
        &Silent,
        &mut end,
        &mut |frame| frames.push(frame),
    );
    frames
}

/// What both sides say. Each has a clock of its own that stands still while the other runs.
fn both(plan: &Plan) -> [Vec<Frame>; 2] {
    let [first, second] = ends();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| side(plan, 1, 33, second));
        let own = side(plan, 0, 30, first);
        [own, other.join().expect("no panic")]
    })
}

fn rounds(frames: &[Frame]) -> Rounds {
    match frames.last() {
        Some(Frame::Rounds(rounds)) => (**rounds).clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_records_of_one_order_make_a_comparison() {
    let plan = turn_plan(2_000_000);
    let [own, other] = both(&plan).map(|frames| rounds(&frames));
    assert_eq!((&own.round, &own.arm), (&other.round, &other.arm));
    assert!(own.round.len() >= 16, "{own:?}");
    let mut firsts = [0; 2];
    for (index, arm) in own.arm.iter().enumerate() {
        let cost = [30, 33][usize::from(*arm)];
        let ticks = LENGTH.items * cost + FIXED;
        let expected = if *arm == 0 { [ticks, 0] } else { [0, ticks] };
        assert_eq!([own.ticks[index], other.ticks[index]], expected);
        firsts[usize::from(*arm)] += usize::from(index % 2 == 0);
        // Both arms once in every round.
        assert_eq!(own.round[index], index as u64 / 2);
        assert!(index % 2 == 0 || own.arm[index - 1] != *arm);
    }
    // The order is drawn: neither arm is always the first.
    assert!(firsts[0] > 0 && firsts[1] > 0, "{firsts:?}");
    assert_eq!(
        (own.fixed_ticks, other.fixed_ticks),
        (vec![FIXED], vec![FIXED])
    );
    assert_eq!(
        (own.ops, other.ops),
        (vec![LENGTH.items], vec![LENGTH.items])
    );
    assert_eq!(
        (own.cases.len(), own.pids.len(), own.first_call_ticks.len()),
        (1, 1, 1)
    );
}

#[test]
fn the_order_follows_the_seed() {
    let orders = [3, 3, 4].map(|seed| {
        let plan = Plan {
            seed,
            ..turn_plan(2_000_000)
        };
        rounds(&both(&plan)[1]).arm
    });
    assert_eq!(orders[0], orders[1]);
    assert_ne!(orders[0][..16], orders[2][..16]);
}

#[test]
fn each_side_shows_when_it_is_ready() {
    for frames in both(&turn_plan(1_000_000)) {
        assert!(matches!(frames[0], Frame::Progress { .. }), "{frames:?}");
    }
}

#[test]
fn no_two_long_calls_come_between_two_signs_of_life() {
    const CALL: u64 = 1_000_000_000;
    let plan = Plan {
        batch_shape: Some(BatchShape {
            items: 1,
            unroll: 1,
            ..LENGTH
        }),
        ..turn_plan(4 * CALL)
    };
    let signs = |number: u8, mut end: End| {
        let script = script();
        let suite = Cost {
            script: &script,
            cost: CALL,
        };
        let clock = Clock::scripted(&script);
        let mut signs = Vec::new();
        take_turns(
            &suite,
            &plan,
            number,
            &clock,
            &Silent,
            &mut end,
            &mut |_| {
                signs.push(clock.now().0);
            },
        );
        signs
    };
    let [first, second] = ends();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| signs(1, second));
        for signs in [signs(0, first), other.join().expect("no panic")] {
            assert!(signs.len() > 4, "{signs:?}");
            for pair in signs.windows(2) {
                assert!(pair[1] - pair[0] < 2 * CALL, "{signs:?}");
            }
        }
    });
}

#[test]
fn a_side_whose_peer_is_gone_is_a_fault() {
    let [first, second] = ends();
    drop(first);
    let frames = side(&turn_plan(1_000_000), 1, 30, second);
    let Some(Frame::Fault(fault)) = frames.last() else {
        panic!("{frames:?}");
    };
    assert_eq!(
        (&fault.kind, fault.message.as_str()),
        (&FaultKind::Error, "gone")
    );
}

#[test]
fn a_length_is_needed() {
    let [first, _second] = ends();
    let plan = Plan {
        batch_shape: None,
        ..turn_plan(1_000_000)
    };
    let frames = side(&plan, 0, 30, first);
    let Some(Frame::Fault(fault)) = frames.last() else {
        panic!("{frames:?}");
    };
    assert!(fault.message.contains("no batch length"), "{fault:?}");
}
