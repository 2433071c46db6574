//! Which time source a run uses, and why.

use crate::Clock;
use crate::counter::Counter;

/// A clock and the reasons for it, from [`Clock::choose`].
#[derive(Clone, Debug)]
pub struct Choice {
    /// The clock to measure with.
    pub clock: Clock,
    /// The reason for it, in a sentence without a full stop.
    pub why: String,
    /// The better sources that did not pass the tests, best first.
    pub refused: Vec<Refusal>,
}

/// A time source that exists here but is not fit to measure with, from [`Clock::choose`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the source, as returned by [`Clock::name`].
    pub source: &'static str,
    /// The reason, in a sentence without a full stop.
    pub reason: String,
}

impl Clock {
    /// The best clock of this machine.
    ///
    /// The processor's counter if it passes every test, otherwise the operating system's monotonic clock.
    /// The time stamp counter of x86-64 has to be invariant, trusted by the kernel, readable by this
    /// process, and equal on all processors that the calling thread may run on (on Windows by the judgement of
    /// the system). The counter of 64-bit Arm
    /// is uniform by architecture; its rate has to be stated.
    ///
    /// # Cost
    ///
    /// Less than two milliseconds on an idle machine. On x86-64 Linux the calling thread visits all its
    /// processors, and gets its own set of them back; on each processor it may have to wait for other
    /// threads.
    #[must_use]
    pub fn choose() -> Choice {
        let monotonic = |why, refused| Choice {
            clock: Clock::os(),
            why,
            refused,
        };
        if cfg!(miri) {
            return monotonic("Miri has no processor".to_owned(), Vec::new());
        }
        let Ok(counter) = Clock::by_name(Counter::NAME) else {
            return monotonic(
                "no counter of this processor is known".to_owned(),
                Vec::new(),
            );
        };
        let source = counter.name();
        match examine(&counter) {
            Ok(why) => Choice {
                clock: counter,
                why,
                refused: Vec::new(),
            },
            Err(reason) => monotonic(
                format!("{source} is not fit to measure with: {reason}"),
                vec![Refusal { source, reason }],
            ),
        }
    }
}

/// Why the processor's counter may be used, or why not.
#[cfg(target_arch = "x86_64")]
fn examine(clock: &Clock) -> Result<String, String> {
    if !crate::cpuid::has_invariant_tsc() {
        return Err("its rate varies (cpuid 80000007h: not invariant)".to_owned());
    }
    if !crate::cpuid::has_rdtscp() {
        return Err("the processor has no rdtscp".to_owned());
    }
    #[cfg(target_os = "linux")]
    return linux::examine(clock);
    #[cfg(windows)]
    {
        let _ = clock;
        windows::examine()
    }
    #[cfg(not(any(target_os = "linux", windows)))]
    {
        let _ = clock;
        Err("this system does not say whether it trusts the counter".to_owned())
    }
}

/// What Windows shows about the time stamp counter.
#[cfg(all(target_arch = "x86_64", any(windows, test)))]
mod windows {
    #[cfg(windows)]
    pub(super) fn examine() -> Result<String, String> {
        let mut hz = 0;
        // SAFETY: a place for the rate.
        let known = unsafe {
            windows_sys::Win32::System::Performance::QueryPerformanceFrequency(&raw mut hz)
        };
        trust_of(if known == 0 { 0 } else { hz })
    }

    /// The trust that the rate of `QueryPerformanceCounter` shows. Since Windows 10 version 1809 it is 10 MHz
    /// where the time stamp counter is its source, or a hypervisor's page for it; that of the device
    /// otherwise.
    fn trust_of(performance_hz: i64) -> Result<String, String> {
        let device = match performance_hz {
            10_000_000 => {
                return Ok("invariant, the source of QueryPerformanceCounter".to_owned());
            }
            3_579_545 => "the ACPI power management timer",
            14_318_180 => "the HPET",
            hz => {
                return Err(format!(
                    "whether Windows trusts it is not known (QueryPerformanceFrequency: {hz})"
                ));
            }
        };
        Err(format!("Windows does not trust it, and uses {device}"))
    }

    #[cfg(test)]
    mod tests {
        use super::trust_of;

        #[test]
        fn the_rate_of_the_performance_counter_decides() {
            assert!(trust_of(10_000_000).is_ok());
            for (hz, part) in [(3_579_545, "ACPI"), (14_318_180, "HPET"), (0, ": 0)")] {
                let why = trust_of(hz).unwrap_err();
                assert!(why.contains(part), "{why}");
            }
        }
    }
}

