//! What a system reports about the machine by calls.

use tourbillon_present::advice::System;

use crate::doctor::tree::Known;

/// What the system reports about the machine. Each value is missing with a reason.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) system: System,
    /// The power plan of Windows.
    pub(crate) power_plan: Known<String>,
    /// Whether the low-power mode of macOS is on.
    pub(crate) low_power: Known<bool>,
    pub(crate) on_battery: Known<bool>,
    /// The priority of this process, in which its workers run, too.
    pub(crate) priority: Known<String>,
    /// Cores of the fastest kind, of all others, and hardware threads.
    pub(crate) cores: Known<[usize; 3]>,
    /// The hypervisor's name; empty on a real machine.
    pub(crate) hypervisor: Known<String>,
    /// Share of the processors' time that other programs took while this ran.
    pub(crate) others: Known<f64>,
    /// Processors that this process may run on, and those of its group.
    pub(crate) processors: Known<[usize; 2]>,
    /// Pages read from the swap space while this ran.
    pub(crate) swapped: Known<u64>,
    pub(crate) debugger: Known<bool>,
    pub(crate) random_addresses: Known<bool>,
    /// Whether the processor's counter may measure, and why.
    pub(crate) counter: Result<String, String>,
    /// Whether another processor's program is translated for this one.
    pub(crate) translated: Known<bool>,
}

/// What is read before the other examinations, and again after them.
#[derive(Debug)]
#[cfg_attr(
    not(any(windows, target_os = "macos", test)),
    expect(dead_code, reason = "Linux has files for it")
)]
pub(crate) struct Earlier {
    counts: tourbillon_os::MachineCounts,
    unix_ns: u64,
}

impl Earlier {
    pub(crate) fn now() -> Earlier {
        Earlier {
            counts: tourbillon_os::machine_counts(),
            unix_ns: tourbillon_clock::wall::unix_ns(),
        }
    }

    /// What happened between two moments.
    #[cfg(any(windows, target_os = "macos", test))]
    pub(super) fn since(&self, earlier: &Earlier) -> Meanwhile {
        let (from, to) = (&earlier.counts, &self.counts);
        let wanted = to.wanted_ticks.saturating_sub(from.wanted_ticks);
        let own = to.own_ticks.saturating_sub(from.own_ticks);
        Meanwhile {
            // A hundred ticks are a second of a processor.
            others_s: wanted.saturating_sub(own) as f64 / 100.0,
            seconds: self.unix_ns.saturating_sub(earlier.unix_ns) as f64 * 1e-9,
            #[cfg(any(target_os = "macos", test))]
            swapped: to.swapped_pages.saturating_sub(from.swapped_pages),
        }
    }
}

/// What happened between two moments.
#[derive(Debug, PartialEq)]
#[cfg(any(windows, target_os = "macos", test))]
pub(super) struct Meanwhile {
    /// Seconds of processors that other programs took.
    others_s: f64,
    seconds: f64,
    /// Pages read from the swap space.
    #[cfg(any(target_os = "macos", test))]
    pub(super) swapped: u64,
}

#[cfg(any(windows, target_os = "macos", test))]
impl Meanwhile {
    /// Share of the time of so many processors that other programs took.
    pub(super) fn others(&self, processors: usize) -> f64 {
        if self.seconds <= 0.0 || processors == 0 {
            return 0.0;
        }
        (self.others_s / self.seconds / processors as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_os::MachineCounts;

    use super::*;

    #[test]
    fn time_of_other_programs_is_a_share_of_all_processors() {
        let at = |unix_ns, wanted_ticks, own_ticks, swapped_pages| Earlier {
            counts: MachineCounts {
                wanted_ticks,
                own_ticks,
                swapped_pages,
                ..MachineCounts::default()
            },
            unix_ns,
        };
        let earlier = at(1_000_000_000, 1000, 50, 3);
        // Two seconds later: four seconds of processors, one of them this process's.
        let meanwhile = at(3_000_000_000, 1400, 150, 5).since(&earlier);
        assert_eq!((meanwhile.others_s, meanwhile.swapped), (3.0, 2));
        assert!((meanwhile.others(4) - 0.375).abs() < 1e-9);
        // Counters that began again.
        let meanwhile = at(3_000_000_000, 7, 0, 0).since(&earlier);
        assert_eq!((meanwhile.others(4), meanwhile.swapped), (0.0, 0));
    }
}
