//! Where a counter's frequency is looked up: one file per origin.
//!
//! In the order of what asking costs. The kernel takes the figures of the processor, of the
//! hypervisor and of its own files for its own clock, so that none of them is worse than the
//! conversion in a perf event's page; that page is left for processors whose counter the kernel had
//! to calibrate.

#[cfg(target_arch = "x86_64")]
pub(crate) mod cpuid;
mod measure;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod perf_page;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod proc_cpuinfo;
#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
mod sysfs;

use crate::{Clock, Frequency};

/// The frequency of the processor's counter: stated where the machine states it, else measured.
pub(crate) fn counter_frequency(clock: &Clock) -> Frequency {
    stated().unwrap_or_else(|| measure::frequency(clock))
}

#[cfg(all(
    target_arch = "x86_64",
    any(target_os = "linux", target_os = "android")
))]
fn stated() -> Option<Frequency> {
    const RUNGS: [fn() -> Option<Frequency>; 5] = [
        cpuid::crystal_frequency,
        cpuid::hypervisor_frequency,
        proc_cpuinfo::frequency,
        sysfs::frequency,
        perf_page::frequency,
    ];
    for rung in &RUNGS {
        let frequency = rung();
        if frequency.is_some() {
            return frequency;
        }
    }
    None
}

#[cfg(all(
    target_arch = "x86_64",
    not(any(target_os = "linux", target_os = "android"))
))]
fn stated() -> Option<Frequency> {
    cpuid::crystal_frequency().or_else(cpuid::hypervisor_frequency)
}

#[cfg(target_arch = "aarch64")]
fn stated() -> Option<Frequency> {
    let hz = crate::counter::Counter::of_this_processor()?.stated_hz();
    Frequency::new(hz, 1, crate::FrequencyFrom::CounterRegister, None).ok()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn stated() -> Option<Frequency> {
    None
}

#[cfg(feature = "parts")]
/// One of those who may state the rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// Who.
    pub from: crate::FrequencyFrom,
    /// The rate, or why this one is silent.
    pub frequency: Result<Frequency, crate::Absence>,
}

/// What every rung says, and why those are silent that are; the last one measures.
#[cfg(all(feature = "parts", target_arch = "x86_64"))]
pub fn all(clock: &Clock) -> Vec<Rung> {
    use crate::{Absence, FrequencyFrom};

    let silent = |why: &str| Absence::Refused(why.to_owned());
    let mut rungs = vec![
        Rung {
            from: FrequencyFrom::CpuidLeaf15,
            frequency: cpuid::crystal_frequency()
                .ok_or_else(|| silent("the processor does not state its crystal")),
        },
        Rung {
            from: FrequencyFrom::HypervisorLeaf,
            frequency: cpuid::hypervisor_frequency()
                .ok_or_else(|| silent("there is no hypervisor that has this leaf")),
        },
    ];
    #[cfg(any(target_os = "linux", target_os = "android"))]
    rungs.extend([
        Rung {
            from: FrequencyFrom::CpuInfo,
            frequency: proc_cpuinfo::frequency().ok_or_else(|| {
                silent("the kernel was not told the rate, or shows that of the core there")
            }),
        },
        Rung {
            from: FrequencyFrom::Sysfs,
            frequency: sysfs::frequency().ok_or_else(|| {
                silent("this kernel has no such file in /sys/devices/system/cpu/cpu0")
            }),
        },
        Rung {
            from: FrequencyFrom::PerfPage,
            frequency: perf_page::frequency().ok_or_else(|| {
                silent(
                    "the kernel puts no conversion there, as in most guests, or forbids to look \
                     (kernel.perf_event_paranoid)",
                )
            }),
        },
    ]);
    let measured = measure::frequency(clock);
    rungs.push(Rung {
        from: FrequencyFrom::Measured,
        frequency: match measured.from {
            FrequencyFrom::Measured => Ok(measured),
            _ => Err(silent("it stands still or jumps")),
        },
    });
    rungs
}
