/// What the system has counted since it started; see [`machine_counts`].
///
/// Ticks are the system's, of all processors together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineCounts {
    /// Ticks in which a processor had something to run; 0 where the system does not say.
    pub wanted_ticks: u64,
    /// Of them, those in which the hypervisor ran something else.
    pub stolen_ticks: u64,
    /// Of them, those that this process had, with all children that it has waited for.
    pub own_ticks: u64,
    /// Pages that came from the swap space; 0 where there cannot be any.
    pub swapped_pages: u64,
    /// Times that heat slowed down the processor; 0 where that is not counted.
    pub throttled: u64,
}

/// What the system has counted until now.
///
/// # Cost
/// Reads three files of the kernel: some 100 us on Linux, more with hundreds of processors.
#[cfg(target_os = "linux")]
#[inline(never)]
pub fn machine_counts() -> MachineCounts {
    use crate::counters::{number_in, text_of};

    let mut counts = MachineCounts::default();
    counts.take(&text_of("/proc/stat"));
    let mut own: crate::sys::tms = [0; 4];
    // SAFETY: there is room for the four numbers that the call writes.
    unsafe { crate::sys::times(&raw mut own) };
    counts.own_ticks = (own[0] + own[1] + own[2] + own[3]) as u64;
    if let Some(pages) = number_in("/proc/vmstat", b"\npswpin ") {
        counts.swapped_pages = pages;
    }
    // Each processor of a package counts what slows down all of it.
    let heat = "/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count";
    if let Some(times) = number_in(heat, b"") {
        counts.throttled = times;
    }
    counts
}

/// What the system has counted until now: nothing is known on this system.
#[cfg(not(target_os = "linux"))]
pub fn machine_counts() -> MachineCounts {
    MachineCounts::default()
}

#[cfg(any(target_os = "linux", test))]
impl MachineCounts {
    /// The first two, out of the first line of /proc/stat: user, nice, system, idle, iowait, irq,
    /// softirq, steal; what follows is counted in user already (proc_stat(5)).
    #[inline(never)]
    fn take(&mut self, stat: &[u8]) {
        use crate::counters::number_after;
        use crate::process::field;

        let Some(mut rest) = field(stat, b"cpu ") else {
            return;
        };
        let (mut nth, mut wanted) = (0, 0_u64);
        while let Some(next) = field(rest, b" ")
            && let Some(number) = number_after(next, b"")
        {
            rest = next;
            nth += 1;
            if nth != 4 && nth != 5 {
                wanted = wanted.wrapping_add(number);
            }
            if nth == 8 {
                self.wanted_ticks = wanted;
                self.stolen_ticks = number;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_processors_did() {
        let counts = |stat: &str| {
            let mut counts = MachineCounts::default();
            counts.take(stat.as_bytes());
            (counts.wanted_ticks, counts.stolen_ticks)
        };
        assert_eq!(
            counts("cpu  100 1 20 900 10 5 6 17 7 0\ncpu0 100 1"),
            (149, 17)
        );
        for text in ["", "cpu  1 2 3 4\n", "cpu  a b c d e f g h"] {
            assert_eq!(counts(text), (0, 0), "{text}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_counts_as_at_work() {
        let first = machine_counts();
        assert!(first.wanted_ticks > 0, "{first:?}");
        // As long as it takes for both counters to go on; a tick is some milliseconds.
        let mut last = first;
        while last.own_ticks == first.own_ticks || last.wanted_ticks == first.wanted_ticks {
            last = machine_counts();
        }
        assert!(last.own_ticks > first.own_ticks);
        assert!(last.wanted_ticks > first.wanted_ticks);
    }
}
