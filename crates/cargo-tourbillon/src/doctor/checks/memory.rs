//! Memory: swap space, pressure, huge pages, the allocator, addresses.

use tourbillon_present::advice::{System, Trouble};
use tourbillon_present::number::percent;
use tourbillon_tool::machine_facts::field;

use crate::doctor::finding::Assessment;
use crate::doctor::moment::Observations;
use crate::doctor::tree::Known;

/// Swapped memory that is noted, in KiB.
const MUCH: u64 = 64 * 1024;
/// Share of the last ten seconds in which a task waited for memory that matters.
const WAITED: f64 = 0.01;

/// Pages that were swapped, and how many are swapped out.
pub(super) fn swap(observed: &Observations) -> Known<Assessment> {
    let (earlier, later) = (&observed.earlier.swapped, &observed.later.swapped);
    let moved = later.clone()?.saturating_sub(earlier.clone()?);
    let meminfo = observed.tree.read("/proc/meminfo")?;
    let kibibytes = |name: &str| {
        let value = field(&meminfo, name).and_then(|value| value.strip_suffix("kB"));
        let number = value.and_then(|value| value.trim().parse::<u64>().ok());
        number.ok_or_else(|| format!("/proc/meminfo has no {name} that is understood"))
    };
    let total = kibibytes("SwapTotal")?;
    let used = total.saturating_sub(kibibytes("SwapFree")?);
    let remedy = "end programs that use memory, or `swapoff -a` as root if there is enough";
    Ok(if moved > 0 {
        Assessment::matters(format!("{moved} pages were swapped while this ran"), remedy)
    } else if total == 0 {
        Assessment::fine("none: nothing can be swapped out")
    } else if used >= MUCH {
        let mebibytes = used / 1024;
        let found = format!("{mebibytes} MiB are swapped out, and stayed so while this ran");
        Assessment::note(found, remedy)
    } else {
        Assessment::fine("hardly anything is swapped out")
    })
}

/// Tasks that waited for memory, from the kernel's pressure stall information.
pub(super) fn pressure(observed: &Observations) -> Known<Assessment> {
    let path = "/proc/pressure/memory";
    let text = observed.tree.read(path)?;
    // The first line is that of some tasks, the second that of all.
    let average = text
        .split_whitespace()
        .find_map(|word| word.strip_prefix("avg10="))
        .and_then(|percent| percent.parse::<f64>().ok());
    let waited = average.ok_or_else(|| format!("{path} {text:?} is not understood"))? / 100.0;
    let share = percent(waited);
    let found = format!("some task waited for memory {share} of the last 10 s");
    let remedy = "end programs that use memory";
    Ok(if waited >= WAITED {
        Assessment::matters(found, remedy)
    } else if waited > 0.0 {
        Assessment::note(found, remedy)
    } else {
        Assessment::fine("no task waited for memory in the last 10 s")
    })
}

/// Whether large allocations get pages of 2 MiB by default.
pub(super) fn huge_pages(observed: &Observations) -> Known<Assessment> {
    let path = "/sys/kernel/mm/transparent_hugepage/enabled";
    let text = observed.tree.read(path)?;
    let mut words = text.split(' ');
    let chosen = words
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))
        .ok_or_else(|| format!("{path} {text:?} is not understood"))?;
    Ok(match chosen {
        "always" => Assessment::note(
            "always: large allocations get huge pages when some are free",
            format!(
                "if times of large data vary between launches: `echo madvise > {path}` as root"
            ),
        ),
        other => Assessment::fine(format!("{other}: only on request, or never")),
    })
}

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
        let found = "not changed by the environment; the program's own allocator is not checked";
        Assessment::fine(found)
    } else {
        Assessment::note(
            format!("the environment changes it: {}", found.join(" ")),
            "unset what is not meant for benchmarks; runs with and without it are not comparable",
        )
    })
}

/// Bit of a process's personality that disables the randomisation of addresses; `setarch -R` and
/// debuggers set it (`ADDR_NO_RANDOMIZE`, linux/personality.h).
const NO_RANDOMISATION: u64 = 0x0004_0000;

/// Whether each launch gets other addresses, so that its interval covers them.
pub(super) fn randomised(observed: &Observations) -> Known<Assessment> {
    let path = "/proc/sys/kernel/randomize_va_space";
    let setting = observed.tree.number(path)?;
    let personality = observed.tree.read("/proc/self/personality");
    let bits = u64::from_str_radix(&personality.unwrap_or_default(), 16).unwrap_or(0);
    Ok(if setting == 0 {
        Assessment::matters(
            "off: every launch has the same addresses, so intervals are too narrow",
            format!("`echo 2 > {path}` as root"),
        )
    } else if bits & NO_RANDOMISATION != 0 {
        Assessment::matters(
            "off for programs started here: every launch has the same addresses, so intervals are too \
             narrow",
            Trouble::FixedAddresses(System::Linux).remedy(),
        )
    } else {
        Assessment::fine("on: every launch has other addresses")
    })
}
