//! A comparison of cases: processes in which all of them are alive, until it is decided.

use tourbillon_analysis::{Criteria, Design, settled};
use tourbillon_record::{Against, Fault, Plan, Rounds};

use crate::plan::plan;
use crate::run_worker::{WorkerOutcome, run_worker};
use crate::schedule::Turn;
use crate::{RunClock, Settings, SpawnWorker};

/// Time for a comparison, starts of processes and set-up included.
const BUDGET_NS: u64 = 2_000_000_000;
/// Where set-up takes most of it, this is the time for as many processes as the first look needs.
const LONGEST_NS: u64 = 8_000_000_000;
/// Time for the batches of the first process, which finds out whether the cases disturb each other: it
/// is over after 64 rounds unless they do.
const FIRST_NS: u64 = 250_000_000;
/// Time for the batches of every other one, for each of the cases: some fifteen rounds.
const OTHER_NS: u64 = 4_000_000;
/// Processes of the first look.
const FIRST_LOOK: usize = 16;

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The samples, of one process each.
    pub launches: Vec<Rounds>,
    /// What ended it early.
    pub fault: Option<Fault>,
    /// Whether the run was told to stop.
    pub interrupted: bool,
}

/// Has workers measure `candidates` beside `reference`, batch by batch, one worker after the other, until
/// all of it is decided or time is up.
///
/// In each process everything is drawn anew that is the same for all batches of a process: where
/// stack, heap and data lie, and the seeds of hash maps.
///
/// `#[inline]`: compiled into the programs that compare, not into every bench binary.
#[inline]
pub fn run_comparison(
    reference: &str,
    candidates: &[String],
    terms: Criteria,
    settings: &Settings,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> Comparison {
    let mut contested = Comparison::default();
    let start = run_clock.now_ns();
    let timeout_ns = settings.of(reference).timeout_ns;
    let mut lead_in = Rounds::LEAST_LEAD_IN;
    loop {
        let turn = Turn {
            case: 0,
            launch: contested.launches.len() as u32,
            length: None,
        };
        let budget_ns = if turn.launch == 0 {
            FIRST_NS
        } else {
            OTHER_NS * (candidates.len() as u64 + 1)
        };
        let plan = Plan {
            against: Some(Against {
                cases: candidates.to_vec(),
                margin: terms.margin,
                error: terms.error,
                lead_in,
            }),
            ..plan(settings, reference, turn, budget_ns)
        };
        match run_worker(&plan, timeout_ns, spawner, run_clock) {
            WorkerOutcome::Rounds(rounds) => {
                lead_in = lead_in.max(rounds.lead_in);
                contested.launches.push(*rounds);
            }
            WorkerOutcome::Fault(fault) => contested.fault = Some(fault),
            WorkerOutcome::Visit(_) | WorkerOutcome::Interrupted => contested.interrupted = true,
        }
        if contested.interrupted
            || contested.fault.is_some()
            || is_over(
                &contested.launches,
                run_clock.now_ns().saturating_sub(start),
                terms,
            )
        {
            return contested;
        }
    }
}

#[inline]
fn is_over(launches: &[Rounds], spent_ns: u64, terms: Criteria) -> bool {
    let most = if launches.len() < FIRST_LOOK {
        LONGEST_NS
    } else {
        BUDGET_NS
    };
    spent_ns >= most || settled(Design::Processes, launches, terms)
}
