//! Facts about the machine that records have.

use std::env::consts;
use std::{fs, thread};

use tourbillon_os::{HYPERVISOR_FILES, hypervisor_in};
use tourbillon_record::{Fact, FactValue};

use crate::sha256::sha256;

/// Random since the kernel was started, for all containers on it.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// What makes the kind of a machine, and its system; each is absent if it is not known.
pub fn machine() -> Vec<Fact> {
    let cpuinfo = read("/proc/cpuinfo");
    let model = field(&cpuinfo, "model name").filter(|name| !name.is_empty());
    let online = tourbillon_values::processors(&read("/sys/devices/system/cpu/online"));
    let count = online.map(|online| online.len() as u64).or_else(|_| {
        let count = thread::available_parallelism();
        count.map(|count| count.get() as u64)
    });
    let kernel = read("/proc/sys/kernel/osrelease");
    vec![
        text(
            "cpu_model",
            model.unwrap_or_default(),
            "/proc/cpuinfo has no model name",
        ),
        Fact {
            name: "cores_logical".to_owned(),
            value: match count {
                Ok(count) => FactValue::Integer(count),
                Err(error) => FactValue::Absent(error.to_string()),
            },
        },
        Fact {
            name: "hypervisor".to_owned(),
            value: hypervisor(&cpuinfo),
        },
        text("os", consts::OS, "unknown"),
        text("kernel", kernel.trim(), "the system does not report it"),
        text("arch", consts::ARCH, "unknown"),
    ]
}

/// A name for this machine that no other one has, and that does not tell which machine it is: the same in all containers,
/// and another one after each start.
pub fn name_until_restart() -> Result<String, String> {
    let boot = read(BOOT);
    match boot.trim() {
        "" => Err("the system has no identity of its start".to_owned()),
        boot => {
            let hash = sha256(format!("tourbillon machine {boot}"));
            Ok(hash[..12].to_owned())
        }
    }
}

/// The value of the first line `key : value` of a text.
pub fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// The name of the hypervisor; no on a real machine.
fn hypervisor(cpuinfo: &str) -> FactValue {
    let Some(flags) = field(cpuinfo, "flags") else {
        let why = "this processor does not tell whether it is virtual";
        return FactValue::Absent(why.to_owned());
    };
    if !flags.split(' ').any(|flag| flag == "hypervisor") {
        return FactValue::Flag(false);
    }
    let mut files = HYPERVISOR_FILES.iter();
    let name = files.find_map(|path| hypervisor_in(&read(path)));
    FactValue::Text(name.unwrap_or("unknown").to_owned())
}

fn text(name: &str, value: &str, why_not: &str) -> Fact {
    let (value, why_not) = (value.to_owned(), why_not.to_owned());
    Fact {
        name: name.to_owned(),
        value: if value.is_empty() {
            FactValue::Absent(why_not)
        } else {
            FactValue::Text(value)
        },
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_a_colon() {
        assert_eq!(field("a:\t1\nTracerPid:\t0\n", "TracerPid"), Some("0"));
        assert_eq!(field("a:\t1\n", "b"), None);
    }
}
