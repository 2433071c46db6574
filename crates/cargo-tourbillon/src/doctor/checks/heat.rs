//! Thermal throttling.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

/// The processors' counters: since the start, and while this ran.
pub(super) fn heat(observed: &Observations) -> Known<Assessment> {
    let later = observed.later.heat.clone()?;
    let now = later.saturating_sub(observed.earlier.heat.clone()?);
    Ok(if now > 0 {
        Assessment::matters(
            format!("throttled because of heat {now} times while this ran"),
            "let it cool, clean the fans, and switch turbo off",
        )
    } else if later > 0 {
        Assessment::note(
            format!("throttled because of heat {later} times since the start, not now"),
            "watch this number; long runs may be throttled again",
        )
    } else {
        Assessment::fine("never throttled because of heat")
    })
}
