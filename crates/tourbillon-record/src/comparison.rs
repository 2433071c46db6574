//! Comparisons: the rounds of one launch, and the verdict on two arms.

use crate::codec::{object, same_length, words};
use crate::members::Members;
use crate::ranges::{check_confidence, check_interval, check_not_negative};
use crate::{Calls, Chain, Empty, Error, Metric};

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
    pub placement: Option<u64>,
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
    /// What each arm read between its batches, for builds on one thread: the empty loop after the batches of every
    /// other round, beginning with the first.
    pub probes: Option<Vec<Probes>>,
    /// The durations of single calls of each arm, for bodies whose calls are timed one by one.
    pub calls: Option<Vec<Calls>>,
    /// What the system counted for the process of each batch, for commands: a batch is a process, with one op.
    pub processes: Option<Box<Processes>>,
    /// From the start to the end of the launch, in ticks.
    pub launch_ticks: u64,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Rounds {
        cases, launch, placement, seed, pids, started_unix_ns, ops, first_call_ticks, fixed_ticks, round,
        arm, ticks, probes, calls, processes, launch_ticks, lead_in,
    } columns [cases, pids, ops, first_call_ticks, fixed_ticks] columns [round, arm, ticks]
    check one_process_for_each_batch
}

impl Rounds {
    /// The shortest [`Rounds::lead_in`].
    pub const LEAST_LEAD_IN: u64 = 1;
    /// The longest: eight batches.
    pub const LONGEST_LEAD_IN: u64 = 64;

    fn one_process_for_each_batch(&mut self, from: &Members<'_>) -> Result<(), Error> {
        self.processes.as_ref().map_or(Ok(()), |processes| {
            let batches = ("ticks", self.ticks.len());
            same_length(from, &[batches, ("exit_codes", processes.exit_codes.len())])?;
            let mut counters = processes.counters.iter().flatten();
            counters.try_for_each(|one| same_length(from, &[batches, ("counts", one.counts.len())]))
        })
    }
}

/// What shows whether something else used the core: as in [`crate::LaunchSamples`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    /// Readings of the reference chain.
    pub chain: Chain,
    /// Readings of the empty loop.
    pub empty: Empty,
}

object! {
    Probes { chain, empty }
}

/// What the system counted for processes, each with the children that it waited for. The columns have a value for
/// every process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processes {
    /// Microseconds of processor time in programs' own code.
    pub user_us: Vec<u64>,
    /// Microseconds of processor time in the kernel.
    pub kernel_us: Vec<u64>,
    /// The most memory that one of these processes had resident at once, in bytes.
    pub peak_bytes: Vec<u64>,
    /// Page faults without input or output.
    pub minor_faults: Vec<u64>,
    /// Page faults that read from a file or from the swap space.
    pub major_faults: Vec<u64>,
    /// How often a process gave its processor up to wait.
    pub voluntary_switches: Vec<u64>,
    /// How often a process lost its processor to another one.
    pub involuntary_switches: Vec<u64>,
    /// Exit codes; 128 and the number of the signal for a process that a signal ended.
    pub exit_codes: Vec<i32>,
    /// Whether other programs took all processors right before or after the round of the process, 1 for yes; `None`
    /// where the system does not tell.
    pub contended: Option<Vec<u64>>,
    /// What counters of the processor showed, where they were asked for.
    pub counters: Option<Vec<ProcessCounter>>,
}

/// A counter of the processor, for processes and all that they start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessCounter {
    /// Its name, as hyperfine has it.
    pub name: String,
    /// What each process counted, without the kernel's own code.
    pub counts: Vec<u64>,
}

object! {
    ProcessCounter { name, counts }
}

impl Processes {
    /// Whether the round of each process was contended, where those that were not are at least half: then they alone
    /// count. Otherwise all count, and this is empty.
    #[must_use]
    pub fn discarded(&self) -> &[u64] {
        let contended = self.contended.as_deref().unwrap_or_default();
        let count = contended.iter().filter(|one| **one != 0).count();
        if 2 * count <= contended.len() {
            contended
        } else {
            &[]
        }
    }

