//! The processors that a program may use, and for how long.

use super::Observations;
use crate::doctor::container::Container;
use crate::doctor::finding::Assessment;
use crate::doctor::tree::{Known, field, listed};

/// The limit of the control groups, and whether it was reached.
pub(super) fn quota(observed: &Observations) -> Known<Assessment> {
    let container = Container::of(&observed.tree)?;
    let throttled = match (observed.earlier.throttled, observed.later.throttled) {
        (Some(earlier), Some(later)) => later.saturating_sub(earlier),
        _ => 0,
    };
    let Some(quota) = container.quota else {
        return Ok(Assessment::fine("no limit"));
    };
    let found = format!("{quota:.2} processors");
    let remedy = "give the container whole processors (a CPU set) instead of a quota";
    let allowed = listed(&allowed(observed)?).map_or(1, |allowed| allowed.len());
    Ok(if throttled > 0 {
        Assessment::matters(
            format!("{found}: throttled {throttled} times while this ran"),
            remedy,
        )
    } else if quota < 1.0 {
        Assessment::matters(
            format!("{found}: even a single thread is throttled"),
            remedy,
        )
    } else if quota < allowed as f64 {
        Assessment::note(
            format!("{found} of {allowed}: benchmarks with more threads are throttled"),
            remedy,
        )
    } else {
        Assessment::fine(format!("{found} of {allowed}"))
    })
}

/// The allowed processors, of those that are online.
pub(super) fn set(observed: &Observations) -> Known<Assessment> {
    let allowed = allowed(observed)?;
    let online = observed.tree.read("/sys/devices/system/cpu/online")?;
    let count = |list: &str| {
        listed(list).ok_or_else(|| format!("the list of processors {list:?} is not understood"))
    };
    let (some, all) = (count(&allowed)?.len(), count(&online)?.len());
    Ok(if some < all {
        Assessment::note(
            format!("{some} of {all} processors: {allowed}"),
            "benchmarks with threads use these only; other programs may run on them, too",
        )
    } else {
        Assessment::fine(format!("all {all} processors"))
    })
}

fn allowed(observed: &Observations) -> Known<String> {
    let status = observed.tree.read("/proc/self/status")?;
    field(&status, "Cpus_allowed_list")
        .map(str::to_owned)
        .ok_or_else(|| "/proc/self/status has no Cpus_allowed_list".to_owned())
}

/// Processors that the scheduler does not use.
pub(super) fn isolated(observed: &Observations) -> Known<Assessment> {
    let isolated = observed.tree.read("/sys/devices/system/cpu/isolated")?;
    let tickless = observed
        .tree
        .read("/sys/devices/system/cpu/nohz_full")
        .unwrap_or_default();
    // The text of a kernel without such processors.
    let tickless = tickless.trim_matches(['(', ')']);
    let tickless = if tickless == "null" { "" } else { tickless };
    if isolated.is_empty() {
        return Ok(Assessment::fine("none: the system may move programs between processors"));
    }
    let without = match tickless {
        "" => "; timer ticks continue there (no nohz_full)".to_owned(),
        list => format!(", without timer ticks: {list}"),
    };
    Ok(Assessment::note(
        format!("the system keeps {isolated} free{without}"),
        format!("measure there: --cpus {isolated}"),
    ))
}
