//! Which processors a program may use, and for how long.

use super::Seen;
use crate::doctor::container::Container;
use crate::doctor::finding::Said;
use crate::doctor::tree::{Known, field, listed};

/// The limit of the control groups, and whether it was reached.
pub(super) fn quota(seen: &Seen) -> Known<Said> {
    let container = Container::of(&seen.tree)?;
    let held_back = match (seen.earlier.held_back, seen.later.held_back) {
        (Some(earlier), Some(later)) => later.saturating_sub(earlier),
        _ => 0,
    };
    let Some(quota) = container.quota else {
        return Ok(Said::fine("no limit"));
    };
    let found = format!("{quota:.2} processors");
    let remedy = "give the container whole processors (a CPU set) in place of a quota";
    let allowed = listed(&allowed(seen)?).map_or(1, |allowed| allowed.len());
    Ok(if held_back > 0 {
        Said::matters(
            format!("{found}: used up and stopped {held_back} times while this ran"),
            remedy,
        )
    } else if quota < 1.0 {
        Said::matters(
            format!("{found}: a single thread that never rests is stopped"),
            remedy,
        )
    } else if quota < allowed as f64 {
        Said::note(
            format!("{found} of {allowed}: benchmarks with more threads than that are stopped"),
            remedy,
        )
    } else {
        Said::fine(format!("{found} of {allowed}"))
    })
}

/// The processors that this process may run on, of those that there are.
pub(super) fn set(seen: &Seen) -> Known<Said> {
    let allowed = allowed(seen)?;
    let online = seen.tree.read("/sys/devices/system/cpu/online")?;
    let count = |list: &str| {
        listed(list).ok_or_else(|| format!("the list of processors {list:?} is not understood"))
    };
    let (some, all) = (count(&allowed)?.len(), count(&online)?.len());
    Ok(if some < all {
        Said::note(
            format!("{some} of {all} processors: {allowed}"),
            "benchmarks with threads see these only; others may still run on them",
        )
    } else {
        Said::fine(format!("all {all} processors"))
    })
}

fn allowed(seen: &Seen) -> Known<String> {
    let status = seen.tree.read("/proc/self/status")?;
    field(&status, "Cpus_allowed_list")
        .map(str::to_owned)
        .ok_or_else(|| "/proc/self/status has no Cpus_allowed_list".to_owned())
}

/// Processors that the system leaves alone.
pub(super) fn isolated(seen: &Seen) -> Known<Said> {
    let isolated = seen.tree.read("/sys/devices/system/cpu/isolated")?;
    let tickless = seen
        .tree
        .read("/sys/devices/system/cpu/nohz_full")
        .unwrap_or_default();
    // What a kernel without such processors writes.
    let tickless = tickless.trim_matches(['(', ')']);
    let tickless = if tickless == "null" { "" } else { tickless };
    if isolated.is_empty() {
        return Ok(Said::fine("none: programs are moved as the system likes"));
    }
    let without = match tickless {
        "" => "; its ticks go on there (no nohz_full)".to_owned(),
        list => format!(", without ticks: {list}"),
    };
    Ok(Said::note(
        format!("{isolated} are kept free by the system{without}"),
        format!("measure there: --cpus {isolated}"),
    ))
}