    /// Share of the processes whose rounds were contended; `None` where that is not known.
    #[must_use]
    pub fn contended_share(&self) -> Option<f64> {
        let contended = self.contended.as_deref().filter(|all| !all.is_empty())?;
        let count = contended.iter().filter(|one| **one != 0).count();
        Some(count as f64 / contended.len() as f64)
    }
}

object! {
    Processes {
        user_us, kernel_us, peak_bytes, minor_faults, major_faults, voluntary_switches, involuntary_switches,
        exit_codes, contended, counters,
    } columns [
        user_us, kernel_us, peak_bytes, minor_faults, major_faults, voluntary_switches, involuntary_switches,
        exit_codes
    ]
}

/// The result of comparing two arms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Identity of the case that was compared with the reference.
    pub case: String,
    /// What it was compared with: the identity of another case, or the name of another build.
    pub reference: String,
    /// What was compared: a percentile of single calls; `None` for the time.
    pub metric: Option<Metric>,
    /// Whether it is faster, slower or the same, if that could be decided.
    pub finding: Finding,
    /// Why it is undecided; `None` where it is decided.
    pub why: Option<Undecided>,
    /// Time of the case divided by that of the reference.
    pub ratio: Option<f64>,
    /// Lower end of the interval of the ratio: the one that decided.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Of an assertion, how many times the time of the reference the case may take: it is *faster* or *slower* than
    /// that.
    pub limit: Option<f64>,
    /// Confidence of the interval, 0 to 1, all looks together.
    pub confidence: f64,
    /// Relative difference up to which two times count as the same.
    pub margin: f64,
    /// What the interval covers.
    pub scope: Reach,
    /// Pairs of batches that it is based on.
    pub pairs: u64,
    /// Processes, or pairs of processes.
    pub launches: u32,
    /// Placements of the code.
    pub placements: u32,
    /// Pairs discarded because the clock went backwards in one of their batches, or a batch was
    /// shorter than its fixed cost; for cases of a run, because one of the two launches does not count.
    pub discarded: u64,
    /// The reference compared with itself in the same way.
    pub control: Option<Control>,
    /// How the arms disturb each other; `None` for those that run in processes of their own.
    pub interference: Option<Interference>,
    /// Seed of the order of the batches.
    pub seed: u64,
    /// Seconds spent on it.
    pub seconds: f64,
    /// Seconds that a decision would take in all, where it is undecided and that can be estimated.
    pub seconds_needed: Option<f64>,
    /// Time of the reference in nanoseconds per op, in these processes.
    pub reference_ns: Option<f64>,
    /// Time of the case in nanoseconds per op, in these processes.
    pub case_ns: Option<f64>,
    /// The median of the case divided by that of the reference, in the unit of the pairs, for cases of a run: the ratio
    /// of two rows of the table.
    pub ratio_of_medians: Option<f64>,
    /// What was compared in place of wall time: a number that bodies return, or processor time.
    pub number: Option<ComparedNumber>,
    /// Name and version of the method that made the verdict.
    pub method: String,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Verdict {
        case, reference, metric, finding as "verdict", why, ratio, lower, upper, limit, confidence, margin, scope,
        pairs, launches, placements, discarded, control, interference, seed, seconds, seconds_needed,
        reference_ns, case_ns, ratio_of_medians, number, method,
    } check consistent
}

impl Verdict {
    fn consistent(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let interval = [self.ratio, self.lower, self.upper];
        check_interval(from, ["ratio", "lower", "upper"], interval)?;
        check_not_negative(
            from,
            &[
                ("ratio", self.ratio),
                ("lower", self.lower),
                ("limit", self.limit),
                ("margin", Some(self.margin)),
                ("seconds", Some(self.seconds)),
                ("seconds_needed", self.seconds_needed),
                ("reference_ns", self.reference_ns),
                ("case_ns", self.case_ns),
                ("ratio_of_medians", self.ratio_of_medians),
            ],
        )?;
        check_confidence(from, Some(self.confidence))?;
        match (self.finding, self.why) {
            (Finding::Undecided, None) => Err(from.missing("why")),
            (Finding::Undecided, Some(_)) | (_, None) => Ok(()),
            // Decided although the core was shared.
            (Finding::Faster | Finding::Slower, Some(Undecided::CoreShared)) => Ok(()),
            (_, Some(why)) => Err(from.malformed(&format!(
                "field `why` is \"{}\", where nothing beside a decision is expected",
                why.name()
            ))),
        }
    }
}

