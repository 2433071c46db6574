//! Whether the machine is a virtual one, and what it loses by that.

use super::Seen;
use crate::cells::percent;
use crate::doctor::finding::Said;
use crate::doctor::times;
use crate::doctor::tree::{Known, Tree, field};

/// Share of stolen time that makes figures worse, and one that is worth knowing.
const MUCH: f64 = 0.01;
const SOME: f64 = 0.001;

/// Names that hypervisors leave in the texts of the system, with the names people know.
const MARKS: &[(&str, &str)] = &[
    ("kvm", "KVM"),
    ("qemu", "KVM"),
    ("hyperv", "Hyper-V"),
    ("microsoft", "Hyper-V"),
    ("vmware", "VMware"),
    ("virtualbox", "VirtualBox"),
    ("innotek", "VirtualBox"),
    ("xen", "Xen"),
    ("parallels", "Parallels"),
    ("bhyve", "bhyve"),
    ("amazon ec2", "Amazon EC2"),
    ("google", "Google"),
    ("apple", "Apple Virtualization"),
];

/// Where the system keeps such texts.
const TEXTS: [&str; 4] = [
    "/sys/hypervisor/type",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/devices/system/clocksource/clocksource0/available_clocksource",
];

/// Whether a hypervisor shows itself to the processor.
pub(super) fn hypervisor(seen: &Seen) -> Known<Said> {
    Ok(if is_guest(&seen.tree)? {
        let name = TEXTS
            .iter()
            .find_map(|path| name_in(&seen.tree.read(path).ok()?));
        let name = name.map_or("a virtual machine".to_owned(), |name| {
            format!("a virtual machine of {name}")
        });
        Said::note(
            format!("{name}: others share the processor, the caches and the memory"),
            "compare builds in one run; for absolute figures take a machine of your own",
        )
    } else {
        Said::fine("none: a real machine")
    })
}

fn is_guest(tree: &Tree) -> Known<bool> {
    let cpuinfo = tree.read("/proc/cpuinfo")?;
    match field(&cpuinfo, "flags") {
        Some(flags) => Ok(flags.split(' ').any(|flag| flag == "hypervisor")),
        // Arm's processors have no such flag, but hypervisors sign the tables of the machine.
        None if tree.read("/sys/hypervisor/type").is_ok() => Ok(true),
        None => Err("this processor does not say whether it is virtual".to_owned()),
    }
}

fn name_in(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    let known = MARKS.iter().find(|(mark, _)| text.contains(mark));
    known.map(|(_, name)| *name)
}

/// Time in which a virtual processor was ready and the hypervisor ran something else.
pub(super) fn steal(seen: &Seen) -> Known<Said> {
    let now = times::between(&seen.earlier.stat, &seen.later.stat, None)?.steal();
    let always = times::of(&seen.later.stat, None)?.steal();
    if always == 0.0 && is_guest(&seen.tree) == Ok(false) {
        return Ok(Said::fine(
            "none: a real machine has no hypervisor that takes time",
        ));
    }
    let found = format!(
        "{} of the time while this ran, {} since the start",
        percent(now),
        percent(always)
    );
    let remedy = "measure when the host is quiet, or on a machine with processors of its own";
    Ok(if now >= MUCH || always >= MUCH {
        Said::matters(format!("the hypervisor took {found}"), remedy)
    } else if now >= SOME || always >= SOME {
        Said::note(format!("the hypervisor took {found}"), remedy)
    } else {
        Said::fine(found)
    })
}
