//! Whether the machine is a virtual one, and whose.

use tourbillon_record::Fact;

use super::fact;

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

/// The hypervisor; no on a real machine.
pub(super) fn fact(cpuinfo: &Result<String, String>) -> Fact {
    match cpuinfo.as_deref().map_err(String::from).and_then(is_guest) {
        Ok(true) => {}
        real => return fact::flag("hypervisor", real),
    }
    let texts = [
        "/sys/hypervisor/type",
        "/sys/class/dmi/id/sys_vendor",
        "/sys/class/dmi/id/product_name",
        "/sys/devices/system/clocksource/clocksource0/available_clocksource",
    ];
    let mut known = texts.iter().filter_map(|path| fact::read_system(path).ok());
    let name = known.find_map(|text| name_in(&text)).unwrap_or("unknown");
    fact::text("hypervisor", Ok(name.to_owned()))
}

/// Whether the processor's flags say that a hypervisor is under this system.
fn is_guest(cpuinfo: &str) -> Result<bool, String> {
    match fact::field(cpuinfo, "flags", ':') {
        Some(flags) => Ok(flags.split_whitespace().any(|flag| flag == "hypervisor")),
        None => Err("this processor does not say whether it is virtual".to_owned()),
    }
}

fn name_in(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    MARKS
        .iter()
        .find(|(mark, _)| text.contains(mark))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_say_so() {
        assert_eq!(is_guest("flags\t\t: fpu hypervisor lahf_lm\n"), Ok(true));
        assert_eq!(
            is_guest("flags\t\t: fpu lahf_lm\nbugs: hypervisor"),
            Ok(false)
        );
        assert!(is_guest("Features\t: fp asimd\n").is_err());
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
            assert_eq!(name_in(text), expected, "{text}");
        }
    }
}
