//! The instructions of ops, which another program executes one by one after all that is timed: the subcommand, so that
//! bench programs do not link how.

use std::ops::ControlFlow;

use tourbillon_record::{Entry, FaultKind, Plan, Stepped};

use crate::runner::case_progress::CaseProgress;
use crate::runner::observer::{Observer, RunClock};
use crate::runner::run_worker::{WorkerOutcome, run_worker};
use crate::runner::settings::Settings;
use crate::runner::silence::{SILENCE_NS, limit_ns};
use crate::runner::worker::SpawnWorker;

/// Launches of a case: the second shows what a process draws for itself, as the keys of hash maps.
const LAUNCHES: u32 = 2;
/// How long stepping may take once a worker has come to its ops, in nanoseconds: for a busy machine.
pub const STEPPING_NS: u64 = 20_000_000_000;
/// Where nothing is stepped.
pub const NOT_HERE: &str = "instructions are stepped on Linux on x86-64 only";

/// Has ops of every case that could be measured stepped. False when a signal stops the run.
pub(crate) fn step_all(
    cases: &mut [CaseProgress<'_>],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> bool {
    for case in cases.iter_mut().filter(|case| !case.made.is_empty()) {
        // All that its worker does is silence.
        let limit =
            limit_ns(case.settings.options.timeout_ns, SILENCE_NS).saturating_add(STEPPING_NS);
        let stepped = step_case(settings, &case.case.id, |plan| {
            let why = match run_worker(plan, Some(limit), spawner, run_clock) {
                WorkerOutcome::Interrupted => return ControlFlow::Break(()),
                WorkerOutcome::Stepped(stepped) => return ControlFlow::Continue(*stepped),
                WorkerOutcome::Fault(fault) => match fault.kind {
                    FaultKind::Spawn => fault.message,
                    FaultKind::Hang(_) => {
                        "it does not come to its ops in time; raise --timeout".to_owned()
                    }
                    FaultKind::Exit(code) => other_stepper(&format!("exits with code {code}")),
                    FaultKind::Signal(number) => other_stepper(&format!("ends by signal {number}")),
                    _ => other_stepper(&format!("fails: {}", fault.message)),
                },
                WorkerOutcome::Launch(_) | WorkerOutcome::Memory(_) => {
                    other_stepper("sends other data")
                }
            };
            ControlFlow::Continue(not_stepped(plan, why))
        });
        let ControlFlow::Continue(launches) = stepped else {
            return false;
        };
        for launch in &launches {
            observer.entry(Entry::Stepped(launch));
        }
        case.stepped = launches;
    }
    true
}

/// What the worker of a case is asked to do: the same in all runs.
pub fn step_plan(settings: &Settings, case: &str, launch: u32) -> Plan {
    Plan {
        stepped: Some(true),
        seed: 0,
        ..settings.plan(case, launch, None, 0)
    }
}

/// The stepped launches of a case, each made by `step`; breaks where that does.
pub fn step_case(
    settings: &Settings,
    case: &str,
    mut step: impl FnMut(&Plan) -> ControlFlow<(), Stepped>,
) -> ControlFlow<(), Vec<Stepped>> {
    let mut launches = Vec::new();
    for launch in 0..LAUNCHES {
        let stepped = step(&step_plan(settings, case, launch))?;
        let is_counted = stepped.counts.is_ok();
        // A later one that is not counted takes nothing from the first.
        if launch == 0 || is_counted {
            launches.push(stepped);
        }
        if !is_counted {
            break;
        }
    }
    ControlFlow::Continue(launches)
}

/// A launch without counts.
pub fn not_stepped(plan: &Plan, why: String) -> Stepped {
    Stepped {
        case: plan.case.clone(),
        launch: plan.launch,
        counts: Err(why),
        ..Stepped::default()
    }
}

/// What to do if the program that steps does so otherwise than this one expects.
fn other_stepper(what: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "cargo-tourbillon, which steps ops, {what}; install version {version}, that of tourbillon here"
    )
}
