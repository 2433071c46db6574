//! Facts that the kernel of macOS has by name, and why it has no others.

use std::env::consts;

use tourbillon_os::hypervisor_in;
use tourbillon_present::number::kibibytes;

use super::fact::{Facts, Known};

/// Why what other systems count is missing.
const NOT_COUNTED: &str = "macOS does not count it";
const NOT_SHOWN: &str = "macOS does not show it";

/// The values of the kernel, by names such as `hw.memsize`.
pub(super) trait Kernel {
    fn text(&self, name: &str) -> Known<String>;
    fn number(&self, name: &str) -> Known<u64>;
}

/// Adds the facts that have names.
pub(super) fn add(facts: &mut Facts, kernel: &impl Kernel) {
    facts.text("os", os(kernel));
    let name = kernel.text("kern.ostype").and_then(|name| {
        let release = kernel.text("kern.osrelease")?;
        Ok(format!("{name} {release}"))
    });
    facts.text("kernel", name);
    facts.known("arch", &architecture(kernel));
    facts.absent("aslr", NOT_SHOWN);
    add_processor(facts, kernel);
    match caches(kernel) {
        caches if caches.is_empty() => facts.absent("caches", "the kernel lists none"),
        caches => facts.list("caches", caches),
    }
    facts.integer("memory_bytes", kernel.number("hw.memsize"));
    match kernel.number("kern.hv_vmm_present") {
        Ok(0) => facts.flag("hypervisor", Ok(false)),
        Ok(_) => {
            let model = kernel.text("hw.model").unwrap_or_default();
            facts.known("hypervisor", hypervisor_in(&model).unwrap_or("unknown"));
        }
        Err(why) => facts.absent("hypervisor", &why),
    }
    facts.absent("steal", NOT_COUNTED);
    facts.absent("governor", NOT_SHOWN);
    facts.absent("boost", NOT_SHOWN);
    facts.absent("microcode", NOT_SHOWN);
}

/// Such as `macOS 15.1 (24B83)`.
fn os(kernel: &impl Kernel) -> Known<String> {
    let version = kernel.text("kern.osproductversion")?;
    Ok(match kernel.text("kern.osversion") {
        Ok(build) => format!("macOS {version} ({build})"),
        Err(_) => format!("macOS {version}"),
    })
}

/// The program's architecture, and whether the machine has another one.
fn architecture(kernel: &impl Kernel) -> String {
    match kernel.number("sysctl.proc_translated") {
        Ok(1) => format!("{}, translated by Rosetta", consts::ARCH),
        _ => consts::ARCH.to_owned(),
    }
}

fn add_processor(facts: &mut Facts, kernel: &impl Kernel) {
    let model = kernel.text("machdep.cpu.brand_string");
    let is_apple = model.as_ref().is_ok_and(|model| model.starts_with("Apple"));
    if is_apple {
        facts.known("cpu_vendor", "Apple");
        facts.text("cpu_model", model);
        let family = kernel.number("hw.cpufamily");
        facts.text("cpu_family", family.map(|family| format!("{family:#010x}")));
        for name in ["cpu_model_number", "cpu_stepping"] {
            facts.absent(name, "Apple's processors have none");
        }
    } else {
        facts.text("cpu_vendor", kernel.text("machdep.cpu.vendor"));
        facts.text("cpu_model", model);
        for (name, value) in [
            ("cpu_family", "machdep.cpu.family"),
            ("cpu_model_number", "machdep.cpu.model"),
            ("cpu_stepping", "machdep.cpu.stepping"),
        ] {
            let number = kernel.number(value);
            facts.text(name, number.map(|number| number.to_string()));
        }
    }
    facts.integer("cores_logical", kernel.number("hw.logicalcpu"));
    facts.integer("cores_physical", kernel.number("hw.physicalcpu"));
    facts.absent("cores_allowed", "macOS does not pin programs to processors");
    // Level 0 is the fastest.
    let levels = kernel.number("hw.nperflevels").unwrap_or(1);
    if levels > 1 {
        let cores = |level: u64| kernel.number(&format!("hw.perflevel{level}.physicalcpu"));
        facts.integer("cores_performance", cores(0));
        facts.integer("cores_efficiency", (1..levels).map(cores).sum());
    }
}

