//! What is known about the machine, the system and the build, and why the rest is not.
//!
//! Every fact that a reader may miss is present, if only with the reason why it is not known.
//! Reading files is kept apart from understanding them: the parsers are pure functions.

mod compilation;
pub mod core_kinds;
mod fact;
#[cfg(not(any(windows, target_os = "macos")))]
mod load;
pub mod machine_name;
#[cfg(any(target_os = "macos", test))]
mod macos;
#[cfg(not(any(windows, target_os = "macos")))]
mod processor;
#[cfg(not(any(windows, target_os = "macos")))]
mod quota;
mod revision;
mod signatures;
#[cfg(not(any(windows, target_os = "macos")))]
mod system;
#[cfg(windows)]
mod windows;

use tourbillon_os::c_library;
use tourbillon_record::Fact;

#[cfg(not(any(windows, target_os = "macos")))]
use crate::platform::core_kinds::CoreKinds;
use fact::Facts;

/// All facts, in the order in which they are shown. `compiler` is the compiler's command line, as an entry
/// of the registry has it.
///
/// Costs some milliseconds: on Linux it reads about forty small files.
pub(crate) fn facts(compiler: &str) -> Vec<Fact> {
    let mut facts = Facts::default();
    #[cfg(windows)]
    windows::add(&mut facts);
    #[cfg(target_os = "macos")]
    {
        macos::add(&mut facts, &macos::ThisKernel);
        macos::add_moment(&mut facts);
    }
    #[cfg(not(any(windows, target_os = "macos")))]
    add_from_files(&mut facts);
    let libc = c_library().ok_or_else(|| "the C library does not name its version".to_owned());
    facts.text("libc", libc);
    facts.text(machine_name::MACHINE, machine_name::machine_name());
    let signatures = signatures::read();
    compilation::add(&mut facts, compiler, &signatures);
    facts.text("linker", signatures::linker(&signatures));
    revision::add(&mut facts);
    facts.0
}

/// Facts about the machine from the files of Linux. Without them, each is absent.
#[cfg(not(any(windows, target_os = "macos")))]
fn add_from_files(facts: &mut Facts) {
    let cpuinfo = fact::read("/proc/cpuinfo");
    let status = fact::read("/proc/self/status");
    system::add(facts);
    processor::add(facts, &cpuinfo, &status);
    let kinds = CoreKinds::of_machine();
    processor::add_kinds(facts, kinds.as_ref(), "/sys/devices/system/cpu");
    quota::add(facts);
    processor::add_caches(facts, "/sys/devices/system/cpu/cpu0/cache");
    system::add_memory(facts, &fact::read("/proc/meminfo"));
    system::add_hypervisor(facts, &cpuinfo);
    system::add_emulator(facts);
    load::add(facts);
    load::add_power(facts);
    system::add_debugger(facts, &status);
}

#[cfg(test)]
mod tests {
    use tourbillon_record::FactValue;

    use super::facts;

    #[test]
    fn names_are_unique_and_nothing_is_empty() {
        let facts = facts("");
        for (index, fact) in facts.iter().enumerate() {
            assert!(
                facts[index + 1..]
                    .iter()
                    .all(|other| other.name != fact.name),
                "{fact:?}"
            );
            let empty = match &fact.value {
                FactValue::Text(text) | FactValue::Absent(text) => text.trim().is_empty(),
                FactValue::List(texts) => texts.iter().any(String::is_empty),
                FactValue::Integer(_) | FactValue::Flag(_) => false,
            };
            assert!(!empty, "{fact:?}");
        }
    }

    #[test]
    fn every_fact_is_present() {
        let facts = facts("");
        for name in [
            "os",
            "kernel",
            "libc",
            "arch",
            "cpu_vendor",
            "cpu_model",
            "cpu_family",
            "cpu_model_number",
            "cpu_stepping",
            "microcode",
            "cores_logical",
            "cores_physical",
            "cores_allowed",
            "caches",
            "memory_bytes",
            "hypervisor",
            "machine",
            "steal",
            "load",
            "governor",
            "boost",
            "battery",
            "aslr",
            "debugger",
            "rustc",
            "target",
            "target_cpu",
            "target_features",
            "profile",
            "opt_level",
            "debug_assertions",
            "rustflags",
            "lto",
            "panic",
            "allocator",
            "features",
            "linker",
            "revision",
            "folder",
            "dirty",
        ] {
            assert!(facts.iter().any(|fact| fact.name == name), "{name}");
        }
    }
}
