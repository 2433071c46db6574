//! The processor: what it is, and how many cores there are.

use std::path::Path;

use tourbillon_record::Fact;

use super::fact;

/// Facts out of the texts of /proc/cpuinfo and /proc/self/status.
pub(super) fn facts(
    cpuinfo: &Result<String, String>,
    status: &Result<String, String>,
) -> Vec<Fact> {
    let named = |names: [&str; 2]| {
        let known = |name| fact::field_of(cpuinfo, name, "/proc/cpuinfo").map(str::to_owned);
        known(names[0]).or_else(|_| known(names[1]))
    };
    let logical =
        fact::read_system("/sys/devices/system/cpu/online").and_then(|online| count(&online));
    let physical = match cpuinfo.as_deref().ok().and_then(physical_cores) {
        Some(cores) => Ok(cores),
        None => physical_from(Path::new("/sys/devices/system/cpu")),
    };
    let allowed = fact::field_of(status, "Cpus_allowed_list", "/proc/self/status").and_then(count);
    vec![
        // The second name of each pair is what Arm kernels write.
        fact::text("cpu_vendor", named(["vendor_id", "CPU implementer"])),
        fact::text("cpu_model", named(["model name", "Hardware"])),
        fact::text("cpu_family", named(["cpu family", "CPU architecture"])),
        fact::text("cpu_model_number", named(["model", "CPU part"])),
        fact::text("cpu_stepping", named(["stepping", "CPU revision"])),
        fact::integer("cores_logical", logical),
        fact::integer("cores_physical", physical),
        fact::integer("cores_allowed", allowed),
    ]
}

/// How many numbers a list such as `0-3,8` holds.
fn count(list: &str) -> Result<u64, String> {
    let mut total = 0_u64;
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
            (Ok(first), Ok(last)) if first <= last => total += u64::from(last - first) + 1,
            _ => return Err(format!("the list of processors {list:?} is not understood")),
        }
    }
    Ok(total)
}

/// Pairs of package and core in /proc/cpuinfo; `None` where it has none, as on Arm.
fn physical_cores(cpuinfo: &str) -> Option<u64> {
    let mut cores = Vec::new();
    let mut package = None;
    for line in cpuinfo.lines() {
        match line.split_once(':') {
            Some((name, value)) if name.trim() == "physical id" => package = Some(value.trim()),
            Some((name, value)) if name.trim() == "core id" => {
                let core = (package?, value.trim());
                // As a list: there are few, and a set would cost each build of a bench binary.
                if !cores.contains(&core) {
                    cores.push(core);
                }
            }
            _ => {}
        }
    }
    (!cores.is_empty()).then_some(cores.len() as u64)
}

/// Groups of processors that share a core, under /sys/devices/system/cpu.
fn physical_from(folder: &Path) -> Result<u64, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("{} cannot be listed: {error}", folder.display()))?;
    let mut groups = Vec::new();
    for entry in entries.flatten() {
        if let Ok(group) = fact::read(&entry.path().join("topology/thread_siblings_list"))
            && !groups.contains(&group)
        {
            groups.push(group);
        }
    }
    match groups.len() {
        0 => Err("the system does not say which processors share a core".to_owned()),
        groups => Ok(groups as u64),
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::FactValue;

    use super::*;

    const TWO_CORES_FOUR_THREADS: &str = "\
processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 142\n\
model name\t: Intel(R) Core(TM) i5 CPU @ 1.60GHz\nstepping\t: 10\nphysical id\t: 0\ncore id\t\t: 0\n\n\
processor\t: 1\nphysical id\t: 0\ncore id\t\t: 1\n\n\
processor\t: 2\nphysical id\t: 0\ncore id\t\t: 0\n\n\
processor\t: 3\nphysical id\t: 0\ncore id\t\t: 1\n";

    const ARM: &str = "\
processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\
CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";

    fn value(cpuinfo: &str, name: &str) -> FactValue {
        let facts = facts(
            &Ok(cpuinfo.to_owned()),
            &Ok("Cpus_allowed_list:\t0,2-3".to_owned()),
        );
        facts
            .into_iter()
            .find(|fact| fact.name == name)
            .expect(name)
            .value
    }

    #[test]
    fn what_a_processor_is() {
        let text = |text: &str| FactValue::Text(text.to_owned());
        for (cpuinfo, name, expected) in [
            (TWO_CORES_FOUR_THREADS, "cpu_vendor", text("GenuineIntel")),
            (
                TWO_CORES_FOUR_THREADS,
                "cpu_model",
                text("Intel(R) Core(TM) i5 CPU @ 1.60GHz"),
            ),
            (TWO_CORES_FOUR_THREADS, "cpu_family", text("6")),
            (TWO_CORES_FOUR_THREADS, "cpu_model_number", text("142")),
            (TWO_CORES_FOUR_THREADS, "cpu_stepping", text("10")),
            (
                TWO_CORES_FOUR_THREADS,
                "cores_physical",
                FactValue::Integer(2),
            ),
            (
                TWO_CORES_FOUR_THREADS,
                "cores_allowed",
                FactValue::Integer(3),
            ),
            (ARM, "cpu_vendor", text("0x41")),
            (
                ARM,
                "cpu_model",
                FactValue::Absent("/proc/cpuinfo does not name it".to_owned()),
            ),
            (ARM, "cpu_model_number", text("0xd0c")),
        ] {
            assert_eq!(value(cpuinfo, name), expected, "{name}");
        }
    }

    #[test]
    fn lists_are_counted() {
        for (list, expected) in [("0", 1), ("0-3", 4), ("0-1,4,6-7", 5), ("0, 2-3", 3)] {
            assert_eq!(count(list), Ok(expected), "{list}");
        }
        for list in ["", "a", "3-1", "1,,2", "-1"] {
            assert!(count(list).is_err(), "{list}");
        }
    }

    #[test]
    fn cores_need_both_numbers() {
        assert_eq!(physical_cores(TWO_CORES_FOUR_THREADS), Some(2));
        assert_eq!(physical_cores(ARM), None);
        assert_eq!(physical_cores("core id : 0\n"), None);
        assert_eq!(
            physical_cores("physical id: 0\ncore id: 0\nphysical id: 1\ncore id: 0"),
            Some(2)
        );
    }
}