/// `L1 data 128 KiB (performance)`, `L2 16 MiB (performance, shared by 4 processors)`: for each kind of core,
/// or once where all cores are alike.
fn caches(kernel: &impl Kernel) -> Vec<String> {
    const CACHES: [(&str, &str); 4] = [
        ("L1 data", "l1dcachesize"),
        ("L1 instruction", "l1icachesize"),
        ("L2", "l2cachesize"),
        ("L3", "l3cachesize"),
    ];
    let levels = kernel.number("hw.nperflevels").unwrap_or(0);
    let mut prefixes: Vec<String> = (0..levels)
        .map(|level| format!("perflevel{level}."))
        .collect();
    if prefixes.is_empty() {
        prefixes.push(String::new());
    }
    let mut texts = Vec::new();
    for prefix in prefixes {
        for (cache, size) in CACHES {
            let Ok(bytes @ 1..) = kernel.number(&format!("hw.{prefix}{size}")) else {
                continue;
            };
            let kind = kernel.text(&format!("hw.{prefix}name"));
            let mut remarks = Vec::new();
            if let Ok(kind) = kind {
                remarks.push(kind.to_lowercase());
            }
            if cache == "L2"
                && let Ok(processors @ 2..) = kernel.number(&format!("hw.{prefix}cpusperl2"))
            {
                remarks.push(format!("shared by {processors} processors"));
            }
            let mut text = format!("{cache} {}", kibibytes(bytes / 1024));
            if !remarks.is_empty() {
                text += &format!(" ({})", remarks.join(", "));
            }
            texts.push(text);
        }
    }
    texts
}

/// The kernel of this machine.
#[cfg(target_os = "macos")]
pub(super) struct ThisKernel;

#[cfg(target_os = "macos")]
impl Kernel for ThisKernel {
    fn text(&self, name: &str) -> Known<String> {
        tourbillon_os::system_text(name).map_err(|error| error.to_string())
    }

    fn number(&self, name: &str) -> Known<u64> {
        tourbillon_os::system_number(name).map_err(|error| error.to_string())
    }
}

