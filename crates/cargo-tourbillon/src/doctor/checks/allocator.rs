//! Effects of the environment on memory allocation.

use super::Observations;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

/// Variables that load code into every program, or change how it allocates.
const VARIABLES: [&str; 6] = [
    "LD_PRELOAD",
    "GLIBC_TUNABLES",
    "MALLOC_CONF",
    "_RJEM_MALLOC_CONF",
    "MIMALLOC_",
    "MALLOC_",
];

/// Variables of this process, which benchmarks inherit.
pub(super) fn allocator(observed: &Observations) -> Known<Assessment> {
    let environment = observed.tree.read("/proc/self/environ")?;
    let variables = environment.split('\0').filter(|variable| {
        let name = variable.split('=').next().unwrap_or_default();
        VARIABLES.iter().any(|known| {
            let family = known.ends_with('_') && name.starts_with(known);
            family || name == *known
        })
    });
    let found: Vec<&str> = variables.collect();
    Ok(if found.is_empty() {
        Assessment::fine(
            "not changed by the environment; the program's own allocator is not checked",
        )
    } else {
        Assessment::note(
            format!("the environment changes it: {}", found.join(" ")),
            "unset what is not meant for benchmarks; runs with and without it are not comparable",
        )
    })
}
