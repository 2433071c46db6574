//! A stepped launch: what limits it, and what was seen of it.

use tourbillon_coordinator::runner::STEPPING_NS;
use tourbillon_coordinator::runner::silence::{SILENCE_NS, limit_ns};
use tourbillon_record::{Plan, Stepped};

use crate::trace::Trace;

/// How long a stepped launch may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until its first batch, in nanoseconds.
    pub until_ops_ns: u64,
    /// From then on: for a busy machine, as the number of instructions is limited.
    pub stepping_ns: u64,
    /// Most instructions. Not a time, which would allow for others on a busy machine.
    pub instructions: u64,
}

/// Most instructions of a launch among others, in about 2 s.
pub(crate) const AMONG_OTHERS: u64 = 150_000;
/// How many times as many where this case alone was asked for.
const ALONE: u64 = 10;

impl Limits {
    /// Those of a worker that may be silent for so long, or for the usual time.
    pub fn of_silence(timeout_ns: Option<u64>) -> Limits {
        Limits {
            until_ops_ns: limit_ns(timeout_ns, SILENCE_NS),
            stepping_ns: STEPPING_NS,
            instructions: AMONG_OTHERS,
        }
    }

    /// Those of one case that was asked for, in about 20 s.
    pub fn of_one_case() -> Limits {
        let usual = Limits::of_silence(None);
        Limits {
            stepping_ns: ALONE * usual.stepping_ns,
            instructions: ALONE * usual.instructions,
            ..usual
        }
    }
}

/// What was seen of a launch.
#[derive(Debug)]
pub struct SteppedLaunch {
    /// The counts, or why there are none.
    pub stepped: Stepped,
    /// One op of it. There may be one without counts, which take several.
    pub trace: Result<Trace, NotTraced>,
}

/// Why no op of a launch was executed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTraced {
    /// One takes more instructions than so many.
    Long(u64),
    /// As the counts say.
    Otherwise,
}

impl SteppedLaunch {
    /// The counts alone.
    pub fn counts(self) -> Stepped {
        self.stepped
    }
}

/// A launch without counts.
pub(crate) fn not_stepped(plan: &Plan, why: String) -> Stepped {
    Stepped {
        case: plan.case.clone(),
        launch: plan.launch,
        counts: Err(why),
        ..Stepped::default()
    }
}