/// A number of both arms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedNumber {
    /// Its name, such as `retries` or `cpu_time`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Whether a larger one is the better one, and so *faster*.
    pub more_is_better: bool,
    /// The number of the reference, per op.
    pub reference: f64,
    /// The number of the case, per op.
    pub case: f64,
}

impl ComparedNumber {
    /// What was measured: a processor time, or a number of the body's own.
    pub fn metric(&self) -> Metric {
        let times = [Metric::CpuTime, Metric::UserTime, Metric::KernelTime];
        let of_times = times.into_iter().find(|time| time.name() == self.name);
        of_times
            .filter(|_| self.unit == "ns")
            .unwrap_or(Metric::Own)
    }
}

object! {
    ComparedNumber { name, unit, more_is_better, reference, case }
}

words! {
    /// How two times compare.
    pub enum Finding: "a verdict" {
        /// The case takes less time than the reference, by more than the margin.
        Faster = "faster",
        /// The case takes more time than the reference, by more than the margin.
        Slower = "slower",
        /// They differ by less than the margin.
        Same = "same",
        /// Both are the same code: nothing was measured.
        Unchanged = "unchanged",
        /// None of these could be shown.
        Undecided = "undecided",
    }
}

words! {
    /// Why there is no verdict.
    pub enum Undecided: "a reason for no verdict" {
        /// The interval still holds both answers.
        Time = "time",
        /// There are too few pairs for an interval of this confidence.
        TooFew = "too_few",
        /// The control, the same code twice, came out different.
        Control = "control",
        /// The intervals of two looks exclude each other: conditions changed in between.
        Drift = "drift",
        /// Too many pairs were discarded, or a number is rough.
        Noise = "noise",
        /// Too few pairs are left: something else used the core in the others. Beside *faster* and *slower*: all pairs
        /// decided, contended ones included.
        CoreShared = "core_shared",
        /// The two builds were compiled in another way, which no commit and no request explains.
        BuiltOtherwise = "built_otherwise",
        /// A number of a body that has no interval, or another name or unit in one of the builds.
        NotComparable = "not_comparable",
    }
}

words! {
    /// What the interval of a ratio covers.
    pub enum Reach: "what the interval covers" {
        /// Two functions in one process: another process, or another build, may differ.
        Process = "process",
        /// Processes of these two executables.
        Processes = "processes",
        /// Placements of the code of these two builds.
        Placements = "placements",
    }
}

/// The reference compared with itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    /// Ratio of the two.
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Pairs that it is based on.
    pub pairs: u64,
    /// Whether it came out different by more than half the margin, which voids the verdict.
    pub fired: bool,
}

object! {
    Control { ratio, lower, upper, pairs, fired } check consistent
}

impl Control {
    fn consistent(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let interval = [self.ratio, self.lower, self.upper];
        check_interval(from, ["ratio", "lower", "upper"], interval)?;
        check_not_negative(from, &[("ratio", self.ratio), ("lower", self.lower)])
    }
}

/// Time of an arm's batch right after a batch of another arm, divided by its time after a batch of
/// its own. The random order of the rounds gives both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interference {
    /// The ratio for the reference; `None` where too few batches can be compared.
    pub reference: Option<f64>,
    /// The ratio for the case.
    pub case: Option<f64>,
    /// Pairs of batches, of both arms together.
    pub pairs: u64,
    /// What ran before each batch without being timed, in eighths of a batch.
    pub lead_in: u64,
    /// Whether it is certain, and so different for the two that it may look like a difference of the
    /// code.
    pub matters: bool,
}

object! {
    Interference { reference, case, pairs, lead_in, matters } check consistent
}

impl Interference {
    fn consistent(&mut self, from: &Members<'_>) -> Result<(), Error> {
        check_not_negative(from, &[("reference", self.reference), ("case", self.case)])
    }
}
