/// The raw samples of arms that were measured batch by batch beside each other, to be compared.
///
/// A round holds one batch of each arm, in an order drawn for it. Some rounds hold a batch more:
/// the first arm once again, as a control that must come out the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rounds {
    /// Identity of the case of each arm, that of the reference first.
    pub cases: Vec<String>,
    /// Number of the launch, from 0: a process for arms of one build, a pair of processes for two
    /// builds.
    pub launch: u32,
    /// Placement of the code that was measured, where there is more than one.
    pub layout: Option<u64>,
    /// Seed of everything that chance decided.
    pub seed: u64,
    /// Process id of the worker of each arm.
    pub pids: Vec<u32>,
    /// When it started, in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// Ops in a batch of each arm.
    pub ops: Vec<u64>,
    /// The first call of each arm's body, in ticks, clock reads included.
    pub first_call_ticks: Vec<u64>,
    /// What a batch of no iterations reads, median, in ticks, of each arm.
    pub fixed_ticks: Vec<u64>,
    /// What an arm ran before each of its batches without being timed, in eighths of a batch. It is
    /// more than one where the arms disturbed each other; what was measured before that was seen
    /// is not here.
    pub lead_in: u64,
    /// Number of the round of each batch, from 0, in the order in which the batches were taken.
    pub round: Vec<u64>,
    /// Arm of each batch; the number after the last arm is the control.
    pub arm: Vec<u8>,
    /// Ticks of each batch, pauses left out.
    pub ticks: Vec<u64>,
    /// From the start to the end of the visit, in ticks.
    pub visit_ticks: u64,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

impl Rounds {
    /// The shortest [`Rounds::lead_in`].
    pub const LEAST_LEAD_IN: u64 = 1;
    /// The longest: eight batches.
    pub const LONGEST_LEAD_IN: u64 = 64;
}

/// What a worker is told when it takes turns with a worker of another build: where it hears that it
/// is its turn, and says that it is the other's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Its arm: 0 for the reference, 1 for the other build.
    pub side: u8,
    /// Path of the pipe from the other worker.
    pub input: String,
    /// Path of the pipe to it.
    pub output: String,
}

/// What a worker is told when it is to compare: the other arms, and when it is enough.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Against {
    /// Identities of the cases to measure beside that of the plan.
    pub cases: Vec<String>,
    /// Relative difference up to which two times count as the same: 0.005 for 0.5 %.
    pub margin: f64,
    /// How often a verdict may be wrong.
    pub error: f64,
    /// What to run before each batch without timing it, in eighths of a batch.
    pub lead_in: u64,
}
