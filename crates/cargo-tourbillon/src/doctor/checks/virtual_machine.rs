//! Virtual machines and stolen time.

use tourbillon_os::{HYPERVISOR_FILES, hypervisor_in};
use tourbillon_present::advice::Trouble;
use tourbillon_present::number::percent;
use tourbillon_tool::machine_facts::field;

use crate::doctor::finding::Assessment;
use crate::doctor::moment::{Observations, times_between, times_of};
use crate::doctor::tree::{Known, Tree};

/// Shares of stolen time that are noted, and that matter.
const SHARES: [f64; 2] = [0.001, 0.01];

/// Whether the processor reports a hypervisor.
pub(super) fn hypervisor(observed: &Observations) -> Known<Assessment> {
    Ok(if is_guest(&observed.tree)? {
        let mut files = HYPERVISOR_FILES.iter();
        let name = files.find_map(|path| hypervisor_in(&observed.tree.read(path).ok()?));
        let of = name.map_or_else(String::new, |name| format!(" of {name}"));
        Assessment::note(
            format!(
                "a virtual machine{of}: other guests share the processor, the caches and the memory"
            ),
            Trouble::VirtualMachine.remedy(),
        )
    } else {
        Assessment::fine("none: a real machine")
    })
}

pub(super) fn is_guest(tree: &Tree) -> Known<bool> {
    let cpuinfo = tree.read("/proc/cpuinfo")?;
    match field(&cpuinfo, "flags") {
        Some(flags) => Ok(flags.split(' ').any(|flag| flag == "hypervisor")),
        // Arm's processors have no such flag, but hypervisors add their name to the machine's
        // tables.
        None if tree.read("/sys/hypervisor/type").is_ok() => Ok(true),
        None => Err("this processor does not report whether it is virtual".to_owned()),
    }
}

/// Time in which a virtual processor was ready and the hypervisor ran something else.
pub(super) fn steal(observed: &Observations) -> Known<Assessment> {
    let now = times_between(&observed.earlier.stat, &observed.later.stat, None)?.steal();
    let always = times_of(&observed.later.stat, None)?.steal();
    if always == 0.0 && is_guest(&observed.tree) == Ok(false) {
        return Ok(Assessment::fine("none: a real machine has no hypervisor"));
    }
    let share = now.max(always);
    let [now, always] = [now, always].map(percent);
    let mut found = format!("{now} of the time while this ran, {always} since the start");
    if share >= SHARES[0] {
        found.insert_str(0, "the hypervisor took ");
    }
    let remedy = "measure when the host is quiet, or on a machine with dedicated processors";
    Ok(Assessment::of(share, SHARES, found, remedy))
}

/// Whether an emulator executes this program for another processor.
pub(super) fn translation(observed: &Observations) -> Known<Assessment> {
    Ok(match &observed.emulator {
        Some(name) => Assessment::matters(
            format!("an emulator ({name}) translates the instructions of this program"),
            Trouble::Emulator.remedy(),
        ),
        None => Assessment::fine("none: made for this processor"),
    })
}
