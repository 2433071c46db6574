//! A comparison of cases in one worker.

use tourbillon_record::{Against, Fault, FaultKind, Plan, Rounds};

use crate::attempt::{Attempt, attempt, fault};
use crate::plan::{draw, plan};
use crate::schedule::Turn;
use crate::{Hire, Settings, Terms, Watch};

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Contest {
    /// The samples.
    Rounds(Box<Rounds>),
    /// No samples, and why.
    Fault(Fault),
    /// The run was told to stop.
    Interrupted,
}

/// Has a worker measure `rivals` beside `reference`, batch by batch, for at most `budget_ns`.
///
/// `#[inline]`: compiled into the programs that compare, not into every bench binary.
#[inline]
pub fn contest(
    reference: &str,
    rivals: Vec<String>,
    budget_ns: u64,
    terms: Terms,
    settings: &Settings,
    hire: &mut dyn Hire,
    watch: &dyn Watch,
) -> Contest {
    let plan = contest_plan(reference, rivals, budget_ns, terms, settings);
    if hire.interrupted() {
        return Contest::Interrupted;
    }
    let mut worker = match hire.hire(&plan, &draw(&plan)) {
        Ok(worker) => worker,
        Err(error) => {
            return Contest::Fault(fault(&plan, FaultKind::Spawn, &error.to_string()));
        }
    };
    let timeout_ns = settings.of(reference).timeout_ns;
    let came = attempt(&mut *worker, &plan, timeout_ns, watch);
    let left = worker.dismiss();
    match came {
        Attempt::Rounds(rounds) => Contest::Rounds(rounds),
        Attempt::Interrupted => Contest::Interrupted,
        Attempt::Fault(mut fault) => {
            if fault.stderr.is_empty() {
                fault.stderr = left.stderr;
            }
            Contest::Fault(fault)
        }
        // `attempt` takes nothing but rounds for a plan that asks for them.
        Attempt::Visit(_) => Contest::Interrupted,
    }
}

/// What the worker of a comparison is asked to do.
#[inline]
fn contest_plan(
    reference: &str,
    rivals: Vec<String>,
    budget_ns: u64,
    terms: Terms,
    settings: &Settings,
) -> Plan {
    let turn = Turn {
        case: 0,
        launch: 0,
        length: None,
    };
    Plan {
        against: Some(Against {
            cases: rivals,
            margin: terms.margin,
            error: terms.error,
        }),
        ..plan(settings, reference, turn, budget_ns)
    }
}
