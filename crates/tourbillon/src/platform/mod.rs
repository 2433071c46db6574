//! What is known about the platform, and why the rest is not.
//!
//! Every fact that a reader may miss is present, if only with the reason why it is not known.
//! Reading texts is kept apart from understanding them: the parsers are pure functions.

mod attached;
mod caches;
mod comment;
mod compiled;
mod fact;
mod hypervisor;
mod linker;
mod load;
mod power;
mod processor;
mod quota;
mod revision;
mod system;

use tourbillon_record::Fact;

use crate::lasting::{Handed, Lasting};
use fact::Facts;

/// Everything that is known about the machine, the system and the build, in the order in which it
/// is shown. `compiler` is what it was called with, as an entry of the registry says.
///
/// Costs some milliseconds: it reads about forty small files.
#[inline(never)]
pub(crate) fn facts(compiler: &str) -> Vec<Fact> {
    let cpuinfo = Lasting::new(fact::read("/proc/cpuinfo"));
    let status = Lasting::new(fact::read("/proc/self/status"));
    let mut facts = Handed::new(Facts::default());
    system::add(&mut facts);
    processor::add(&mut facts, &cpuinfo, &status);
    quota::add(&mut facts);
    caches::add(&mut facts, "/sys/devices/system/cpu/cpu0/cache");
    system::add_memory(&mut facts, &fact::read("/proc/meminfo"));
    hypervisor::add(&mut facts, &cpuinfo);
    load::add(&mut facts);
    power::add(&mut facts);
    attached::add(&mut facts, &status);
    let signatures = Lasting::new(comment::entries());
    compiled::add(&mut facts, compiler, &signatures);
    linker::add(&mut facts, &signatures);
    revision::add(&mut facts);
    Handed::into_inner(facts).0
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
    fn everything_that_must_be_named_is() {
        let facts = facts("");
        for name in [
            "os",
            "kernel",
            "arch",
            "cpu_vendor",
            "cpu_model",
            "cpu_family",
            "cpu_model_number",
            "cpu_stepping",
            "cores_logical",
            "cores_physical",
            "cores_allowed",
            "caches",
            "memory_bytes",
            "hypervisor",
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
            "dirty",
        ] {
            assert!(facts.iter().any(|fact| fact.name == name), "{name}");
        }
    }
}
