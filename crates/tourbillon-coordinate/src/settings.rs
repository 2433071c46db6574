use tourbillon_record::Metric;

use crate::Frequency;

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
    /// Time for the case, all launches together, in nanoseconds; with a precision, for each
    /// `launches`. It decides how many launches there are: see [`crate::affordable`].
    pub budget_ns: u64,
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
    /// Twenty launches and 0.2 s, in batches of 100 us.
    #[inline(never)]
    fn default() -> CaseSettings {
        CaseSettings {
            launches: 20,
            budget_ns: 200_000_000,
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

    /// Time for the batches of one visit: three quarters of the visit's share of the budget.
    ///
    /// The rest is for what a visit needs besides. Of a share of 10 ms (two-core KVM guest, 30
    /// bodies of 10 ns to 10 us): 7.5 ms of batches, with the reference chain and the empty loop;
    /// 0.8 ms of set-up, first call and warming up; 1.3 ms from the end of one visit to the start of
    /// the next, nearly all of it the start of a process. Together 96 % of the share.
    pub(crate) fn visit_budget(&self, launches: u32) -> u64 {
        let share = self.budget_ns / u64::from(self.asked());
        let least = self.min_time_ns.div_ceil(u64::from(launches.max(1)));
        (share / 4 * 3).max(least).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_gets_its_share() {
        let settings = CaseSettings::default();
        assert_eq!(settings.visit_budget(20), 7_500_000);
        // Fewer launches do not make a visit longer unless a time was asked for.
        assert_eq!(settings.visit_budget(1), 7_500_000);
        let long = CaseSettings {
            min_time_ns: 1_000_000_000,
            ..settings
        };
        assert_eq!(long.visit_budget(20), 50_000_000);
        assert_eq!(long.visit_budget(1), 1_000_000_000);
        assert_eq!(long.budget(), 1_000_000_000);
    }

    #[test]
    fn nothing_asked_for_is_one_launch() {
        let none = CaseSettings {
            launches: 0,
            budget_ns: 0,
            ..CaseSettings::default()
        };
        assert_eq!(none.asked(), 1);
        assert_eq!(none.visit_budget(0), 1);
    }
}
