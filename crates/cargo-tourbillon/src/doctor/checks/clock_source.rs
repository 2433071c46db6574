//! The source of the system's clock.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";
/// Counters of the processor.
const COUNTERS: [&str; 3] = ["tsc", "arch_sys_counter", "timebase"];
/// Pages shared by a hypervisor, which are read without leaving the machine if set up for that.
const SHARED: [&str; 3] = ["kvm-clock", "hyperv_clocksource_tsc_page", "xen"];

/// Whether reading the time takes nanoseconds.
pub(super) fn clock_source(observed: &Observations) -> Known<Assessment> {
    let current = observed.tree.read(&format!("{FOLDER}/current_clocksource"))?;
    if COUNTERS.contains(&current.as_str()) {
        return Ok(Assessment::fine(format!("{current}, the processor's counter")));
    }
    let available = observed
        .tree
        .read(&format!("{FOLDER}/available_clocksource"))
        .unwrap_or_default();
    let better = available.split(' ').find(|name| COUNTERS.contains(name));
    let remedy = match better {
        Some(better) => format!("`echo {better} > {FOLDER}/current_clocksource` as root"),
        None => "the kernel's log tells why it does not use the processor's counter".to_owned(),
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
