//! Faults of launches, by what happened to their workers.

use tourbillon_os::Ending;
use tourbillon_record::{Fault, FaultKind, Plan, SourceLocation};

/// Message and place of a panic that a worker has reported, if any.
pub type Panic = Option<(String, Option<SourceLocation>)>;

/// A fault of the launch of a plan.
pub fn fault(plan: &Plan, kind: FaultKind, message: &str) -> Fault {
    Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind,
        message: message.to_owned(),
        ..Fault::default()
    }
}

/// A worker that broke the protocol.
pub fn protocol(plan: &Plan, what: &str) -> Fault {
    fault(plan, FaultKind::Protocol, what)
}

/// A fault that a worker has reported. Only the panic hook knows where a caught panic started.
pub fn reported(mut fault: Fault, plan: &Plan, panic: Panic) -> Fault {
    // Whatever names the worker gives, this was its launch.
    fault.case.clone_from(&plan.case);
    fault.launch = plan.launch;
    if fault.kind == FaultKind::Panic && fault.location.is_none() {
        add_panic(&mut fault, panic);
    }
    fault
}

/// Makes a fault that of a panic, if there was one.
fn add_panic(fault: &mut Fault, panic: Panic) {
    if let Some((message, location)) = panic {
        fault.kind = FaultKind::Panic;
        fault.message = message;
        fault.location = location;
    }
}

/// A worker that was silent for too long. The reason may be a panic: another thread waits for the one that is
/// gone.
pub(crate) fn hung(plan: &Plan, silence_ns: u64, stage: &str, panic: Panic) -> Fault {
    let kind = FaultKind::Hang(silence_ns / 1_000_000);
    let mut fault = fault(plan, kind, stage);
    if let Some((message, location)) = panic {
        fault.message = format!("{stage}, after a panic: {message}");
        fault.location = location;
    }
    fault
}

/// A worker that ended before its samples came.
pub fn ended(plan: &Plan, ending: Ending, stage: &str, panic: Panic) -> Fault {
    let (kind, message) = match ending {
        Ending::Exited(code) => (FaultKind::Exit(code), stage),
        Ending::Signalled(signal) => (FaultKind::Signal(signal), stage),
        Ending::NotSeen => (FaultKind::Protocol, "the worker did not end"),
    };
    let mut fault = fault(plan, kind, message);
    // A panic ends a process with 101 from main, or aborts it where it may not unwind. A process that ended in
    // another way had caught its panic.
    if ending == Ending::Exited(101) || ending.is_abort() {
        add_panic(&mut fault, panic);
    }
    fault
}
