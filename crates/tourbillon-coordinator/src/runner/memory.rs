//! The memory launches of a run, after the timed ones, which they would disturb.

use tourbillon_record::{BatchShape, Entry, Fault, FaultKind, Memory, Plan};

use crate::runner::budget::Starts;
use crate::runner::case_progress::CaseProgress;
use crate::runner::observer::{Observer, RunClock};
use crate::runner::run_worker::{WorkerOutcome, run_worker};
use crate::runner::settings::Settings;
use crate::runner::worker::SpawnWorker;

/// Memory launches of a case: the second shows whether the first was chance.
const LAUNCHES: u32 = 2;

/// A memory launch takes at most one part in this many of a case's budget.
const SHARE: u64 = 8;

/// Makes one or two more launches of every case that could be measured, to count. False when a signal stops the run.
pub(crate) fn count_all(
    cases: &mut [CaseProgress<'_>],
    settings: &Settings,
    starts: Starts,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
    observer: &mut dyn Observer,
) -> bool {
    for case in cases.iter_mut().filter(|case| !case.made.is_empty()) {
        for launch in 0..LAUNCHES {
            let budget = case.settings.budget();
            let budget_ns = case.batches_ns(starts).min(budget / SHARE);
            let before = case.memory.launches.first();
            let plan = memory_plan(settings, &case.case.id, launch, before, budget_ns);
            let why = match run_worker(&plan, case.settings.options.timeout_ns, spawner, run_clock)
            {
                WorkerOutcome::Interrupted => return false,
                WorkerOutcome::Memory(memory) => {
                    observer.entry(Entry::Memory(&memory));
                    let is_cheap = memory.launch_ns <= budget;
                    let is_counted = memory.counts.is_ok();
                    case.memory.launches.push(*memory);
                    if is_counted && is_cheap {
                        continue;
                    }
                    break;
                }
                WorkerOutcome::Fault(fault) => not_counted(&fault),
                WorkerOutcome::Launch(_) | WorkerOutcome::Followed(_) => {
                    "the worker sent other data than counts".to_owned()
                }
            };
            case.memory.failed = Some(why);
            break;
        }
    }
    true
}

/// What the worker of a memory launch is asked to do: the rows of another launch, or as many as fit into
/// a budget.
pub fn memory_plan(
    settings: &Settings,
    case: &str,
    launch: u32,
    rows: Option<&Memory>,
    budget_ns: u64,
) -> Plan {
    Plan {
        memory: true,
        ..settings.plan(case, launch, rows.map(length), budget_ns)
    }
}

/// The rows of a launch, so that another one has the same.
fn length(memory: &Memory) -> BatchShape {
    let steady = memory.iterations.get(1..).unwrap_or_default();
    let singles = steady.iter().filter(|iterations| **iterations == 1);
    // The last row is twice as long as the one before, or stands alone.
    let items = match *steady {
        [.., 1, last] => last,
        [.., before, last] if last > 1 => before,
        _ => 1,
    };
    BatchShape {
        windows: singles.count() as u64,
        items,
        unroll: 1,
        slope: items > 1,
    }
}

/// Why nothing was counted, by the fault of a memory launch.
pub fn not_counted(fault: &Fault) -> String {
    let kind = fault.kind.name().replace('_', " ");
    match (&fault.kind, fault.message.is_empty()) {
        (FaultKind::Spawn, _) => fault.message.clone(),
        (_, true) => kind,
        (_, false) => format!("{kind}: {}", fault.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_launch_has_the_same_rows() {
        let rows = |iterations: &[u64]| {
            let memory = Memory {
                iterations: iterations.to_vec(),
                ..Memory::default()
            };
            let length = length(&memory);
            (length.windows, length.items)
        };
        assert_eq!(rows(&[1]), (0, 1));
        assert_eq!(rows(&[1, 1]), (1, 1));
        assert_eq!(rows(&[1, 1, 1, 1, 1]), (4, 1));
        assert_eq!(rows(&[1, 1, 1, 1, 1, 16]), (4, 16));
        assert_eq!(rows(&[1, 1, 1, 1, 1, 16, 256, 512]), (4, 256));
    }
}
