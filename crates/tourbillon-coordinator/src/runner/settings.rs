//! Settings of a run, and the plans that they make.

use tourbillon_analysis::Frequency;
use tourbillon_record::{BatchShape, CaseOptions, Plan};
use tourbillon_stats::Rng;

use crate::values::fnv1a;

/// Label of the random sequence of the order, derived from the seed of the run.
const ORDER: u64 = 1;

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seed of everything that chance decides in the run.
    pub seed: u64,
    /// The clock that workers read, as [`tourbillon_record::ClockFacts::source`] names it.
    pub clock: String,
    /// Ticks per second of that clock.
    pub frequency: Frequency,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Bytes of the caches that a core has to itself; `None` where that is unknown.
    pub core_cache_bytes: Option<u64>,
    /// Most items in a window.
    pub window_items: u64,
    /// Most bytes of prepared inputs and kept outputs in a window.
    pub window_bytes: u64,
    /// Settings of the cases that have none of their own.
    pub common: CaseSettings,
    /// Settings of single cases, each with its identity.
    pub overrides: Vec<(String, CaseSettings)>,
}

impl Settings {
    /// The settings of a case.
    pub fn of(&self, case: &str) -> &CaseSettings {
        let own = self.overrides.iter().find(|(own, _)| own == case);
        own.map_or(&self.common, |(_, settings)| settings)
    }

    /// What a worker is asked to do in a launch of a case, with so much time for its batches. Without a
    /// `length` it finds that of its batches.
    pub fn plan(
        &self,
        case: &str,
        launch: u32,
        length: Option<BatchShape>,
        budget_ns: u64,
    ) -> Plan {
        let own = self.of(case);
        Plan {
            case: case.to_owned(),
            launch,
            seed: self.seed_of(case, launch),
            clock: self.clock.clone(),
            tick_hz: self.frequency.hz(),
            budget_ns,
            batch_ns: own.batch_ns,
            min_iterations: own.min_iterations(),
            window_items: self.window_items,
            window_bytes: self.window_bytes,
            batch_shape: length,
            ..own.options.plan()
        }
    }

    /// The seed of a launch: the same whichever other cases run.
    pub(crate) fn seed_of(&self, case: &str, launch: u32) -> u64 {
        let of_case = Rng::new(self.seed).derive(fnv1a(case));
        Rng::new(of_case).derive(u64::from(launch))
    }

    /// Seed of the order of the launches.
    pub(crate) fn order_seed(&self) -> u64 {
        Rng::new(self.seed).derive(ORDER)
    }
}

/// Settings of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseSettings {
    /// Launches at most; with a precision, at the first look.
    pub launches: u32,
    /// Whether this many launches are made whatever they cost.
    pub launches_fixed: bool,
    /// Time for the case, all launches together, in nanoseconds; with a precision, for each
    /// `launches`. It decides how many launches there are.
    pub budget_ns: u64,
    /// Time that the case may take for the fewest launches of an interval across processes.
    pub limit_ns: u64,
    /// Length of a batch in nanoseconds.
    pub batch_ns: u64,
    /// The group of cases whose launches one worker makes after each other, in the order of the cases. Their
    /// launches are not repeated.
    pub shared_worker: Option<u32>,
    /// What was asked for, by the case or for the whole run: what is used as it is, and what the others come from.
    pub options: CaseOptions,
}

impl Default for CaseSettings {
    /// Twenty launches in 0.2 s, eight in 8 s, in batches of 100 us.
    fn default() -> CaseSettings {
        CaseSettings {
            launches: 20,
            launches_fixed: false,
            budget_ns: 200_000_000,
            limit_ns: 8_000_000_000,
            batch_ns: 100_000,
            shared_worker: None,
            options: CaseOptions::NONE,
        }
    }
}

impl CaseSettings {
    /// What these options set, else the defaults.
    pub(crate) fn new(options: &CaseOptions) -> CaseSettings {
        let default = CaseSettings::default();
        CaseSettings {
            launches: options
                .launches
                .or(options.shared_worker.map(|(_, launches)| launches))
                .unwrap_or(default.launches),
            // A requested time limits the launches too.
            launches_fixed: options.launches.is_some() && options.max_time_ns.is_none(),
            limit_ns: options
                .max_time_ns
                .or(options.interval_time_ns)
                .unwrap_or(default.limit_ns),
            budget_ns: options.max_time_ns.unwrap_or(default.budget_ns),
            batch_ns: default.batch_ns,
            shared_worker: options.shared_worker.map(|(group, _)| group),
            options: *options,
        }
    }

    /// Launches requested, at least one.
    pub(crate) fn requested(&self) -> u32 {
        self.launches.max(1)
    }

    /// Iterations to measure in each launch at least.
    pub(crate) fn min_iterations(&self) -> u64 {
        self.options.min_iterations.unwrap_or(1)
    }

    /// Time to spend in batches at least, all launches together, in nanoseconds.
    pub(crate) fn min_time_ns(&self) -> u64 {
        self.options.min_time_ns.unwrap_or(0)
    }

    /// Time for the case, at least what must be measured.
    pub(crate) fn budget(&self) -> u64 {
        self.budget_ns.max(self.min_time_ns())
    }
}
