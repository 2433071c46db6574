use crate::Error;
use crate::codec::object;
use crate::members::Members;

/// The raw samples of arms that were measured alternately, batch by batch, to be compared.
///
/// A round holds one batch of each arm, in random order. Some rounds hold one batch more: the first
/// arm once again, as a control that must come out the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rounds {
    /// Identity of the case of each arm, that of the reference first.
    pub cases: Vec<String>,
    /// Number of the launch, from 0: a process for arms of one build, a pair of processes for two
    /// builds.
    pub launch: u32,
    /// Placement of the code, where there is more than one.
    pub layout: Option<u64>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Process id of the worker of each arm.
    pub pids: Vec<u32>,
    /// When it started, in nanoseconds since the Unix epoch.
    pub started_unix_ns: u64,
    /// Ops in a batch of each arm.
    pub ops: Vec<u64>,
    /// The first call of each arm's body, in ticks, clock reads included.
    pub first_call_ticks: Vec<u64>,
    /// The median reading of a batch of no iterations, in ticks, of each arm.
    pub fixed_ticks: Vec<u64>,
    /// What an arm ran before each of its batches without being timed, in eighths of a batch. More
    /// than one where the arms disturbed each other; batches from before that was detected are not
    /// stored.
    pub lead_in: u64,
    /// Number of the round of each batch, from 0, in the order in which the batches were measured.
    pub round: Vec<u64>,
    /// Arm of each batch; the number after the last arm is the control.
    pub arm: Vec<u8>,
    /// Ticks of each batch, without pauses.
    pub ticks: Vec<u64>,
    /// From the start to the end of the launch, in ticks.
    pub visit_ticks: u64,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Rounds {
        cases, launch, layout, seed, pids, started_unix_ns, ops, first_call_ticks, fixed_ticks, round,
        arm, ticks, visit_ticks;
        lead_in,
    } columns [cases, pids, ops, first_call_ticks, fixed_ticks] columns [round, arm, ticks]
    check complete
}

impl Rounds {
    /// The shortest [`Rounds::lead_in`].
    pub const LEAST_LEAD_IN: u64 = 1;
    /// The longest: eight batches.
    pub const LONGEST_LEAD_IN: u64 = 64;

    /// Records from before there was a lead-in do not have it.
    fn complete(&mut self, _: &Members<'_>) -> Result<(), Error> {
        self.lead_in = self.lead_in.max(Rounds::LEAST_LEAD_IN);
        Ok(())
    }
}