/// Adds the facts that have calls of their own.
#[cfg(target_os = "macos")]
pub(super) fn add_moment(facts: &mut Facts) {
    let load = tourbillon_os::load_average().map(|loads| {
        let [one, five, fifteen] = loads.map(|load| tourbillon_present::number::fixed(load, 2));
        format!("{one} (1 min), {five} (5 min), {fifteen} (15 min)")
    });
    facts.text("load", load.ok_or_else(|| NOT_SHOWN.to_owned()));
    match tourbillon_os::power() {
        Ok(power) => {
            let unknown = || "pmset does not report it".to_owned();
            facts.flag("battery", power.on_battery.ok_or_else(unknown));
            facts.flag("low_power_mode", power.low_power.ok_or_else(unknown));
        }
        Err(error) => facts.absent("battery", &format!("pmset: {error}")),
    }
    let debugger = tourbillon_os::debugger_attached();
    facts.flag("debugger", debugger.ok_or_else(|| NOT_SHOWN.to_owned()));
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Fact, FactValue};

    use super::*;

    /// What `sysctl -a` prints.
    struct Recorded(&'static str);

    impl Kernel for Recorded {
        fn text(&self, name: &str) -> Known<String> {
            let mut pairs = self.0.lines().filter_map(|line| line.split_once(": "));
            let value = pairs.find(|(key, _)| *key == name).map(|(_, value)| value);
            value
                .map(str::to_owned)
                .ok_or_else(|| format!("{name}: No such file"))
        }

        fn number(&self, name: &str) -> Known<u64> {
            let text = self.text(name)?;
            text.parse().map_err(|_| format!("{name} is no number"))
        }
    }

    const APPLE: &str = "kern.ostype: Darwin\nkern.osrelease: 24.1.0\nkern.osproductversion: 15.1\n\
        kern.osversion: 24B83\nhw.memsize: 17179869184\nhw.model: Mac14,3\nkern.hv_vmm_present: 0\n\
        machdep.cpu.brand_string: Apple M2\nhw.cpufamily: 3660830781\nhw.logicalcpu: 8\n\
        hw.physicalcpu: 8\nhw.nperflevels: 2\nhw.perflevel0.name: Performance\n\
        hw.perflevel0.physicalcpu: 4\nhw.perflevel0.l1dcachesize: 131072\n\
        hw.perflevel0.l1icachesize: 196608\nhw.perflevel0.l2cachesize: 16777216\n\
        hw.perflevel0.cpusperl2: 4\nhw.perflevel1.name: Efficiency\nhw.perflevel1.physicalcpu: 4\n\
        hw.perflevel1.l1dcachesize: 65536\nhw.perflevel1.l2cachesize: 4194304\n\
        hw.perflevel1.cpusperl2: 4\n";

    const INTEL: &str = "kern.ostype: Darwin\nkern.osrelease: 21.6.0\nkern.osproductversion: 12.7.6\n\
        hw.memsize: 8589934592\nhw.model: VMware7,1\nkern.hv_vmm_present: 1\n\
        machdep.cpu.brand_string: Intel(R) Core(TM) i5-8210Y CPU @ 1.60GHz\n\
        machdep.cpu.vendor: GenuineIntel\nmachdep.cpu.family: 6\nmachdep.cpu.model: 142\n\
        machdep.cpu.stepping: 9\nhw.logicalcpu: 4\nhw.physicalcpu: 2\nhw.l1dcachesize: 32768\n\
        hw.l2cachesize: 262144\nhw.l3cachesize: 4194304\nsysctl.proc_translated: 0\n";

    fn facts(recorded: &'static str) -> Vec<Fact> {
        let mut facts = Facts::default();
        add(&mut facts, &Recorded(recorded));
        facts.0
    }

    fn value(facts: &[Fact], name: &str) -> Option<FactValue> {
        let fact = facts.iter().find(|fact| fact.name == name)?;
        Some(fact.value.clone())
    }

    fn text(text: &str) -> Option<FactValue> {
        Some(FactValue::Text(text.to_owned()))
    }

    #[test]
    fn a_processor_with_cores_of_two_kinds() {
        let facts = facts(APPLE);
        for (name, expected) in [
            ("os", "macOS 15.1 (24B83)"),
            ("kernel", "Darwin 24.1.0"),
            ("arch", consts::ARCH),
            ("cpu_vendor", "Apple"),
            ("cpu_model", "Apple M2"),
            ("cpu_family", "0xda33d83d"),
        ] {
            assert_eq!(value(&facts, name), text(expected), "{name}");
        }
        for (name, expected) in [
            ("cores_logical", 8),
            ("cores_performance", 4),
            ("cores_efficiency", 4),
            ("memory_bytes", 16 << 30),
        ] {
            assert_eq!(
                value(&facts, name),
                Some(FactValue::Integer(expected)),
                "{name}"
            );
        }
        assert_eq!(value(&facts, "hypervisor"), Some(FactValue::Flag(false)));
        let expected = [
            "L1 data 128 KiB (performance)",
            "L1 instruction 192 KiB (performance)",
            "L2 16 MiB (performance, shared by 4 processors)",
            "L1 data 64 KiB (efficiency)",
            "L2 4 MiB (efficiency, shared by 4 processors)",
        ];
        assert_eq!(caches(&Recorded(APPLE)), expected);
    }

    #[test]
    fn a_virtual_machine_of_intel() {
        let facts = facts(INTEL);
        for (name, expected) in [
            ("os", "macOS 12.7.6"),
            ("cpu_vendor", "GenuineIntel"),
            ("cpu_model_number", "142"),
            ("cpu_stepping", "9"),
            ("hypervisor", "VMware"),
        ] {
            assert_eq!(value(&facts, name), text(expected), "{name}");
        }
        assert_eq!(value(&facts, "cores_performance"), None);
        let expected = ["L1 data 32 KiB", "L2 256 KiB", "L3 4 MiB"];
        assert_eq!(caches(&Recorded(INTEL)), expected);
    }

    #[test]
    fn rosetta_is_named() {
        let translated = architecture(&Recorded("sysctl.proc_translated: 1\n"));
        assert!(
            translated.ends_with(", translated by Rosetta"),
            "{translated}"
        );
    }

    #[test]
    fn what_the_kernel_does_not_have_is_absent() {
        for fact in facts("") {
            let is_absent = matches!(fact.value, FactValue::Absent(_));
            assert!(is_absent || fact.name == "arch", "{fact:?}");
        }
    }
}
