//! The processor's own counters.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

const DEVICES: &str = "/sys/bus/event_source/devices";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
/// The most that lets a program count its own events.
const OWN_EVENTS: i64 = 2;

/// Whether there is a performance monitoring unit, and whether a program may use it.
pub(super) fn counters(seen: &Seen) -> Known<Said> {
    let devices = seen.tree.names(DEVICES)?;
    let is_unit = |name: &str| {
        matches!(name, "cpu" | "cpu_core")
            || name.starts_with("armv8")
            || name.starts_with("apple_")
    };
    let unit = devices.iter().find(|name| is_unit(name));
    let Some(unit) = unit else {
        return Ok(Said::note(
            "the machine, or its hypervisor, shows no performance monitoring unit",
            "nothing here needs it, for cycles are taken from instructions whose cost is known",
        ));
    };
    let paranoid = seen.tree.number(PARANOID)?;
    Ok(if paranoid > OWN_EVENTS {
        Said::note(
            format!(
                "{unit} is there, but programs may not use it (perf_event_paranoid is {paranoid})"
            ),
            format!(
                "`sysctl kernel.perf_event_paranoid={OWN_EVENTS}` as root, until the next start"
            ),
        )
    } else {
        Said::fine(format!("{unit}, and a program may count its own events"))
    })
}
