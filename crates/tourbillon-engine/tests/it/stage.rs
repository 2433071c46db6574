//! What the tests stand on: a scripted clock, a suite of closures, and plans for them.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{About, Arm, Drive, Silent, Suite, Visitor, run_launch};
use tourbillon_record::{Case, CaseOptions, Frame, LaunchSamples, Plan};

/// Ticks per second of the scripted clock: a nanosecond each.
pub(crate) const HZ: u64 = 1_000_000_000;

/// What the two readings around a region leave inside it.
pub(crate) const FIXED: u64 = 20;

/// A clock that only moves when it is read or moved.
pub(crate) fn script() -> Script {
    Script::new().hz(HZ).read_cost(10, 10).core_cycle(0.25)
}

/// A plan for `case`, as the coordinator makes it by default, with `seed`.
pub(crate) fn plan(case: &str, seed: u64) -> Plan {
    Plan {
        case: case.to_owned(),
        launch: 0,
        seed,
        clock: "scripted".to_owned(),
        tick_hz: HZ,
        budget_ns: 6_000_000,
        batch_ns: 100_000,
        min_iterations: 0,
        window_items: tourbillon_engine::WINDOW_ITEMS,
        window_bytes: 256 * 1024,
        batch_shape: None,
        turns: None,
        memory: false,
        stepped: None,
        events: None,
        metric: None,
        contended_from: None,
        core_kind: None,
    }
}

pub(crate) fn about() -> About {
    About {
        terminal: "iter",
        drop_inside: false,
        isolated: false,
        ops_per_iteration: 1,
        throughput: None,
        measures: None,
    }
}

/// What a benchmark is here: a function of the driver.
pub(crate) type Body<'b> = Box<dyn FnMut(&mut dyn Drive) -> Result<(), String> + 'b>;

/// Cases with identities of the tests' choosing.
#[derive(Default)]
pub(crate) struct Cases<'b> {
    cases: RefCell<Vec<(Case, Body<'b>)>>,
}

impl<'b> Cases<'b> {
    /// With one more case.
    pub(crate) fn with(
        self,
        id: &str,
        body: impl FnMut(&mut dyn Drive) -> Result<(), String> + 'b,
    ) -> Self {
        let case = Case {
            id: id.to_owned(),
            ..Case::default()
        };
        self.cases.borrow_mut().push((case, Box::new(body)));
        self
    }
}

impl Suite for Cases<'_> {
    fn visit(&self, visitor: &mut dyn Visitor) {
        for (case, body) in self.cases.borrow_mut().iter_mut() {
            if let ControlFlow::Break(()) = visitor.case(case, &CaseOptions::default(), body) {
                return;
            }
        }
    }
}

/// The frames of a launch.
pub(crate) fn frames(suite: &dyn Suite, plan: &Plan, script: &Script) -> Vec<Frame> {
    let mut frames = Vec::new();
    let clock = Clock::scripted(script);
    run_launch(suite, plan, &clock, &Silent, &mut |frame| {
        frames.push(frame);
    });
    frames
}

/// The samples of one arm on the scripted clock.
pub(crate) fn launched(
    arm: &mut dyn Arm,
    about: About,
    plan: &Plan,
    script: &Script,
) -> LaunchSamples {
    let clock = Clock::scripted(script);
    tourbillon_engine::measure(arm, about, plan, &clock, &mut |_| ()).expect("the body is fine")
}

/// Samples of one relative length.
pub(crate) fn of_kind(launch: &LaunchSamples, kind: u8) -> Vec<u64> {
    let batches = &launch.batches;
    batches
        .kind
        .iter()
        .zip(&batches.ticks)
        .filter(|(k, _)| **k == kind)
        .map(|(_, t)| *t)
        .collect()
}
