//! What another program finds out about ops by following their workers, after all that is timed: their instructions, and
//! events. It is the subcommand, so that bench programs do not link how.

use tourbillon_record::{Entry, FaultKind, Followed, Metric, Note, Plan};

use crate::runner::case_progress::CaseProgress;
use crate::runner::observer::{Observer, RunClock};
use crate::runner::run_worker::{WorkerOutcome, run_worker};
use crate::runner::settings::Settings;
use crate::runner::silence::{SILENCE_NS, limit_ns};
use crate::runner::worker::SpawnWorker;

/// How long following may take once a worker has come to its ops, in nanoseconds: for a busy machine.
pub const STEPPING_NS: u64 = 20_000_000_000;
/// Time for the batches of a launch in which events are counted, in nanoseconds.
const COUNTING_NS: u64 = 20_000_000;
/// Where nothing is stepped.
pub const NOT_HERE: &str = "instructions are stepped on Linux on x86-64 only";

/// Has every case that could be measured followed. False when a signal stops the run.
pub(crate) fn follow_all(
    cases: &mut [CaseProgress<'_>],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> bool {
    let counters = spawner.counters().to_vec();
    for case in cases.iter_mut().filter(|case| !case.made.is_empty()) {
        // All that its worker does is silence.
        let limit =
            limit_ns(case.settings.options.timeout_ns, SILENCE_NS).saturating_add(STEPPING_NS);
        for plan in plans(settings, &case.case.id, &counters) {
            let why = match run_worker(&plan, Some(limit), spawner, run_clock) {
                WorkerOutcome::Interrupted => return false,
                WorkerOutcome::Followed(followed) => {
                    for launch in &followed.launches {
                        observer.entry(Entry::Stepped(launch));
                    }
                    case.followed.push(*followed);
                    continue;
                }
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
            let notes = vec![absence(&plan, why)];
            case.followed.push(Followed {
                notes,
                ..Followed::default()
            });
        }
    }
    true
}

/// What is asked about a case.
fn plans(settings: &Settings, case: &str, counters: &[Metric]) -> Vec<Plan> {
    let mut plans = Vec::new();
    if counters.contains(&Metric::Instructions) {
        plans.push(step_plan(settings, case));
    }
    let names = counters.iter().filter(|metric| metric.is_event());
    let names: Vec<&str> = names.map(|metric| metric.name()).collect();
    if !names.is_empty() {
        plans.push(count_plan(settings, case, &names.join(",")));
    }
    plans
}

/// What the worker of a case is asked to do to be stepped: the same in all runs.
pub fn step_plan(settings: &Settings, case: &str) -> Plan {
    Plan {
        stepped: Some(true),
        seed: 0,
        // The clock that is watched is the system's.
        tick_hz: 1_000_000_000,
        ..settings.plan(case, 0, None, COUNTING_NS)
    }
}

/// What it is asked to do where events are counted.
pub fn count_plan(settings: &Settings, case: &str, names: &str) -> Plan {
    Plan {
        events: Some(names.to_owned()),
        ..step_plan(settings, case)
    }
}

/// Why what a plan asks for is not known.
fn absence(plan: &Plan, why: String) -> Note {
    match &plan.events {
        Some(names) => Note::EventsAbsent {
            why: format!("{names}: {why}"),
        },
        None => Note::NotStepped { why },
    }
}

/// What to do if the program that steps does so otherwise than this one expects.
fn other_stepper(what: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "cargo-tourbillon, which steps ops, {what}; install version {version}, that of tourbillon here"
    )
}
