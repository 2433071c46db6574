//! Hardware performance counters, and the source of the system's clock.

use tourbillon_present::advice::Trouble;

use crate::doctor::finding::Assessment;
use crate::doctor::moment::Observations;
use crate::doctor::tree::Known;

const DEVICES: &str = "/sys/bus/event_source/devices";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
/// The highest value with which a program may count its own events.
const OWN_EVENTS: i64 = 2;

/// Whether there is a performance monitoring unit, and whether a program may use it.
pub(super) fn counters(observed: &Observations) -> Known<Assessment> {
    let mut devices = observed.tree.names(DEVICES)?.into_iter();
    let of_arm = |name: &str| name.starts_with("armv8") || name.starts_with("apple_");
    let Some(unit) = devices.find(|name| of_arm(name) || ["cpu", "cpu_core"].contains(&&**name))
    else {
        return Ok(Assessment::fine(
            "no performance monitoring unit is shown, and none is needed: instructions of known cost give the cycles",
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

const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";
/// Counters of the processor.
const COUNTERS: [&str; 3] = ["tsc", "arch_sys_counter", "timebase"];
/// Pages shared by a hypervisor, which are read without leaving the machine if set up for that.
const SHARED: [&str; 3] = ["kvm-clock", "hyperv_clocksource_tsc_page", "xen"];

/// Whether reading the time takes nanoseconds.
pub(super) fn clock_source(observed: &Observations) -> Known<Assessment> {
    let read = |file: &str| observed.tree.read(&format!("{FOLDER}/{file}_clocksource"));
    let current = read("current")?;
    if COUNTERS.contains(&current.as_str()) {
        let found = format!("{current}, the processor's counter");
        return Ok(Assessment::fine(found));
    }
    let available = read("available").unwrap_or_default();
    let better = available.split(' ').find(|name| COUNTERS.contains(name));
    let remedy = match better {
        Some(better) => format!("`echo {better} > {FOLDER}/current_clocksource` as root"),
        None => Trouble::ClockSource.remedy().to_owned(),
    };
    Ok(if SHARED.contains(&current.as_str()) {
        Assessment::note(
            format!("{current}: the hypervisor's, over the processor's counter"),
            remedy,
        )
    } else {
        Assessment::matters(
            format!("{current}: a device far from the processor, slow to read"),
            remedy,
        )
    })
}
