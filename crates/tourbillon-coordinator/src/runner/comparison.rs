//! A comparison of cases: processes in which all of them are alive, until the verdicts are decided.

use tourbillon_analysis::{Criteria, Design, settled};
use tourbillon_record::{Against, Fault, Plan, Rounds};

use crate::runner::observer::RunClock;
use crate::runner::run_worker::{WorkerOutcome, run_worker};
use crate::runner::settings::Settings;
use crate::runner::worker::SpawnWorker;

/// Time for a comparison, starts of processes and set-up included.
const BUDGET_NS: u64 = 2_000_000_000;
/// The same until the first look, for cases whose set-up takes most of the time.
const LONGEST_NS: u64 = 8_000_000_000;
/// Time for the batches of the first process, which finds out whether the cases disturb each other: it
/// ends after 64 rounds unless they do.
const FIRST_NS: u64 = 250_000_000;
/// Time for the batches of every other process, for each of the cases: some fifteen rounds.
const OTHER_NS: u64 = 4_000_000;
/// Processes of the first look.
const FIRST_LOOK: usize = 16;

/// The outcome of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The samples, of one process each.
    pub launches: Vec<Rounds>,
    /// What ended it early.
    pub fault: Option<Fault>,
    /// Whether a signal stops the run.
    pub interrupted: bool,
}

/// Has workers measure `candidates` and `reference` batch by batch, one worker after the other, until all
/// verdicts are decided or time is up.
///
/// In each process everything is drawn anew that is the same for all batches of a process: where
/// stack, heap and data lie, and the seeds of hash maps.
pub fn run_comparison(
    reference: &str,
    candidates: &[String],
    criteria: Criteria,
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> Comparison {
    let mut comparison = Comparison::default();
    let start = run_clock.now_ns();
    let timeout_ns = settings.of(reference).timeout_ns;
    let mut lead_in = Rounds::LEAST_LEAD_IN;
    loop {
        let launch = comparison.launches.len() as u32;
        let budget_ns = match launch {
            0 => FIRST_NS,
            _ => OTHER_NS * (candidates.len() as u64 + 1),
        };
        let plan = Plan {
            against: Some(Against {
                cases: candidates.to_vec(),
                margin: criteria.margin,
                error: criteria.error,
                lead_in,
            }),
            ..settings.plan(reference, launch, None, budget_ns)
        };
        match run_worker(&plan, timeout_ns, spawner, run_clock) {
            WorkerOutcome::Rounds(rounds) => {
                lead_in = lead_in.max(rounds.lead_in);
                comparison.launches.push(*rounds);
            }
            WorkerOutcome::Fault(fault) => {
                comparison.fault = Some(fault);
                return comparison;
            }
            WorkerOutcome::Interrupted | WorkerOutcome::Launch(_) | WorkerOutcome::Memory(_) => {
                comparison.interrupted = true;
                return comparison;
            }
        }
        let launches = &comparison.launches;
        let most = if launches.len() < FIRST_LOOK {
            LONGEST_NS
        } else {
            BUDGET_NS
        };
        let spent_ns = run_clock.now_ns().saturating_sub(start);
        if spent_ns >= most || settled(Design::Processes, launches, criteria) {
            return comparison;
        }
    }
}
