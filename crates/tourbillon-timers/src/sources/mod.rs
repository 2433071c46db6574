//! The time sources of this machine: one file per system and kind.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_vendor = "apple")]
mod mach;
mod processor;
mod reading;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::time::Instant;

use reading::{Facts, forbidden};
use tourbillon_clock::Ticks;

use crate::{Behind, Listed, Path};

/// All time sources that are known for this system, including those that this machine lacks.
///
/// # Cost
///
/// Some microseconds: it reads files of the kernel and, if the processor counts cycles, opens an event that
/// stays open while the list lives.
#[must_use]
pub fn sources() -> Vec<Listed> {
    let mut list = processor::list();
    #[cfg(unix)]
    list.extend(unix::list());
    #[cfg(target_vendor = "apple")]
    list.extend(mach::list());
    #[cfg(windows)]
    list.extend(windows::list());
    #[cfg(target_os = "linux")]
    list.extend([linux::hpet(), linux::cycles()]);
    list.push(instant());
    list
}

/// The standard library's clock, counted from here.
fn instant() -> Listed {
    let hardware = if cfg!(windows) {
        "QueryPerformanceCounter"
    } else if cfg!(target_vendor = "apple") {
        "CLOCK_UPTIME_RAW"
    } else {
        "CLOCK_MONOTONIC"
    };
    let facts = Facts {
        behind: Behind::of(Path::Library, hardware),
        ..Facts::wall("instant")
    };
    if let Some(absence) = forbidden() {
        return facts.absent(absence);
    }
    let origin = Instant::now();
    // 584 years fit.
    facts.read_by(move || Ticks(origin.elapsed().as_nanos() as u64))
}