#[cfg(target_arch = "aarch64")]
fn examine(_clock: &Clock) -> Result<String, String> {
    crate::counter_permission()?;
    match Counter::of_this_processor().map(|counter| counter.stated_hz()) {
        None | Some(0) => Err("its rate is not stated (cntfrq_el0 is 0)".to_owned()),
        Some(hz) => Ok(format!(
            "uniform by architecture, {hz} Hz stated in cntfrq_el0"
        )),
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn examine(_clock: &Clock) -> Result<String, String> {
    Err("it is not read on this processor".to_owned())
}

/// What Linux reports about the time stamp counter.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod linux {
    use crate::os::CURRENT_CLOCK_SOURCE;
    use crate::tour::{Tour, tour};
    use crate::{Clock, counter_permission};

    const AVAILABLE_CLOCK_SOURCES: &str =
        "/sys/devices/system/clocksource/clocksource0/available_clocksource";

    pub(super) fn examine(clock: &Clock) -> Result<String, String> {
        let read = |path: &str| {
            std::fs::read_to_string(path).map_err(|error| {
                format!("whether the kernel trusts it is not known ({path}: {error})")
            })
        };
        let trust = trust_of(
            &read(CURRENT_CLOCK_SOURCE)?,
            &read(AVAILABLE_CLOCK_SOURCES)?,
        )?;
        counter_permission()?;
        let compared = match tour(clock) {
            Tour::Agree { visited, allowed } => {
                format!("{visited} of {allowed} processors compared and equal")
            }
            Tour::Differ(difference) => return Err(difference),
            Tour::NotMade(error) if trust == Trust::Current => {
                format!("processors not compared: {error}")
            }
            Tour::NotMade(error) => {
                return Err(format!(
                    "the kernel does not use it and processors could not be compared: {error}"
                ));
            }
        };
        let trust = match trust {
            Trust::Current => "the kernel's own clock source".to_owned(),
            Trust::Available { current } => {
                format!("one of the kernel's clock sources (it uses {current})")
            }
        };
        Ok(format!("invariant, {trust}, {compared}"))
    }

    /// How far the kernel trusts the counter.
    #[derive(Clone, Debug, PartialEq, Eq)]
    enum Trust {
        /// Its own clock uses the counter.
        Current,
        /// Its own clock could use it, and uses another, as is usual in a guest.
        Available { current: String },
    }

    /// The trust that `current_clocksource` and `available_clocksource` show.
    ///
    /// Whole words only: `hyperv_clocksource_tsc_page` is not the TSC. The kernel removes a TSC that it has
    /// found unstable from the list.
    fn trust_of(current: &str, available: &str) -> Result<Trust, String> {
        let current = current.trim_ascii();
        if current == "tsc" {
            Ok(Trust::Current)
        } else if available.split_ascii_whitespace().any(|name| name == "tsc") {
            Ok(Trust::Available {
                current: current.to_owned(),
            })
        } else {
            Err(format!(
                "the kernel does not trust it (it has: {})",
                available.trim_ascii()
            ))
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_kernels_lists_of_several_machines_decide() {
            let available = |current: &str| {
                Ok(Trust::Available {
                    current: current.to_owned(),
                })
            };
            let kvm = "kvm-clock tsc acpi_pm \n";
            for (current, list, expected) in [
                ("tsc\n", "tsc kvm-clock \n", Ok(Trust::Current)),
                ("tsc\n", "tsc hpet acpi_pm \n", Ok(Trust::Current)),
                ("kvm-clock\n", kvm, available("kvm-clock")),
                ("xen\n", "xen tsc hpet acpi_pm", available("xen")),
            ] {
                assert_eq!(trust_of(current, list), expected, "{current} of {list}");
            }
        }

        #[test]
        fn similar_names_are_refused() {
            let pages = "hyperv_clocksource_tsc_page hyperv_clocksource_msr \n";
            for (current, list) in [
                ("hpet\n", "hpet acpi_pm \n"),
                ("hyperv_clocksource_tsc_page\n", pages),
                ("tsc-early\n", "tsc-early hpet acpi_pm\n"),
                ("", ""),
            ] {
                assert!(trust_of(current, list).is_err(), "{current} of {list}");
            }
        }
    }
}
