//! Whether the machine is a virtual one, and whose.

use tourbillon_report::Pieces;

use super::fact::{self, Facts, Known};
use crate::contains::contains;
use crate::text::owned;

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

/// Adds the hypervisor; no on a real machine.
pub(super) fn add(facts: &mut Facts, cpuinfo: &Known<String>) {
    match is_guest(cpuinfo) {
        Ok(true) => facts.known("hypervisor", name().unwrap_or("unknown")),
        real => facts.flag("hypervisor", real),
    }
}

#[inline(never)]
fn name() -> Option<&'static str> {
    for path in &TEXTS {
        if let Ok(text) = fact::read(path)
            && let Some(name) = name_in(text)
        {
            return Some(name);
        }
    }
    None
}

/// Whether the processor's flags say that a hypervisor is under this system.
fn is_guest(cpuinfo: &Known<String>) -> Known<bool> {
    let cpuinfo = cpuinfo.as_ref().map_err(String::clone)?;
    let Some(flags) = fact::field(cpuinfo, "flags", b':') else {
        return Err(owned("this processor does not say whether it is virtual"));
    };
    for flag in Pieces::divided(flags, b' ') {
        if flag == "hypervisor" {
            return Ok(true);
        }
    }
    Ok(false)
}

fn name_in(mut text: String) -> Option<&'static str> {
    text.make_ascii_lowercase();
    for (mark, name) in MARKS {
        if contains(&text, mark) {
            return Some(name);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_say_so() {
        let guest = |cpuinfo: &str| is_guest(&Ok(cpuinfo.to_owned()));
        assert_eq!(guest("flags\t\t: fpu hypervisor lahf_lm\n"), Ok(true));
        assert_eq!(guest("flags\t\t: fpu lahf_lm\nbugs: hypervisor"), Ok(false));
        assert!(guest("Features\t: fp asimd\n").is_err());
        assert_eq!(is_guest(&Err("none".to_owned())), Err("none".to_owned()));
    }

    #[test]
    fn names() {
        for (text, expected) in [
            ("tsc kvm-clock", Some("KVM")),
            ("hyperv_clocksource_tsc_page acpi_pm", Some("Hyper-V")),
            ("Microsoft Corporation", Some("Hyper-V")),
            ("VMware, Inc.", Some("VMware")),
            ("xen tsc", Some("Xen")),
            ("Amazon EC2", Some("Amazon EC2")),
            ("tsc hpet acpi_pm", None),
            ("", None),
        ] {
            assert_eq!(name_in(text.to_owned()), expected, "{text}");
        }
    }
}
