//! Hardware threads of one core.

use super::Observations;
use crate::cells::percent;
use crate::doctor::finding::Assessment;
use crate::doctor::times;
use crate::doctor::tree::{Known, listed};

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
    if others.is_empty() {
        return Ok(Assessment::fine(
            match tree.read("/sys/devices/system/cpu/smt/control") {
                Ok(control) if control != "notsupported" && control != "notimplemented" => {
                    format!("{control}: cpu{own} has its core to itself")
                }
                _ => format!("none: cpu{own} has its core to itself"),
            },
        ));
    }
    let busy = |&number: &u32| {
        let times = times::between(&observed.earlier.stat, &observed.later.stat, Some(number));
        times.map_or(0.0, times::Times::busy)
    };
    let busiest = others.iter().map(busy).fold(0.0, f64::max);
    let names: Vec<String> = others.iter().map(|number| format!("cpu{number}")).collect();
    let names = names.join(", ");
    Ok(if busiest >= BUSY {
        Assessment::matters(
            format!(
                "cpu{own} shares its core with {names}, which was busy {} of the time",
                percent(busiest)
            ),
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
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    fields
        .split(' ')
        .nth(36)
        .and_then(|field| field.parse().ok())
        .ok_or_else(|| "/proc/self/stat is not understood".to_owned())
}
