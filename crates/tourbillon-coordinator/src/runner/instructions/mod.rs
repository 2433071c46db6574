//! The instructions of ops, which a worker executes one by one under this process: on Linux on x86-64 alone.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod call_tree;
mod failure;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod launch;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod opcode;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stepper;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod steps_file;

use std::ops::ControlFlow;
use std::path::PathBuf;

use tourbillon_record::{Entry, Plan, Stepped};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use self::failure::not_stepped;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use self::launch::stepped_launch;
use crate::runner::case_progress::CaseProgress;
use crate::runner::observer::{Observer, RunClock};
use crate::runner::settings::Settings;
use crate::runner::worker::SpawnWorker;

/// The folder for what each instruction of an op was, a file for each case: set by the subcommand alone.
pub const STEPS_FOLDER: &str = "TOURBILLON_STEPS";

/// Most instructions of a case, in about 2 s. Not a time, which would allow for others on a busy machine.
const MOST_INSTRUCTIONS: u64 = 150_000;
/// Launches of a case: the second shows what a process draws for itself, as the keys of hash maps.
const LAUNCHES: u32 = 2;

/// Executes ops of every case that could be measured. False when a signal stops the run.
pub(crate) fn step_all(
    cases: &mut [CaseProgress<'_>],
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> bool {
    let folder = std::env::var_os(STEPS_FOLDER).map(PathBuf::from);
    let measured = cases.iter_mut().enumerate();
    for (number, case) in measured.filter(|(_, case)| !case.made.is_empty()) {
        let file = folder
            .as_ref()
            .map(|folder| folder.join(format!("{number}.steps")));
        let plan = step_plan(settings, &case.case.id);
        let timeout_ns = case.settings.options.timeout_ns;
        let ControlFlow::Continue(launches) =
            step_case(&plan, timeout_ns, file, spawner, run_clock)
        else {
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
pub fn step_plan(settings: &Settings, case: &str) -> Plan {
    Plan {
        stepped: Some(true),
        seed: 0,
        ..settings.plan(case, 0, None, 0)
    }
}

/// The stepped launches of a case; breaks when interrupted. `file` is for the instructions of an op.
pub fn step_case(
    plan: &Plan,
    timeout_ns: Option<u64>,
    mut file: Option<PathBuf>,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> ControlFlow<(), Vec<Stepped>> {
    let mut launches: Vec<Stepped> = Vec::new();
    let mut left = MOST_INSTRUCTIONS;
    for launch in 0..LAUNCHES {
        let plan = Plan {
            launch,
            ..plan.clone()
        };
        let stepped = stepped_launch(&plan, timeout_ns, left, file.take(), spawner, run_clock)?;
        let is_counted = stepped.counts.is_ok();
        if let Ok(steps) = &stepped.counts {
            let executed = steps.instructions.iter().chain(&steps.empty);
            left = left.saturating_sub(executed.sum());
        }
        // A second one that there was no room for takes nothing from the first.
        if launch == 0 || is_counted {
            launches.push(stepped);
        }
        if !is_counted {
            break;
        }
    }
    ControlFlow::Continue(launches)
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn stepped_launch(
    plan: &Plan,
    _timeout_ns: Option<u64>,
    _left: u64,
    _file: Option<PathBuf>,
    _spawner: &mut dyn SpawnWorker,
    _run_clock: &dyn RunClock,
) -> ControlFlow<(), Stepped> {
    let why = "instructions are stepped on Linux on x86-64 only";
    ControlFlow::Continue(not_stepped(plan, why.to_owned()))
}
