//! Facts that Windows has calls for, and why it has no others.

use std::env::consts;
use std::fmt::Display;

use tourbillon_os::{Cache, CacheContents, Processors};
use tourbillon_present::number::kibibytes;

use super::fact::{Facts, Known};

/// Why what other systems count is missing.
const NOT_COUNTED: &str = "Windows does not count it";

pub(super) fn add(facts: &mut Facts) {
    add_system(facts);
    let processors = known(tourbillon_os::processors());
    add_processor(facts, &processors);
    match processors {
        Ok(Processors { caches, .. }) if !caches.is_empty() => {
            facts.list("caches", described(&caches));
        }
        Ok(_) => facts.absent("caches", "the system lists none"),
        Err(why) => facts.absent("caches", &why),
    }
    facts.integer("memory_bytes", known(tourbillon_os::memory_bytes()));
    add_hypervisor(facts);
    facts.absent("load", "Windows has no load average");
    facts.absent("steal", NOT_COUNTED);
    match known(tourbillon_os::power_plan()) {
        Ok(plan) => facts.known("power_plan", &plan),
        Err(why) => facts.absent("power_plan", &why),
    }
    facts.absent("governor", "Windows has power plans");
    facts.absent("boost", "Windows does not show it");
    facts.absent("microcode", "Windows does not show it");
    let battery = tourbillon_os::on_battery();
    facts.flag(
        "battery",
        battery.ok_or_else(|| "the system does not know".to_owned()),
    );
    let debugger = tourbillon_os::debugger_attached();
    facts.flag("debugger", debugger.ok_or_else(|| NOT_COUNTED.to_owned()));
}

/// A result with the system's error as the reason.
fn known<T>(result: Result<T, impl Display>) -> Known<T> {
    result.map_err(|error| error.to_string())
}

fn add_system(facts: &mut Facts) {
    let version = known(tourbillon_os::windows_version());
    let name = version.as_ref().map(|version| {
        let name = match (version.server, version.build) {
            (true, _) => "Windows Server",
            (false, 22_000..) => "Windows 11",
            (false, _) => "Windows",
        };
        format!("{name} build {}", version.build)
    });
    facts.text("os", name.map_err(String::clone));
    let kernel = version.map(|version| format!("NT {}.{}", version.major, version.minor));
    facts.text("kernel", kernel);
    facts.known("arch", consts::ARCH);
    facts.flag("aslr", known(tourbillon_os::random_addresses()));
}

fn add_processor(facts: &mut Facts, processors: &Known<Processors>) {
    #[cfg(target_arch = "x86_64")]
    {
        let name = tourbillon_os::processor_name();
        facts.known("cpu_vendor", &name.vendor);
        facts.known("cpu_model", &name.model);
        facts.known("cpu_family", &name.family.to_string());
        facts.known("cpu_model_number", &name.model_number.to_string());
        facts.known("cpu_stepping", &name.stepping.to_string());
    }
    #[cfg(not(target_arch = "x86_64"))]
    for name in [
        "cpu_vendor",
        "cpu_model",
        "cpu_family",
        "cpu_model_number",
        "cpu_stepping",
    ] {
        facts.absent(name, "programs cannot ask the processor");
    }
    let cores = match processors {
        Ok(found) => Ok(&found.cores),
        Err(why) => Err(why.clone()),
    };
    let logical = cores.clone().map(|cores| {
        let threads = cores.iter().map(|core| u64::from(core.threads));
        threads.sum()
    });
    facts.integer("cores_logical", logical);
    facts.integer(
        "cores_physical",
        cores.clone().map(|cores| cores.len() as u64),
    );
    let allowed = known(tourbillon_os::affinity());
    facts.integer("cores_allowed", allowed.map(|allowed| allowed.len() as u64));
    // Cores that are all alike need no word.
    if let Ok(cores) = cores
        && let classes = cores.iter().map(|core| core.efficiency_class)
        && let Some(most) = classes.clone().max()
        && classes.clone().any(|class| class < most)
    {
        let performance = classes.clone().filter(|class| *class == most).count();
        facts.integer("cores_performance", Ok(performance as u64));
        facts.integer("cores_efficiency", Ok((cores.len() - performance) as u64));
    }
}

/// `L1 data 48 KiB`, `L3 32 MiB (shared by 8)`: each once, as all cores of a machine have the same in most.
fn described(caches: &[Cache]) -> Vec<String> {
    let mut texts = Vec::new();
    for cache in caches {
        let contents = match cache.contents {
            CacheContents::Data => " data",
            CacheContents::Instructions => " instruction",
            CacheContents::Unified => "",
        };
        let size = kibibytes(u64::from(cache.bytes / 1024));
        let mut text = format!("L{}{contents} {size}", cache.level);
        if cache.threads > 1 {
            text += &format!(" (shared by {} processors)", cache.threads);
        }
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.sort();
    texts
}

fn add_hypervisor(facts: &mut Facts) {
    #[cfg(target_arch = "x86_64")]
    match tourbillon_os::processor_name().hypervisor {
        Some(name) => {
            let known = tourbillon_os::hypervisor_in(&name.replace(' ', ""));
            facts.known("hypervisor", known.unwrap_or("unknown"));
        }
        None => facts.flag("hypervisor", Ok(false)),
    }
    #[cfg(not(target_arch = "x86_64"))]
    facts.absent(
        "hypervisor",
        "this processor does not tell whether it is virtual",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_of_one_kind_are_described_once() {
        let cache = |level, contents, bytes, threads| Cache {
            level,
            contents,
            bytes,
            threads,
        };
        let caches = [
            cache(1, CacheContents::Data, 48 << 10, 1),
            cache(1, CacheContents::Data, 48 << 10, 1),
            cache(3, CacheContents::Unified, 36 << 20, 16),
            cache(2, CacheContents::Unified, 1280 << 10, 2),
        ];
        assert_eq!(
            described(&caches),
            [
                "L1 data 48 KiB",
                "L2 1280 KiB (shared by 2 processors)",
                "L3 36 MiB (shared by 16 processors)"
            ]
        );
    }
}
