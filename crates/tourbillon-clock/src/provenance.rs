//! Where a frequency comes from.

use std::fmt;

/// Who says how many ticks make a second.
///
/// For the time stamp counter in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrequencyFrom {
    /// The clock counts nanoseconds.
    Definition,
    /// The script of a scripted clock.
    Script,
    /// `cntfrq_el0`, where the firmware has stated the counter's rate.
    CounterRegister,
    /// A register of the device that counts.
    DeviceRegister,
    /// CPUID leaf 15h: the crystal's rate and the counter's ratio to it.
    CpuidLeaf15,
    /// CPUID leaf 40000010h, where a hypervisor states the rate in kHz.
    HypervisorLeaf,
    /// `bogomips` and `cpu MHz` of `/proc/cpuinfo`, which agree and are known, not calibrated.
    CpuInfo,
    /// `/sys/devices/system/cpu/cpu0/tsc_freq_khz`.
    Sysfs,
    /// The conversion that the kernel puts into the page of every perf event.
    PerfPage,
    /// Bracketed readings of the counter and the operating system's clock.
    Measured,
    /// Nobody: the counter could not be measured either, as it stands still or jumps. A tick in a
    /// nanosecond is assumed, so that budgets come to an end.
    Assumed,
}

impl fmt::Display for FrequencyFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FrequencyFrom::Definition => "definition of the clock",
            FrequencyFrom::Script => "script",
            FrequencyFrom::CounterRegister => "cntfrq_el0",
            FrequencyFrom::DeviceRegister => "register of the device",
            FrequencyFrom::PerfPage => "perf event page",
            FrequencyFrom::CpuidLeaf15 => "cpuid leaf 15h",
            FrequencyFrom::HypervisorLeaf => "cpuid leaf 40000010h",
            FrequencyFrom::CpuInfo => "/proc/cpuinfo",
            FrequencyFrom::Sysfs => "tsc_freq_khz",
            FrequencyFrom::Measured => "measured",
            FrequencyFrom::Assumed => "assumed",
        })
    }
}
