use tourbillon_analysis::Frequency;
use tourbillon_record::Metric;

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seed from which everything that chance decides in the run is drawn.
    pub seed: u64,
    /// The clock that workers read, as [`tourbillon_record::ClockFacts::source`] names it.
    pub clock: String,
    /// Ticks per second of that clock.
    pub frequency: Frequency,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Bytes of the caches that a core has to itself; `None` where that is not known.
    pub core_cache_bytes: Option<u64>,
    /// Most items in a window.
    pub window_items: u64,
    /// Most bytes of prepared inputs and kept outputs in a window.
    pub window_bytes: u64,
    /// Settings of every case that has none of its own.
    pub common: CaseSettings,
    /// Settings of single cases, each with its identity. A list, for it is looked through once for a
    /// visit, and a map would be compiled into every bench binary.
    pub overrides: Vec<(String, CaseSettings)>,
}

impl Settings {
    /// Settings that hold for a case.
    pub fn of(&self, case: &str) -> &CaseSettings {
        for (own, settings) in &self.overrides {
            if own == case {
                return settings;
            }
        }
        &self.common
    }
}

/// Settings of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseSettings {
    /// Launches at most; with a precision, at the first look.
    pub launches: u32,
    /// Whether so many launches are made whatever they cost.
    pub launches_fixed: bool,
    /// Time for the case, all launches together, in nanoseconds; with a precision, for each
    /// `launches`. It decides how many launches there are: see [`crate::launch_count`].
    pub budget_ns: u64,
    /// Time that the case may take for the launches without which there is no interval across processes.
    pub limit_ns: u64,
    /// Time to spend in batches at least, all launches together, in nanoseconds.
    pub min_time_ns: u64,
    /// Iterations to measure in each visit at least.
    pub min_iterations: u64,
    /// Length of a batch in nanoseconds.
    pub batch_ns: u64,
    /// Relative half-width of the interval at which the case is done. It is looked at after one,
    /// two and four times `launches`.
    pub precision: Option<f64>,
    /// Silence that counts as a hang, in nanoseconds; `None`: 30 s, or ten times the first call.
    pub timeout_ns: Option<u64>,
    /// What is measured in place of wall time.
    pub metric: Option<Metric>,
}

impl Default for CaseSettings {
    /// Twenty launches in 0.2 s, eight in 8 s, in batches of 100 us.
    #[inline(never)]
    fn default() -> CaseSettings {
        CaseSettings {
            launches: 20,
            launches_fixed: false,
            budget_ns: 200_000_000,
            limit_ns: 8_000_000_000,
            min_time_ns: 0,
            min_iterations: 1,
            batch_ns: 100_000,
            precision: None,
            timeout_ns: None,
            metric: None,
        }
    }
}

impl CaseSettings {
    /// Launches asked for: never none.
    pub(crate) fn asked(&self) -> u32 {
        self.launches.max(1)
    }

    /// Time for the case: no less than what must be measured.
    pub(crate) fn budget(&self) -> u64 {
        self.budget_ns.max(self.min_time_ns)
    }
}
