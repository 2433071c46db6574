//! Hardware performance counters.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

const DEVICES: &str = "/sys/bus/event_source/devices";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
/// The highest value with which a program may count its own events.
const OWN_EVENTS: i64 = 2;

/// Whether there is a performance monitoring unit, and whether a program may use it.
pub(super) fn counters(observed: &Observations) -> Known<Assessment> {
    let devices = observed.tree.names(DEVICES)?;
    let is_unit = |name: &str| {
        matches!(name, "cpu" | "cpu_core")
            || name.starts_with("armv8")
            || name.starts_with("apple_")
    };
    let unit = devices.iter().find(|name| is_unit(name));
    let Some(unit) = unit else {
        return Ok(Assessment::note(
            "the machine, or its hypervisor, shows no performance monitoring unit",
            "it is not needed: cycles are measured with instructions of known cost",
        ));
    };
    let paranoid = observed.tree.number(PARANOID)?;
    Ok(if paranoid > OWN_EVENTS {
        Assessment::note(
            format!(
                "{unit} is there, but programs may not use it (perf_event_paranoid is {paranoid})"
            ),
            format!(
                "`sysctl kernel.perf_event_paranoid={OWN_EVENTS}` as root, until the next start"
            ),
        )
    } else {
        Assessment::fine(format!("{unit}, and a program may count its own events"))
    })
}
