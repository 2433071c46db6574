//! The time sources of this machine: one file per system and kind.

mod instant;
mod processor;
mod reading;

#[cfg(unix)]
mod clock_gettime;
#[cfg(unix)]
mod cpu_time;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod hpet;
#[cfg(target_vendor = "apple")]
mod mach;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod perf_cycles;
#[cfg(windows)]
mod windows;

use crate::Listed;

/// All time sources that are known for this system, those that this machine lacks included.
///
/// # Cost
///
/// Some microseconds; files of the kernel are read and, where the processor counts cycles, an event
/// is opened that stays open while the list lives.
#[must_use]
pub fn sources() -> Vec<Listed> {
    let mut list = processor::list();
    #[cfg(unix)]
    {
        list.extend(clock_gettime::list());
        list.extend(cpu_time::list());
    }
    #[cfg(target_vendor = "apple")]
    list.extend(mach::list());
    #[cfg(windows)]
    list.extend(windows::list());
    #[cfg(any(target_os = "linux", target_os = "android"))]
    list.extend([hpet::listed(), perf_cycles::listed()]);
    list.push(instant::listed());
    list
}
