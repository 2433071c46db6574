//! Names of hypervisors.

/// Parts of names in the system's texts, and the hypervisors.
const MARKS: [(&str, &str); 14] = [
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
    // The model of a virtual Mac.
    ("virtualmac", "Apple Virtualization"),
    ("apple", "Apple Virtualization"),
];

/// Files of Linux in whose texts [`hypervisor_in`] looks, in this order.
pub const HYPERVISOR_FILES: [&str; 4] = [
    "/sys/hypervisor/type",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/devices/system/clocksource/clocksource0/available_clocksource",
];

/// The hypervisor that a text of the system names.
#[must_use]
pub fn hypervisor_in(text: &str) -> Option<&'static str> {
    let text = text.to_ascii_lowercase();
    let found = MARKS.iter().find(|(mark, _)| text.contains(mark));
    found.map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::hypervisor_in;

    #[test]
    fn hypervisors() {
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
            assert_eq!(hypervisor_in(text), expected, "{text}");
        }
    }
}
