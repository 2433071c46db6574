//! The processor: what it is, how many cores there are, and the caches of the first one.

use std::collections::BTreeSet;
use std::fs;

use tourbillon_present::number::kibibytes;

use super::fact::{Facts, Known, field_of, read, read_in, whole};
use crate::platform::core_kinds::CoreKinds;

/// Facts by the names of their fields in /proc/cpuinfo; the last one is what Arm kernels write.
const FIELDS: [(&str, &str, &str); 6] = [
    ("cpu_vendor", "vendor_id", "CPU implementer"),
    ("cpu_model", "model name", "Hardware"),
    ("cpu_family", "cpu family", "CPU architecture"),
    ("cpu_model_number", "model", "CPU part"),
    ("cpu_stepping", "stepping", "CPU revision"),
    ("microcode", "microcode", "microcode"),
];

/// Adds facts by the texts of /proc/cpuinfo and /proc/self/status.
pub(super) fn add(facts: &mut Facts, cpuinfo: &Known<String>, status: &Known<String>) {
    for (name, field, on_arm) in FIELDS {
        let value = field_of(cpuinfo, field, "/proc/cpuinfo")
            .or_else(|_| field_of(cpuinfo, on_arm, "/proc/cpuinfo"));
        facts.text(name, value.map(str::to_owned));
    }
    let online = read("/sys/devices/system/cpu/online");
    facts.integer("cores_logical", online.and_then(|online| count(&online)));
    let physical = cpuinfo.as_ref().ok().and_then(|text| physical_cores(text));
    let siblings = || physical_from("/sys/devices/system/cpu");
    facts.integer("cores_physical", physical.map_or_else(siblings, Ok));
    let allowed = field_of(status, "Cpus_allowed_list", "/proc/self/status");
    facts.integer("cores_allowed", allowed.and_then(count));
}

/// Adds how many cores there are of each kind.
pub(super) fn add_kinds(facts: &mut Facts, kinds: Option<&CoreKinds>, folder: &str) {
    for (kind, cpus) in kinds.iter().flat_map(|kinds| kinds.iter()) {
        let mut cores = BTreeSet::new();
        for cpu in cpus {
            let folder = format!("{folder}/cpu{cpu}");
            let siblings = read_in(folder, "topology/thread_siblings_list");
            cores.insert(if siblings.is_empty() {
                cpu.to_string()
            } else {
                siblings
            });
        }
        let name = format!("cores_{}", kind.to_string().replace('-', "_"));
        facts.integer(&name, Ok(cores.len() as u64));
    }
}

/// How many numbers a list such as `0-3,8` holds.
fn count(list: &str) -> Known<u64> {
    let processors = tourbillon_values::processors(list);
    processors.map(|processors| processors.len() as u64)
}

/// Pairs of package and core in /proc/cpuinfo; `None` where it has none, as on Arm.
fn physical_cores(cpuinfo: &str) -> Option<u64> {
    let mut cores = BTreeSet::new();
    let mut package = None;
    for (name, value) in cpuinfo.lines().filter_map(|line| line.split_once(':')) {
        match name.trim() {
            "physical id" => package = Some(value),
            "core id" => {
                cores.insert((package?, value));
            }
            _ => {}
        }
    }
    (!cores.is_empty()).then_some(cores.len() as u64)
}

/// Groups of processors that share a core, under /sys/devices/system/cpu.
fn physical_from(folder: &str) -> Known<u64> {
    let entries = fs::read_dir(folder).map_err(|_| format!("this system has no {folder}"))?;
    let groups: BTreeSet<String> = entries
        .flatten()
        .map(|entry| read_in(entry.path(), "topology/thread_siblings_list"))
        .filter(|group| !group.is_empty())
        .collect();
    match groups.len() {
        0 => Err("the system does not tell which processors share a core".to_owned()),
        groups => Ok(groups as u64),
    }
}

/// Adds what the folders `index0`, `index1`, .. of a processor describe. The names have no gaps.
pub(super) fn add_caches(facts: &mut Facts, folder: &str) {
    let cache = |index| describe(&|name| read_in(format!("{folder}/index{index}"), name));
    let caches: Vec<String> = (0..).map_while(cache).collect();
    if caches.is_empty() {
        let why = format!("the system does not describe them in {folder}");
        facts.absent("caches", &why);
    } else {
        facts.list("caches", caches);
    }
}

/// `L1 data 48 KiB`, `L3 32 MiB (shared by 0-7)`, by the files of one cache; `None` where there are none.
fn describe(read: &dyn Fn(&str) -> String) -> Option<String> {
    let level = read("level");
    if level.is_empty() {
        return None;
    }
    let kind = match read("type").as_str() {
        "Data" => " data",
        "Instruction" => " instruction",
        _ => "",
    };
    let mut text = format!("L{level}{kind} {}", size(&read("size")));
    let shared = read("shared_cpu_list");
    if shared.contains([',', '-']) {
        text += &format!(" (shared by {shared})");
    }
    Some(text)
}

/// `32768K` as `32 MiB`; what is not understood stays as it is.
fn size(kernel: &str) -> String {
    match kernel.strip_suffix('K').and_then(whole) {
        Some(size) => kibibytes(size),
        None => kernel.to_owned(),
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
        let mut facts = Facts::default();
        let status = Ok("Cpus_allowed_list:\t0,2-3".to_owned());
        add(&mut facts, &Ok(cpuinfo.to_owned()), &status);
        let found = facts.0.into_iter().find(|fact| fact.name == name);
        found.expect(name).value
    }

    #[test]
    fn processors_and_cores() {
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

    #[test]
    fn descriptions_of_caches() {
        for (files, expected) in [
            (["1", "Data", "48K", "0"], "L1 data 48 KiB"),
            (["1", "Instruction", "32K", "0"], "L1 instruction 32 KiB"),
            (["2", "Unified", "1024K", "0,4"], "L2 1 MiB (shared by 0,4)"),
            (
                ["3", "Unified", "36864K", "0-7"],
                "L3 36 MiB (shared by 0-7)",
            ),
            (["2", "Unified", "1280K", "0"], "L2 1280 KiB"),
            (["2", "Unified", "big", "0"], "L2 big"),
        ] {
            let read = |name: &str| {
                let at = ["level", "type", "size", "shared_cpu_list"]
                    .iter()
                    .position(|n| *n == name);
                at.map_or_else(String::new, |at| files[at].to_owned())
            };
            assert_eq!(describe(&read).as_deref(), Some(expected));
        }
        assert_eq!(describe(&|_| String::new()), None);
    }

    #[test]
    fn a_folder_without_caches() {
        let mut facts = Facts::default();
        add_caches(&mut facts, "/nowhere");
        let value = &facts.0[0].value;
        assert!(matches!(value, FactValue::Absent(_)), "{value:?}");
    }
}
