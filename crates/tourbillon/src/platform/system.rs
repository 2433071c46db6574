//! The operating system: its name, its kernel, its memory, whether it randomises addresses.

use std::env::consts;

use tourbillon_record::Fact;

use super::fact;

/// Bit of a process's personality that switches off the randomisation of addresses, as
/// `setarch -R` and debuggers set it (`ADDR_NO_RANDOMIZE`, linux/personality.h).
const NO_RANDOMISATION: u64 = 0x0004_0000;

pub(super) fn facts() -> Vec<Fact> {
    let os = fact::read_system("/etc/os-release")
        .ok()
        .and_then(|text| os_name(&text))
        .unwrap_or_else(|| consts::OS.to_owned());
    let kernel = fact::read_system("/proc/sys/kernel/ostype").and_then(|name| {
        fact::read_system("/proc/sys/kernel/osrelease").map(|release| format!("{name} {release}"))
    });
    let aslr = fact::read_system("/proc/sys/kernel/randomize_va_space").and_then(|setting| {
        let personality = fact::read_system("/proc/self/personality").ok();
        randomises(&setting, personality.as_deref())
    });
    vec![
        fact::text("os", Ok(os)),
        fact::text("kernel", kernel),
        fact::text("arch", Ok(consts::ARCH.to_owned())),
        fact::flag("aslr", aslr),
    ]
}

/// Name and version out of an os-release file.
fn os_name(text: &str) -> Option<String> {
    let name = fact::field(text, "PRETTY_NAME", '=')?;
    let name = name.trim_matches(['"', '\'']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// Whether addresses of this process are randomised: the system's setting, 0 for no, and the
/// process's own personality in hexadecimal, where that can be read.
fn randomises(setting: &str, personality: Option<&str>) -> Result<bool, String> {
    let personality = personality.map_or(Ok(0), |text| u64::from_str_radix(text, 16));
    match (setting.parse::<u32>(), personality) {
        (Ok(0), _) => Ok(false),
        (Ok(_), Ok(bits)) => Ok(bits & NO_RANDOMISATION == 0),
        _ => Err(
            "/proc/sys/kernel/randomize_va_space or /proc/self/personality is not understood"
                .to_owned(),
        ),
    }
}

/// The machine's memory out of the text of /proc/meminfo.
pub(super) fn memory(meminfo: Result<String, String>) -> Fact {
    let bytes = fact::field_of(&meminfo, "MemTotal", "/proc/meminfo").and_then(|total| {
        total
            .strip_suffix("kB")
            .and_then(|kilobytes| kilobytes.trim().parse::<u64>().ok())
            .and_then(|kilobytes| kilobytes.checked_mul(1024))
            .ok_or_else(|| format!("/proc/meminfo: MemTotal {total:?} is not understood"))
    });
    fact::integer("memory_bytes", bytes)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::FactValue;

    use super::*;

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
            assert_eq!(os_name(text).as_deref(), expected, "{text}");
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
            assert_eq!(memory(Ok(text.to_owned())).value, expected, "{text}");
        }
    }
}
