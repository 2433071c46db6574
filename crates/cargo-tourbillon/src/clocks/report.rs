//! What is known about the clocks of a machine.

/// All that `clocks` found out, here or on another machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) tsc: Tsc,
    pub(super) sources: Vec<Row>,
}

/// The machine that the figures hold for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Machine {
    /// The processor's own name for itself, or its architecture.
    pub(super) processor: String,
    /// Processors that this program may run on.
    pub(super) processors: u64,
    pub(super) os: String,
    pub(super) arch: String,
    /// Whether a hypervisor is under the system; `None` where nothing says.
    pub(super) guest: Option<bool>,
    /// What the core ran at while the table was made; `None` where nothing counts its cycles.
    pub(super) core_hz: Option<f64>,
    /// What the kernel makes its clocks out of; `None` where it does not say.
    pub(super) kernel_source: Option<String>,
    /// What else it could make them out of.
    pub(super) kernel_alternatives: Vec<String>,
}

/// The time stamp counter, or the counter that the processor has instead.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tsc {
    /// `invariant`, `constant`, `variant`; `None` where the processor has no such counter.
    pub(super) generation: Option<String>,
    /// The flags from which that is known.
    pub(super) flags: Vec<String>,
    pub(super) hz: Option<f64>,
    /// Who stated the frequency.
    pub(super) frequency_from: Option<String>,
    /// How far the frequency may be off, by whoever stated it.
    pub(super) error_ppm: Option<f64>,
    /// Everybody who could have stated it.
    pub(super) rungs: Vec<Rung>,
    /// How far the counter was off its frequency, as the system's clock saw it.
    pub(super) deviation_ppm: Option<f64>,
    /// Bound of that.
    pub(super) bound_ppm: Option<f64>,
    /// The time over which it was seen.
    pub(super) baseline_ns: Option<u64>,
    /// Which source benchmarks use here, and why.
    pub(super) chosen: String,
    pub(super) why: String,
    /// Why the counter is not used; `None` where it is.
    pub(super) refused: Option<String>,
}

/// Somebody who may state the counter's frequency.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rung {
    pub(super) from: String,
    /// `None` where he is silent.
    pub(super) hz: Option<f64>,
    pub(super) error_ppm: Option<f64>,
    /// Why he is silent.
    pub(super) reason: Option<String>,
}

/// One source.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    /// What it counts: `wall`, `CPU user`, ..
    pub(super) counts: String,
    pub(super) tick_ns: Option<f64>,
    pub(super) granularity_ns: Option<f64>,
    pub(super) resolution: Option<Resolution>,
    /// `resolution`, `latency` or `still`.
    pub(super) regime: Option<String>,
    pub(super) read_median_ns: Option<f64>,
    pub(super) read_p99_ns: Option<f64>,
    pub(super) pair_ns: Option<f64>,
    /// Not in JSON.
    pub(super) pair_p99_ns: Option<f64>,
    /// How often a reading was lower than the one before. Not in JSON.
    pub(super) negative: u64,
    /// Instruction, vDSO or system call, and the hardware.
    pub(super) behind: String,
    /// How something else is put there. Not in JSON.
    pub(super) change: Option<String>,
    pub(super) available: bool,
    pub(super) safe: bool,
    /// Why it is absent or not safe; what to know about it elsewhere.
    pub(super) reason: Option<String>,
}

/// The observed resolution, in nanoseconds: the median over the series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resolution {
    pub(super) minimum_ns: f64,
    pub(super) mean_ns: f64,
    pub(super) median_ns: f64,
    /// How far the mean spreads over the series, from end to end, as a share of it. Not in JSON.
    pub(super) spread: Option<f64>,
}
