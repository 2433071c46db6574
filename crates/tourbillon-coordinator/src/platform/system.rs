//! The operating system: its name, its kernel, its memory, what it runs on, whether it randomises
//! addresses, whether a debugger is attached.

use std::env::consts;

use tourbillon_os::{HYPERVISOR_FILES, emulator, hypervisor_in};

use super::fact::{Facts, Known, field, field_of, read, read_in, unquoted, whole};

/// Bit of a process's personality that switches off the randomisation of addresses, as
/// `setarch -R` and debuggers set it (`ADDR_NO_RANDOMIZE`, linux/personality.h).
const NO_RANDOMISATION: u64 = 0x0004_0000;

const CLOCK_SOURCES: &str = "/sys/devices/system/clocksource/clocksource0";

pub(super) fn add(facts: &mut Facts) {
    let release = read("/etc/os-release").unwrap_or_default();
    facts.known("os", os_name(&release).unwrap_or(consts::OS));
    facts.text("kernel", kernel());
    facts.known("arch", consts::ARCH);
    facts.flag("aslr", aslr());
    let source = read_in(CLOCK_SOURCES, "current_clocksource");
    if is_slow(&source) {
        facts.known("clock_source", &source);
    }
}

/// Whether the system's clock is a device far from the processor: it is slow to read, and the system uses
/// it where it does not trust the processor's counter.
fn is_slow(clock_source: &str) -> bool {
    let slow = ["hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies"];
    slow.contains(&clock_source)
}

fn kernel() -> Known<String> {
    let name = read("/proc/sys/kernel/ostype")?;
    let release = read("/proc/sys/kernel/osrelease")?;
    Ok(format!("{name} {release}"))
}

fn aslr() -> Known<bool> {
    let setting = read("/proc/sys/kernel/randomize_va_space")?;
    let personality = read("/proc/self/personality").ok();
    randomises(&setting, personality.as_deref())
}

/// Name and version in an os-release file.
fn os_name(text: &str) -> Option<&str> {
    let name = field(text, "PRETTY_NAME", '=').map(unquoted);
    name.filter(|name| !name.is_empty())
}

/// Whether addresses of this process are randomised: the system's setting, 0 for no, and the
/// process's own personality in hexadecimal, where that can be read.
fn randomises(setting: &str, personality: Option<&str>) -> Known<bool> {
    let bits = personality.map_or(Ok(0), |text| u64::from_str_radix(text, 16));
    match (whole(setting), bits) {
        (Some(0), _) => Ok(false),
        (Some(_), Ok(bits)) => Ok(bits & NO_RANDOMISATION == 0),
        _ => Err(
            "/proc/sys/kernel/randomize_va_space or /proc/self/personality is not understood"
                .to_owned(),
        ),
    }
}

/// Adds the machine's memory, by the text of /proc/meminfo.
pub(super) fn add_memory(facts: &mut Facts, meminfo: &Known<String>) {
    facts.integer("memory_bytes", memory(meminfo));
}

fn memory(meminfo: &Known<String>) -> Known<u64> {
    let total = field_of(meminfo, "MemTotal", "/proc/meminfo")?;
    let kilobytes = total.strip_suffix("kB").and_then(whole);
    kilobytes
        .and_then(|kilobytes| kilobytes.checked_mul(1024))
        .ok_or_else(|| format!("/proc/meminfo: MemTotal {total:?} is not understood"))
}

/// Adds the hypervisor, by the text of /proc/cpuinfo; no on a real machine.
pub(super) fn add_hypervisor(facts: &mut Facts, cpuinfo: &Known<String>) {
    match is_guest(cpuinfo) {
        Ok(true) => {
            let mut files = HYPERVISOR_FILES.iter();
            let name = files.find_map(|path| hypervisor_in(&read(path).ok()?));
            facts.known("hypervisor", name.unwrap_or("unknown"));
        }
        real => facts.flag("hypervisor", real),
    }
}

/// Whether the processor's flags name a hypervisor.
fn is_guest(cpuinfo: &Known<String>) -> Known<bool> {
    let cpuinfo = cpuinfo.as_ref().map_err(String::clone)?;
    let flags =
        field(cpuinfo, "flags", ':').ok_or("this processor does not tell whether it is virtual")?;
    Ok(flags.split(' ').any(|flag| flag == "hypervisor"))
}

/// Adds the emulator of a processor, where one runs this program.
pub(super) fn add_emulator(facts: &mut Facts) {
    if let Some(name) = emulator() {
        facts.known("emulator", &name);
    }
}

/// Adds the debugger or tracer that is attached, by the text of /proc/self/status.
pub(super) fn add_debugger(facts: &mut Facts, status: &Known<String>) {
    match tracer(status) {
        Ok(0) => facts.flag("debugger", Ok(false)),
        Ok(pid) => {
            let name = read(format!("/proc/{pid}/comm"));
            facts.known("debugger", &name.unwrap_or(format!("process {pid}")));
        }
        Err(why) => facts.absent("debugger", &why),
    }
}

/// The process that traces this one, such as a debugger or strace; 0 for none.
fn tracer(status: &Known<String>) -> Known<u64> {
    let field = field_of(status, "TracerPid", "/proc/self/status")?;
    whole(field).ok_or_else(|| format!("/proc/self/status: TracerPid {field:?} is not understood"))
}

#[cfg(test)]
mod tests {
    use tourbillon_record::FactValue;

    use super::*;

    #[test]
    fn slow_clocks() {
        for quick in ["tsc", "kvm-clock", "arch_sys_counter", ""] {
            assert!(!is_slow(quick), "{quick}");
        }
        assert!(is_slow("hpet") && is_slow("acpi_pm"));
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

    #[test]
    fn guests() {
        let guest = |cpuinfo: &str| is_guest(&Ok(cpuinfo.to_owned()));
        assert_eq!(guest("flags\t\t: fpu hypervisor lahf_lm\n"), Ok(true));
        assert_eq!(guest("flags\t\t: fpu lahf_lm\nbugs: hypervisor"), Ok(false));
        assert!(guest("Features\t: fp asimd\n").is_err());
        assert_eq!(is_guest(&Err("none".to_owned())), Err("none".to_owned()));
    }

    #[test]
    fn tracers() {
        let status = |text: &str| Ok(text.to_owned());
        assert_eq!(tracer(&status("Name:\tx\nTracerPid:\t0\n")), Ok(0));
        assert_eq!(tracer(&status("TracerPid:\t312\n")), Ok(312));
        assert!(tracer(&status("TracerPid:\tx\n")).is_err());
        assert!(tracer(&status("Name:\tx\n")).is_err());
        assert_eq!(tracer(&Err("none".to_owned())), Err("none".to_owned()));
    }
}
