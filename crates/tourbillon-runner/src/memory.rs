//! The memory visits of a run: behind the timed ones, for they would disturb them.

use tourbillon_analysis::counted;
use tourbillon_record::{BatchShape, CaseResult, Entry, FaultKind, Memory, Note, Plan};

use crate::attempt::{Attempt, attempt};
use crate::plan::{draw, plan};
use crate::run::Run;
use crate::schedule::Turn;
use crate::{Observer, RunClock, Settings, SpawnWorker};

/// Memory visits of a case: the second tells whether the first was chance.
const VISITS: u32 = 2;

/// What part of a case's budget a memory visit takes at most.
const SHARE: u64 = 8;

/// What is known of the memory of a case.
#[derive(Default)]
pub(crate) struct CaseMemory {
    visits: Vec<Memory>,
    /// Why nothing was counted, where a visit failed.
    failed: Option<String>,
}

impl CaseMemory {
    /// Adds the figures, and to the first result, that of the time, why there are none.
    pub(crate) fn add_to(&self, case: &str, results: &mut Vec<CaseResult>) {
        if let Some(why) = self.not_counted() {
            for result in results.iter_mut() {
                if result.metric.is_main() {
                    let why = why.clone();
                    result.notes.push(Note::NotCounted { why });
                }
            }
            return;
        }
        results.extend(counted(case, &self.visits));
    }

    fn not_counted(&self) -> Option<&String> {
        let mut why = self.failed.as_ref();
        for visit in &self.visits {
            why = why.or(visit.counts.as_ref().err());
        }
        why
    }

    /// How long the visits took.
    pub(crate) fn visits_ns(&self) -> u64 {
        let mut sum: u64 = 0;
        for visit in &self.visits {
            sum = sum.saturating_add(visit.visit_ns);
        }
        sum
    }
}

impl Run<'_> {
    /// Visits every case that could be measured once more, to count: once or twice.
    pub(crate) fn count_all(&mut self, spawner: &mut dyn SpawnWorker, observer: &mut dyn Observer) {
        for index in 0..self.cases.len() {
            if self.cases[index].visits.is_empty() {
                continue;
            }
            for launch in 0..VISITS {
                self.interrupted |= spawner.interrupted();
                if self.interrupted {
                    return;
                }
                if !self.count(index, launch, spawner, observer) {
                    break;
                }
            }
        }
    }

    /// Makes a memory visit; says whether another one is wanted.
    fn count(
        &mut self,
        index: usize,
        launch: u32,
        spawner: &mut dyn SpawnWorker,
        observer: &mut dyn Observer,
    ) -> bool {
        let batches_ns = self.batches_ns(&self.cases[index]);
        let reached = &mut self.cases[index];
        let turn = Turn {
            case: index,
            launch,
            length: reached.memory.visits.first().map(length),
        };
        // A share, however few the launches: counting is beside the timing, and not done once.
        let share = reached.settings.budget() / SHARE;
        let budget_ns = batches_ns.min(share);
        let plan = Plan {
            memory: true,
            ..plan(self.settings, &reached.case.id, turn, budget_ns)
        };
        let timeout_ns = reached.settings.timeout_ns;
        let why = match count(&plan, timeout_ns, spawner, self.run_clock) {
            Count::Memory(memory) => {
                // Of what cannot be counted once, once is enough.
                let again = memory.counts.is_ok() && memory.visit_ns <= reached.settings.budget();
                observer.entry(Entry::Memory(&memory));
                reached.memory.visits.push(*memory);
                return again;
            }
            Count::Interrupted => {
                self.interrupted = true;
                return false;
            }
            Count::Failed(why) => why,
            Count::Timed => "the worker sent samples of time".to_owned(),
        };
        reached.memory.failed = Some(why);
        false
    }
}

/// What came of a memory visit.
#[derive(Debug)]
pub enum Count {
    /// What was counted, or why nothing was.
    Memory(Box<Memory>),
    /// Nothing: the executable does not know of counting, and measured time.
    Timed,
    /// Nothing, and why.
    Failed(String),
    /// The run was told to stop.
    Interrupted,
}

/// Has a worker make the memory visit of a plan, such as [`memory_plan`] makes.
#[inline(never)]
pub fn count(
    plan: &Plan,
    timeout_ns: Option<u64>,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> Count {
    if spawner.interrupted() {
        return Count::Interrupted;
    }
    let mut worker = match spawner.spawn(plan, &draw(plan)) {
        Ok(worker) => worker,
        Err(error) => return Count::Failed(error.to_string()),
    };
    let heard = attempt(&mut *worker, plan, timeout_ns, run_clock);
    worker.dismiss();
    match heard {
        Attempt::Memory(memory) => Count::Memory(memory),
        Attempt::Visit(_) | Attempt::Rounds(_) => Count::Timed,
        Attempt::Interrupted => Count::Interrupted,
        Attempt::Fault(fault) => Count::Failed(said(&fault.kind, &fault.message)),
    }
}

/// What the worker of a memory visit is asked to do: with the rows of another visit, or with as many
/// as fit into a budget.
///
/// `#[inline]`: compiled into the program that compares builds, not into every bench binary.
#[inline]
pub fn memory_plan(
    settings: &Settings,
    case: &str,
    launch: u32,
    rows: Option<&Memory>,
    budget_ns: u64,
) -> Plan {
    let turn = Turn {
        case: 0,
        launch,
        length: rows.map(length),
    };
    Plan {
        memory: true,
        ..plan(settings, case, turn, budget_ns)
    }
}

/// The rows of a visit, for another one to have the same.
fn length(memory: &Memory) -> BatchShape {
    let steady = memory.iterations.get(1..).unwrap_or_default();
    let mut windows = 0;
    let mut items = 1;
    for iterations in steady {
        windows += u64::from(*iterations == 1);
    }
    // The last one is twice as long as the one before, or stands alone.
    if let [.., before, last] = steady
        && *last > 1
    {
        items = if *before > 1 { *before } else { *last };
    }
    BatchShape {
        windows,
        items,
        unroll: 1,
        slope: items > 1,
    }
}

fn said(kind: &FaultKind, message: &str) -> String {
    let mut why = kind.name().replace('_', " ");
    if !message.is_empty() {
        why.push_str(": ");
        why.push_str(message);
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_visit_has_the_same_rows() {
        let rows = |iterations: &[u64]| {
            let memory = Memory {
                case: String::new(),
                launch: 0,
                seed: 0,
                pid: 0,
                started_unix_ns: 0,
                arm: None,
                terminal: String::new(),
                drop_inside: false,
                ops_per_iteration: 1,
                iterations: iterations.to_vec(),
                counts: Err(String::new()),
                resident: Err(String::new()),
                visit_ns: 0,
                unknown: String::new(),
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
