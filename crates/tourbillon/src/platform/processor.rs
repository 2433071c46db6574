//! The processor: what it is, and how many cores there are.

use tourbillon_report::Pieces;

use super::fact::{self, Facts, Known};
use crate::contains::among;
use crate::processors::ranges;
use crate::text::{listed, owned, text};

/// Facts by the names of their fields in /proc/cpuinfo; the last one is what Arm kernels write.
const FIELDS: [(&str, &str, &str); 5] = [
    ("cpu_vendor", "vendor_id", "CPU implementer"),
    ("cpu_model", "model name", "Hardware"),
    ("cpu_family", "cpu family", "CPU architecture"),
    ("cpu_model_number", "model", "CPU part"),
    ("cpu_stepping", "stepping", "CPU revision"),
];

/// Adds facts out of the texts of /proc/cpuinfo and /proc/self/status.
#[inline(never)]
pub(super) fn add(facts: &mut Facts, cpuinfo: &Known<String>, status: &Known<String>) {
    for (name, field, on_arm) in &FIELDS {
        let mut value = fact::field_of(cpuinfo, field, "/proc/cpuinfo");
        if value.is_err() {
            value = fact::field_of(cpuinfo, on_arm, "/proc/cpuinfo");
        }
        match value {
            Ok(value) => facts.known(name, value),
            Err(why) => facts.absent(name, &why),
        }
    }
    let online = fact::read("/sys/devices/system/cpu/online");
    facts.integer("cores_logical", online.and_then(|online| count(&online)));
    let physical = cpuinfo.as_ref().ok().and_then(|text| physical_cores(text));
    facts.integer(
        "cores_physical",
        match physical {
            Some(cores) => Ok(cores),
            None => physical_from("/sys/devices/system/cpu"),
        },
    );
    let allowed = fact::field_of(status, "Cpus_allowed_list", "/proc/self/status");
    facts.integer("cores_allowed", allowed.and_then(count));
}

/// How many numbers a list such as `0-3,8` holds.
#[inline(never)]
fn count(list: &str) -> Known<u64> {
    let mut total = 0;
    match ranges(list, &mut |first, last| total += last - first + 1) {
        Some(()) => Ok(total),
        None => Err(text!("the list of processors {list:?} is not understood")),
    }
}

/// Pairs of package and core in /proc/cpuinfo; `None` where it has none, as on Arm.
fn physical_cores(cpuinfo: &str) -> Option<u64> {
    // As a list: there are few, and a set would cost each build of a bench binary.
    let mut cores = Vec::new();
    let mut package = None;
    for line in Pieces::of(cpuinfo) {
        let mut parts = Pieces::divided(line, b':');
        let name = parts.next().unwrap_or_default().trim_ascii();
        let Some(value) = parts.rest() else { continue };
        if name == "physical id" {
            package = Some(value);
        } else if name == "core id" {
            remember(&mut cores, listed(&[package?, value], ":"));
        }
    }
    (!cores.is_empty()).then_some(cores.len() as u64)
}

/// Adds a word that is not there yet.
#[inline(never)]
fn remember(words: &mut Vec<String>, word: String) {
    if !among(words, &word) {
        words.push(word);
    }
}

/// Groups of processors that share a core, under /sys/devices/system/cpu.
fn physical_from(folder: &str) -> Known<u64> {
    let mut groups: Vec<String> = Vec::new();
    for path in &fact::entries(folder)? {
        let group = fact::read_in(path, "topology/thread_siblings_list");
        if !group.is_empty() {
            remember(&mut groups, group);
        }
    }
    match groups.len() {
        0 => Err(owned(
            "the system does not say which processors share a core",
        )),
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
        let mut facts = Facts::default();
        let status = Ok("Cpus_allowed_list:\t0,2-3".to_owned());
        add(&mut facts, &Ok(cpuinfo.to_owned()), &status);
        let mut facts = facts.0.into_iter();
        facts.find(|fact| fact.name == name).expect(name).value
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
