//! The processors that a program may use, and the hardware threads of a core.

use tourbillon_present::advice::Trouble;
use tourbillon_present::number::{fixed, percent};
use tourbillon_tool::machine_facts::field;

use super::virtual_machine::is_guest;
use crate::doctor::finding::Assessment;
use crate::doctor::moment::{Container, Observations, Times, times_between};
use crate::doctor::tree::{Known, listed};

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
    let found = format!("{} processors", fixed(quota, 2));
    let remedy = Trouble::Quota.remedy();
    let allowed = listed(&allowed(observed)?).map_or(1, |allowed| allowed.len());
    Ok(if throttled > 0 {
        let found = format!("{found}: throttled {throttled} times while this ran");
        Assessment::matters(found, remedy)
    } else if quota < 1.0 {
        let found = format!("{found}: even a single thread is throttled");
        Assessment::matters(found, remedy)
    } else if quota < allowed as f64 {
        let found = format!("{found} of {allowed}: benchmarks with more threads are throttled");
        Assessment::note(found, remedy)
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

/// Whether cores are of several kinds, and which processors each kind has.
pub(super) fn core_kinds(observed: &Observations) -> Known<Assessment> {
    let Some(kinds) = observed.tree.core_kinds() else {
        observed.tree.names("/sys/devices/system/cpu")?;
        return Ok(Assessment::fine("all cores are alike"));
    };
    let found: Vec<String> = kinds
        .iter()
        .map(|(kind, cpus)| format!("{kind} cores: cpu {}", ranges(cpus)))
        .collect();
    Ok(Assessment::note(
        found.join("; "),
        "workers stay on the first kind; `--cpus efficiency` measures on the other",
    ))
}

/// `0-15,20` for ascending numbers.
fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let texts: Vec<String> = parts
        .iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    texts.join(",")
}

/// Processors that the scheduler does not use.
pub(super) fn isolated(observed: &Observations) -> Known<Assessment> {
    let isolated = observed.tree.read("/sys/devices/system/cpu/isolated")?;
    if isolated.is_empty() {
        let found = "none: the system may move programs between processors";
        return Ok(Assessment::fine(found));
    }
    let tickless = observed.tree.read("/sys/devices/system/cpu/nohz_full");
    let without = match tickless.unwrap_or_default().as_str() {
        // A kernel without such processors has the text of a null pointer.
        "" | "(null)" => "; timer ticks continue there (no nohz_full)".to_owned(),
        list => format!(", without timer ticks: {list}"),
    };
    Ok(Assessment::note(
        format!("the system keeps {isolated} free{without}"),
        format!("measure there: --cpus {isolated}"),
    ))
}

/// Share of the time in which a sibling may be busy.
const BUSY: f64 = 0.1;

/// Whether the core of this process has a second thread, and whether that was busy.
pub(super) fn siblings(observed: &Observations) -> Known<Assessment> {
    let tree = &observed.tree;
    let own = processor_of(&tree.read("/proc/self/stat")?)?;
    let path = format!("/sys/devices/system/cpu/cpu{own}/topology/thread_siblings_list");
    let list = tree.read(&path)?;
    let all = listed(&list).ok_or_else(|| format!("{path} {list:?} is not understood"))?;
    let others: Vec<u32> = all.into_iter().filter(|&number| number != own).collect();
    if others.is_empty() && is_guest(tree) == Ok(true) {
        let found =
            format!("none that this virtual machine sees: the host may share the core of cpu{own}");
        return Ok(Assessment::fine(found));
    }
    if others.is_empty() {
        let control = tree
            .read("/sys/devices/system/cpu/smt/control")
            .ok()
            .filter(|control| !control.starts_with("not"))
            .unwrap_or_else(|| "none".to_owned());
        let found = format!("{control}: cpu{own} has its core to itself");
        return Ok(Assessment::fine(found));
    }
    let busy = |&number: &u32| {
        let times = times_between(&observed.earlier.stat, &observed.later.stat, Some(number));
        times.map_or(0.0, Times::busy)
    };
    let busiest = others.iter().map(busy).fold(0.0, f64::max);
    let names = others
        .iter()
        .map(|number| format!("cpu{number}"))
        .collect::<Vec<String>>()
        .join(", ");
    Ok(if busiest >= BUSY {
        let busy = percent(busiest);
        Assessment::matters(
            format!("cpu{own} shares its core with {names}, which was busy {busy} of the time"),
            format!(
                "stop what runs on {names}, or `echo off > /sys/devices/system/cpu/smt/control` as root"
            ),
        )
    } else {
        Assessment::note(
            format!("on: cpu{own} shares its core with {names}, which is idle"),
            format!("keep {names} idle, or choose processors with --cpus"),
        )
    })
}

/// Field 39: the processor that it last ran on (proc_pid_stat(5)).
fn processor_of(stat: &str) -> Known<u32> {
    let fields = stat.rsplit_once(") ").map(|(_, fields)| fields);
    let field = fields.and_then(|fields| fields.split(' ').nth(36)?.parse().ok());
    field.ok_or_else(|| "/proc/self/stat is not understood".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::doctor::finding::Severity::{self, Fine, Note};
    use crate::doctor::machines::{ARM, LAPTOP, Machine, NOTHING, SERVER};

    #[track_caller]
    fn found(machine: Machine, severity: Severity, words: &str) {
        let finding = machine.check("core kinds", &[]);
        assert_eq!(finding.severity(), Some(severity), "{finding:?}");
        assert_eq!(finding.outcome.expect("found").found, words);
    }

    #[test]
    fn kinds_of_cores() {
        found(Machine::new(SERVER), Fine, "all cores are alike");
        let hybrid = Machine::new(LAPTOP)
            .with("/sys/devices/cpu_core/cpus", "0-15,24")
            .with("/sys/devices/cpu_atom/cpus", "16-23");
        found(
            hybrid,
            Note,
            "performance cores: cpu 0-15,24; efficiency cores: cpu 16-23",
        );
        let capacity = |cpu: u32| format!("/sys/devices/system/cpu/cpu{cpu}/cpu_capacity");
        let big_little = Machine::new(ARM)
            .with(&capacity(0), "446")
            .with(&capacity(1), "1024");
        found(
            big_little,
            Note,
            "performance cores: cpu 1; efficiency cores: cpu 0",
        );
        let unknown = Machine::new(NOTHING).check("core kinds", &[]);
        let why = unknown.outcome.expect_err("no files");
        assert!(why.starts_with("this system has no /sys"), "{why}");
    }
}
