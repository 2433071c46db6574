//! What else the machine does.

use super::Seen;
use crate::doctor::finding::Said;
use crate::doctor::moment::Process;
use crate::doctor::times;
use crate::doctor::tree::Known;

/// Processors' worth of time of others that is worth knowing, and that makes figures worse.
const SOME: f64 = 0.02;
const MUCH: f64 = 0.1;
/// Processes that are named.
const NAMED: usize = 3;

/// How many tasks wanted a processor on average.
pub(super) fn load(seen: &Seen) -> Known<Said> {
    let text = seen.tree.read("/proc/loadavg")?;
    let mut words = text.split(' ');
    let mut next = || words.next()?.parse::<f64>().ok();
    let (Some(minute), Some(five)) = (next(), next()) else {
        return Err(format!("/proc/loadavg {text:?} is not understood"));
    };
    let processors = times::processors(&seen.later.stat)?;
    let found =
        format!("{minute} tasks in the last minute, {five} in five, for {processors} processors");
    let share = minute / processors as f64;
    Ok(if share >= 0.5 {
        Said::matters(
            found,
            "wait until the machine is quiet, or measure on another one",
        )
    } else if minute >= 0.3 {
        Said::note(
            found,
            "what ran just now may run again: see what takes processor time below",
        )
    } else {
        Said::fine(found)
    })
}

/// The processes that had processor time while this ran.
pub(super) fn processes(seen: &Seen) -> Known<Said> {
    let earlier = seen.earlier.processes.as_ref().map_err(String::clone)?;
    let later = seen.later.processes.as_ref().map_err(String::clone)?;
    let all = times::between(&seen.earlier.stat, &seen.later.stat, None)?;
    let of_one = all.all as f64 / times::processors(&seen.later.stat)? as f64;
    if of_one == 0.0 {
        return Err("no time passed between two looks at the processes".to_owned());
    }
    let mut shares: Vec<(f64, &Process)> = later
        .iter()
        .map(|process| {
            let before = earlier.iter().find(|other| other.pid == process.pid);
            let ticks = process
                .ticks
                .saturating_sub(before.map_or(0, |before| before.ticks));
            (ticks as f64 / of_one, process)
        })
        .filter(|(share, _)| *share > 0.0)
        .collect();
    shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.pid.cmp(&b.1.pid)));
    let total: f64 = shares.iter().map(|(share, _)| share).sum();
    if total < SOME {
        return Ok(Said::fine(
            "no other process took processor time that counts",
        ));
    }
    let named: Vec<String> = shares
        .iter()
        .take(NAMED)
        .map(|(share, process)| {
            format!("{} ({}) {:.0} %", process.name, process.pid, 100.0 * share)
        })
        .collect();
    let more = match shares.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let found = format!(
        "others took {:.0} % of a processor: {}{more}",
        100.0 * total,
        named.join(", ")
    );
    let remedy = "end them, or keep them off the processors that you measure on with --cpus";
    Ok(if total >= MUCH {
        Said::matters(found, remedy)
    } else {
        Said::note(found, remedy)
    })
}
