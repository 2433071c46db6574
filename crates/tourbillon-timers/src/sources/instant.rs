//! The standard library's clock.

use std::time::Instant;

use super::reading::Facts;
use crate::{Behind, Listed, Path};
use tourbillon_clock::Ticks;

/// `Instant`, counted from the moment at which the list was made.
pub(super) fn listed() -> Listed {
    let facts = Facts {
        behind: Behind {
            path: Path::Library,
            hardware: Some(
                if cfg!(windows) {
                    "QueryPerformanceCounter"
                } else if cfg!(target_vendor = "apple") {
                    "CLOCK_UPTIME_RAW"
                } else {
                    "CLOCK_MONOTONIC"
                }
                .to_owned(),
            ),
            change: None,
        },
        ..Facts::wall("instant")
    };
    if let Some(absence) = super::reading::forbidden() {
        return facts.absent(absence);
    }
    let origin = Instant::now();
    facts.read_by(move || {
        // 584 years fit.
        Ticks(u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX))
    })
}
