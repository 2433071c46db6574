//! What the environment does to memory allocation.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

/// Variables that put code into every program, or change how it allocates.
const VARIABLES: [&str; 6] = [
    "LD_PRELOAD",
    "GLIBC_TUNABLES",
    "MALLOC_CONF",
    "_RJEM_MALLOC_CONF",
    "MIMALLOC_",
    "MALLOC_",
];

/// Variables of this process's environment, which benchmarks inherit.
pub(super) fn allocator(seen: &Seen) -> Known<Said> {
    let environment = seen.tree.read("/proc/self/environ")?;
    let variables = environment.split('\0').filter(|variable| {
        let name = variable.split('=').next().unwrap_or_default();
        VARIABLES.iter().any(|known| {
            let family = known.ends_with('_') && name.starts_with(known);
            family || name == *known
        })
    });
    let found: Vec<&str> = variables.collect();
    Ok(if found.is_empty() {
        Said::fine(
            "nothing in the environment changes it; a program's own cannot be seen from outside",
        )
    } else {
        Said::note(
            format!("the environment changes it: {}", found.join(" ")),
            "unset what is not meant for benchmarks; runs with it and without are not comparable",
        )
    })
}
