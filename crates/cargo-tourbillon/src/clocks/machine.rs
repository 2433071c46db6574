//! The machine.

use std::fs;
use std::thread;

use super::report::Machine;

/// What the system reports. The kernel's clock source and the core's frequency are added elsewhere.
pub(super) fn this() -> Machine {
    let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
    let kernel = read("/proc/sys/kernel/osrelease");
    Machine {
        processor: processor(&cpuinfo).unwrap_or_else(|| "processor without a name".to_owned()),
        processors: thread::available_parallelism().map_or(1, |count| count.get() as u64),
        os: match kernel {
            Some(release) => format!("{} {release}", std::env::consts::OS),
            None => std::env::consts::OS.to_owned(),
        },
        arch: std::env::consts::ARCH.to_owned(),
        guest: guest(&cpuinfo),
        core_hz: None,
        kernel_source: None,
        kernel_alternatives: Vec::new(),
    }
}

/// The trimmed text of a small system file; `None` if it is missing or empty.
fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A field of the first processor in /proc/cpuinfo.
fn field<'c>(cpuinfo: &'c str, name: &str) -> Option<&'c str> {
    cpuinfo.lines().find_map(|line| {
        let (field, value) = line.split_once(':')?;
        (field.trim() == name).then(|| value.trim())
    })
}

fn processor(cpuinfo: &str) -> Option<String> {
    let name = field(cpuinfo, "model name").or_else(|| field(cpuinfo, "Hardware"))?;
    (!name.is_empty()).then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether the processor reports a hypervisor; `None` without flags.
fn guest(cpuinfo: &str) -> Option<bool> {
    let flags = field(cpuinfo, "flags")?;
    Some(flags.split(' ').any(|flag| flag == "hypervisor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPUINFO: &str = "processor\t: 0\nmodel name\t: Example(R)   CPU @ 3.00GHz\n\
        flags\t\t: fpu tsc hypervisor\n\nprocessor\t: 1\nmodel name\t: Other\n";

    #[test]
    fn the_first_processor_stands_for_all() {
        assert_eq!(
            processor(CPUINFO).as_deref(),
            Some("Example(R) CPU @ 3.00GHz")
        );
        assert_eq!(guest(CPUINFO), Some(true));
        assert_eq!(guest("flags : fpu hypervisor_not\n"), Some(false));
    }

    #[test]
    fn a_system_without_such_files_is_a_machine_too() {
        assert_eq!(processor(""), None);
        assert_eq!(guest(""), None);
        assert_eq!(read("/there/is/no/such/file"), None);
        assert!(this().processors > 0);
    }
}
