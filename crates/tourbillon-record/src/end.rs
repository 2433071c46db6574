//! The last line of a run: how it ended, and what the machine did meanwhile.

use crate::codec::object;

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct End {
    /// Wall time of the run in nanoseconds.
    pub wall_ns: u64,
    /// Wall time inside launches (pilot and warm-up included) in nanoseconds.
    pub launches_ns: u64,
    /// Wall time inside batches in nanoseconds.
    pub batches_ns: u64,
    /// Launches that gave samples.
    pub launches: u64,
    /// Launches that failed.
    pub faults: u64,
    /// Whether a signal ended the run early.
    pub interrupted: bool,
    /// The clock's frequency over the whole run; `None` where it could not be checked.
    pub clock_check: Option<ClockCheck>,
    /// What the system counted during the run; `None` where it does not report it. Its ticks are of all processors
    /// together, and only their ratios have a meaning.
    pub machine_events: Option<MachineEvents>,
    /// Exit code of the bench binary.
    pub exit_code: u8,
    /// Lines of the record, from the header to this one; `None` where they were not counted. `merge`
    /// (docs/reference/merge.md) judges no comparison that lacks one.
    pub lines: Option<u64>,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    End {
        wall_ns, launches_ns, batches_ns, launches, faults, interrupted,
        clock_check, machine_events, exit_code, lines,
    }
}

/// The clock's frequency, checked against the operating system's clock over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClockCheck {
    /// Measured minus assumed, in parts per million of the frequency.
    pub deviation_ppm: f64,
    /// Hard bound of that figure's error, in parts per million.
    pub bound_ppm: f64,
    /// Length of the baseline in nanoseconds.
    pub baseline_ns: u64,
}

object! {
    ClockCheck { deviation_ppm, bound_ppm, baseline_ns }
}

/// What the system counted from the start of a run to its end.
///
/// Ticks are the system's, of all processors together. All ticks have one length, and only their
/// ratios are meaningful.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineEvents {
    /// Ticks in which a processor had something to run.
    pub busy_ticks: u64,
    /// Of them, those in which the hypervisor ran something else.
    pub stolen_ticks: u64,
    /// Of them, those of this run, workers included.
    pub own_ticks: u64,
    /// Pages read from the swap space.
    pub swapped_pages: u64,
    /// How often heat slowed the processor down; 0 where that is not counted.
    pub throttled: u64,
}

object! {
    MachineEvents { busy_ticks, stolen_ticks, own_ticks, swapped_pages, throttled }
}
