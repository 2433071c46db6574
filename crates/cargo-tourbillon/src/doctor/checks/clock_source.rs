//! What is behind the system's clock.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";
/// Counters of the processor itself.
const COUNTERS: [&str; 3] = ["tsc", "arch_sys_counter", "timebase"];
/// Pages that a hypervisor shares, read without leaving the machine where it is set up for that.
const SHARED: [&str; 3] = ["kvm-clock", "hyperv_clocksource_tsc_page", "xen"];

/// Whether reading the time is a matter of nanoseconds.
pub(super) fn clock_source(seen: &Seen) -> Known<Said> {
    let current = seen.tree.read(&format!("{FOLDER}/current_clocksource"))?;
    if COUNTERS.contains(&current.as_str()) {
        return Ok(Said::fine(format!("{current}, the processor's counter")));
    }
    let available = seen
        .tree
        .read(&format!("{FOLDER}/available_clocksource"))
        .unwrap_or_default();
    let better = available.split(' ').find(|name| COUNTERS.contains(name));
    let remedy = match better {
        Some(better) => format!("`echo {better} > {FOLDER}/current_clocksource` as root"),
        None => "see in the kernel's log why it does not trust the processor's counter".to_owned(),
    };
    Ok(if SHARED.contains(&current.as_str()) {
        Said::note(
            format!("{current}: the hypervisor's, over the processor's counter"),
            remedy,
        )
    } else {
        Said::matters(
            format!("{current}: a device far from the processor, slow to read"),
            remedy,
        )
    })
}
