//! Memory: whether there is enough, and in which pages it comes.

use super::Seen;
use crate::cells::percent;
use crate::doctor::finding::Said;
use crate::doctor::tree::{Known, field};

/// Memory that is swapped out and worth a word, in KiB.
const MUCH: u64 = 64 * 1024;
/// Share of the last ten seconds in which a task waited for memory that makes figures worse.
const WAITED: f64 = 0.01;

/// Pages that come and go, and how many are out.
pub(super) fn swap(seen: &Seen) -> Known<Said> {
    let moved = seen
        .later
        .swapped
        .clone()?
        .saturating_sub(seen.earlier.swapped.clone()?);
    let meminfo = seen.tree.read("/proc/meminfo")?;
    let kibibytes = |name: &str| {
        let value = field(&meminfo, name).and_then(|value| value.strip_suffix("kB"));
        let number = value.and_then(|value| value.trim().parse::<u64>().ok());
        number.ok_or_else(|| format!("/proc/meminfo has no {name} that is understood"))
    };
    let total = kibibytes("SwapTotal")?;
    let used = total.saturating_sub(kibibytes("SwapFree")?);
    let remedy = "end programs that hold memory, or `swapoff -a` as root where there is enough";
    Ok(if moved > 0 {
        Said::matters(format!("{moved} pages were swapped while this ran"), remedy)
    } else if total == 0 {
        Said::fine("none: nothing can be swapped out")
    } else if used >= MUCH {
        Said::note(
            format!(
                "{} MiB are out, and stayed there while this ran",
                used / 1024
            ),
            remedy,
        )
    } else {
        Said::fine("next to nothing is swapped out")
    })
}

/// What the kernel says about tasks that had to wait for memory (PSI).
pub(super) fn pressure(seen: &Seen) -> Known<Said> {
    let path = "/proc/pressure/memory";
    let text = seen.tree.read(path)?;
    let waited = text
        .lines()
        .find(|line| line.starts_with("some "))
        .and_then(|line| line.split(' ').find_map(|word| word.strip_prefix("avg10=")))
        .and_then(|percent| percent.parse::<f64>().ok())
        .ok_or_else(|| format!("{path} {text:?} is not understood"))?
        / 100.0;
    let found = format!(
        "some task waited for memory {} of the last 10 s",
        percent(waited)
    );
    let remedy = "end programs that hold memory";
    Ok(if waited >= WAITED {
        Said::matters(found, remedy)
    } else if waited > 0.0 {
        Said::note(found, remedy)
    } else {
        Said::fine("no task waited for memory in the last 10 s")
    })
}

/// Whether large allocations may get pages of 2 MiB without asking.
pub(super) fn huge_pages(seen: &Seen) -> Known<Said> {
    let path = "/sys/kernel/mm/transparent_hugepage/enabled";
    let text = seen.tree.read(path)?;
    let chosen = text
        .split(' ')
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))
        .ok_or_else(|| format!("{path} {text:?} is not understood"))?;
    Ok(match chosen {
        "always" => Said::note(
            "always: large allocations get huge pages when there happen to be some",
            format!("where large data scatters between launches: `echo madvise > {path}` as root"),
        ),
        other => Said::fine(format!("{other}: only where a program asks, or never")),
    })
}
