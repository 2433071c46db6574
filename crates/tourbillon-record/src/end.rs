/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Wall time of the run in nanoseconds.
    pub wall_ns: u64,
    /// Wall time inside visits (pilot and warm-up counted) in nanoseconds.
    pub visits_ns: u64,
    /// Wall time inside batches in nanoseconds.
    pub batches_ns: u64,
    /// Visits that gave samples.
    pub visits: u64,
    /// Visits that failed.
    pub faults: u64,
    /// Whether a signal ended the run before its time.
    pub interrupted: bool,
    /// Ticks per second seen over the whole run, numerator and denominator, with its bound.
    pub clock_check: Option<ClockCheck>,
    /// What the machine did during the run; `None` where the system does not say.
    pub meanwhile: Option<Meanwhile>,
    /// Exit code of the bench binary.
    pub exit_code: u8,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

/// The clock's frequency held against the operating system's clock over the whole run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockCheck {
    /// Measured minus assumed, in parts per million of the frequency.
    pub deviation_ppm: f64,
    /// Hard bound of that figure's error, in parts per million.
    pub bound_ppm: f64,
    /// Length of the baseline in nanoseconds.
    pub baseline_ns: u64,
}

/// What the system counted from the start of a run to its end.
///
/// Ticks are the system's, of all processors together: what one of them lasts is the same for all, and
/// only their ratios mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meanwhile {
    /// Ticks in which a processor had something to run.
    pub wanted_ticks: u64,
    /// Of them, those in which the hypervisor ran something else.
    pub stolen_ticks: u64,
    /// Of them, those that this run had, its workers included.
    pub own_ticks: u64,
    /// Pages that came from the swap space.
    pub swapped_pages: u64,
    /// Times that heat slowed down the processor; 0 where that is not counted.
    pub throttled: u64,
}
