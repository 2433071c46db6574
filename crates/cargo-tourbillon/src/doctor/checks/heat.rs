//! Whether the processor had to be slowed down.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

/// What the processors count: since the start, and while this ran.
pub(super) fn heat(seen: &Seen) -> Known<Said> {
    let later = seen.later.heat.clone()?;
    let now = later.saturating_sub(seen.earlier.heat.clone()?);
    Ok(if now > 0 {
        Said::matters(
            format!("slowed down because of heat {now} times while this ran"),
            "let it cool, clean the fans, and switch turbo off",
        )
    } else if later > 0 {
        Said::note(
            format!("slowed down because of heat {later} times since the start, not now"),
            "watch this number, for long runs may be slowed down again",
        )
    } else {
        Said::fine("never slowed down because of heat")
    })
}
