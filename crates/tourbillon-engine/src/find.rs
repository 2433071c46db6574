//! Cases of a suite: to list them, to try one, to measure one.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Ticks, wall};
use tourbillon_record::{Case, CaseOptions, Fault, FaultKind, Frame, Plan};
use tourbillon_stats::Rng;

use crate::arm::{About, Arm, Drive, Suite, Visitor};
use crate::randomize_layout::redrawn;

/// Calls `take` with all cases of `suite`, in its order.
pub fn each(suite: &dyn Suite, take: &mut dyn FnMut(&Case, &CaseOptions)) {
    struct Each<'t>(&'t mut dyn FnMut(&Case, &CaseOptions));
    impl Visitor for Each<'_> {
        fn case(
            &mut self,
            case: &Case,
            options: &CaseOptions,
            _body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
        ) -> ControlFlow<()> {
            (self.0)(case, options);
            ControlFlow::Continue(())
        }
    }
    suite.visit(&mut Each(take));
}

/// Why a case could not be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The suite has no case of that identity.
    UnknownCase,
    /// The benchmark returned without calling a terminal on its `Bencher`.
    NoTerminal,
    /// The benchmark, or the first call of its body, returned an error.
    Failed(String),
}

/// Runs the body of the case with identity `id` once, through its terminal, in this process.
///
/// # Errors
///
/// What went wrong. A panic goes through to the caller.
pub fn try_once(suite: &dyn Suite, id: &str, clock: &Clock) -> Result<(), Trouble> {
    let mut once = |arm: &mut dyn Arm, _, _, _: &mut dyn FnMut(Frame)| {
        arm.first(clock)?;
        Ok(Frame::Bye)
    };
    search(suite, id, clock, &mut once, &mut |_| ()).map(drop)
}

/// When a launch began.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    pub(crate) ticks: Ticks,
    pub(crate) unix_ns: u64,
}

impl Opened {
    pub(crate) fn now(clock: &Clock) -> Self {
        Self {
            unix_ns: wall::unix_ns(),
            ticks: clock.now(),
        }
    }
}

/// Measures the arm of a case: its samples, or why it failed.
pub(crate) type Measure<'m> = &'m mut (
            dyn FnMut(&mut dyn Arm, About, Opened, &mut dyn FnMut(Frame)) -> Result<Frame, String>
                + Send
        );

/// Has `measure` measure the arm of the case of `plan`, and sends its samples or a fault.
pub(crate) fn find(
    suite: &dyn Suite,
    plan: &Plan,
    clock: &Clock,
    measure: Measure<'_>,
    send: &mut (dyn FnMut(Frame) + Send),
) {
    let mut found = Err(Trouble::UnknownCase);
    redrawn(&mut Rng::new(plan.seed), &mut || {
        found = search(suite, &plan.case, clock, measure, send);
    });
    send(found.unwrap_or_else(|trouble| fault(plan, trouble)));
}

/// The fault of a case that could not be run.
pub(crate) fn fault(plan: &Plan, trouble: Trouble) -> Frame {
    let (kind, message) = match trouble {
        Trouble::Failed(error) => (FaultKind::Error, error),
        Trouble::NoTerminal => (FaultKind::NoTerminal, String::new()),
        Trouble::UnknownCase => (FaultKind::UnknownCase, String::new()),
    };
    Frame::Fault(Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind,
        message,
        ..Fault::default()
    })
}

fn search(
    suite: &dyn Suite,
    id: &str,
    clock: &Clock,
    measure: Measure<'_>,
    send: &mut (dyn FnMut(Frame) + Send),
) -> Result<Frame, Trouble> {
    let mut search = Search {
        id,
        opened: Opened::now(clock),
        clock,
        measure,
        send,
        outcome: Err(Trouble::UnknownCase),
    };
    suite.visit(&mut search);
    search.outcome
}

/// Looks for a case and has its arm measured.
struct Search<'v> {
    id: &'v str,
    clock: &'v Clock,
    measure: Measure<'v>,
    send: &'v mut (dyn FnMut(Frame) + Send),
    opened: Opened,
    outcome: Result<Frame, Trouble>,
}

impl Visitor for Search<'_> {
    fn wants(&self, id: &str) -> bool {
        id == self.id
    }

    fn wants_some(&self, path: &str) -> bool {
        let rest = self.id.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    }

    fn case(
        &mut self,
        case: &Case,
        options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if !self.wants(&case.id) {
            return ControlFlow::Continue(());
        }
        // A coordinator that is another program knows only the name of the case.
        if options.timeout_ns.is_some() {
            (self.send)(Frame::Progress {
                first_call_ns: 0,
                timeout_ns: options.timeout_ns,
            });
        }
        self.opened = Opened::now(self.clock);
        self.outcome = Err(Trouble::NoTerminal);
        if let Err(error) = body(self) {
            self.outcome = Err(Trouble::Failed(error));
        }
        ControlFlow::Break(())
    }
}

impl Drive for Search<'_> {
    fn drive(&mut self, arm: &mut dyn Arm, about: About) {
        let outcome = (self.measure)(arm, about, self.opened, self.send);
        self.outcome = outcome.map_err(Trouble::Failed);
    }

    fn movable(&mut self) -> Option<&mut (dyn Drive + Send)> {
        Some(self)
    }
}
