//! The operating system: its name, its kernel, its memory, whether it randomises addresses.

use std::env::consts;

use super::fact::{self, Facts, Known};
use crate::processors::whole;
use crate::text::{owned, text};

/// Bit of a process's personality that switches off the randomisation of addresses, as
/// `setarch -R` and debuggers set it (`ADDR_NO_RANDOMIZE`, linux/personality.h).
const NO_RANDOMISATION: u64 = 0x0004_0000;

pub(super) fn add(facts: &mut Facts) {
    let release = fact::read("/etc/os-release").unwrap_or_default();
    facts.known("os", os_name(&release).unwrap_or(consts::OS));
    facts.text("kernel", kernel());
    facts.known("arch", consts::ARCH);
    facts.flag("aslr", aslr());
    let source = fact::read_in(
        "/sys/devices/system/clocksource/clocksource0",
        "current_clocksource",
    );
    if is_far(&source) {
        facts.known("clock_source", &source);
    }
}

/// Whether what the system takes its time from is a device far from the processor: it is slow to read, and
/// the system takes it where it does not trust the processor's counter.
fn is_far(clock_source: &str) -> bool {
    matches!(
        clock_source,
        "hpet" | "acpi_pm" | "pit" | "jiffies" | "refined-jiffies"
    )
}

fn kernel() -> Known<String> {
    let name = fact::read("/proc/sys/kernel/ostype")?;
    let release = fact::read("/proc/sys/kernel/osrelease")?;
    Ok(text!("{name} {release}"))
}

fn aslr() -> Known<bool> {
    let setting = fact::read("/proc/sys/kernel/randomize_va_space")?;
    let personality = fact::read("/proc/self/personality").ok();
    randomises(&setting, personality.as_deref())
}

/// Name and version out of an os-release file.
fn os_name(text: &str) -> Option<&str> {
    let name = fact::field(text, "PRETTY_NAME", b'=')?;
    let name = fact::unquoted(name);
    (!name.is_empty()).then_some(name)
}

/// Whether addresses of this process are randomised: the system's setting, 0 for no, and the
/// process's own personality in hexadecimal, where that can be read.
fn randomises(setting: &str, personality: Option<&str>) -> Known<bool> {
    let personality = personality.map_or(Ok(0), |text| u64::from_str_radix(text, 16));
    match (whole(setting), personality) {
        (Some(0), _) => Ok(false),
        (Some(_), Ok(bits)) => Ok(bits & NO_RANDOMISATION == 0),
        _ => Err(owned(
            "/proc/sys/kernel/randomize_va_space or /proc/self/personality is not understood",
        )),
    }
}

/// Adds the machine's memory out of the text of /proc/meminfo.
pub(super) fn add_memory(facts: &mut Facts, meminfo: &Known<String>) {
    facts.integer("memory_bytes", memory(meminfo));
}

fn memory(meminfo: &Known<String>) -> Known<u64> {
    let total = fact::field_of(meminfo, "MemTotal", "/proc/meminfo")?;
    let kilobytes = total.strip_suffix("kB").and_then(whole);
    kilobytes
        .and_then(|kilobytes| kilobytes.checked_mul(1024))
        .ok_or_else(|| text!("/proc/meminfo: MemTotal {total:?} is not understood"))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::FactValue;

    use super::*;

    #[test]
    fn clocks_that_are_far_away() {
        for near in ["tsc", "kvm-clock", "arch_sys_counter", ""] {
            assert!(!is_far(near), "{near}");
        }
        assert!(is_far("hpet") && is_far("acpi_pm"));
    }

    #[test]
    fn names_of_systems() {
        for (text, expected) in [
            (
                "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
                Some("Debian GNU/Linux 12 (bookworm)"),
            ),
            ("PRETTY_NAME=Alpine", Some("Alpine")),
            ("PRETTY_NAME='Void Linux'", Some("Void Linux")),
            ("PRETTY_NAME=\"\"", None),
            ("NAME=x", None),
            ("", None),
        ] {
            assert_eq!(os_name(text), expected, "{text}");
        }
    }

    #[test]
    fn randomisation() {
        assert_eq!(randomises("2", Some("00000000")), Ok(true));
        assert_eq!(randomises("2", None), Ok(true));
        assert_eq!(randomises("2", Some("00040000")), Ok(false));
        assert_eq!(randomises("0", Some("00000000")), Ok(false));
        assert!(randomises("x", None).is_err());
        assert!(randomises("2", Some("zz")).is_err());
    }

    #[test]
    fn sizes_of_memory() {
        for (text, expected) in [
            (
                "MemTotal:        8052340 kB\nMemFree: 1 kB",
                FactValue::Integer(8_245_596_160),
            ),
            (
                "MemFree: 1 kB",
                FactValue::Absent("/proc/meminfo does not name it".to_owned()),
            ),
            (
                "MemTotal: 1 MB",
                FactValue::Absent("/proc/meminfo: MemTotal \"1 MB\" is not understood".to_owned()),
            ),
        ] {
            let mut facts = Facts::default();
            add_memory(&mut facts, &Ok(text.to_owned()));
            assert_eq!(facts.0[0].value, expected, "{text}");
        }
    }
}
