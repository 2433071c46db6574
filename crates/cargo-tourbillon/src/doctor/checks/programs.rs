//! Other programs, and tracers.

use tourbillon_present::advice::Trouble;
use tourbillon_present::number::percent;
use tourbillon_report::first_names;
use tourbillon_tool::machine_facts::field;

use crate::doctor::finding::Assessment;
use crate::doctor::moment::{Observations, Process, processor_count, times_between};
use crate::doctor::tree::Known;

/// Processor time of other programs that is noted, and that matters, in processors.
const SHARES: [f64; 2] = [0.02, 0.1];

/// The average number of tasks that were ready to run.
pub(super) fn load(observed: &Observations) -> Known<Assessment> {
    let text = observed.tree.read("/proc/loadavg")?;
    let mut words = text.split(' ').map_while(|word| word.parse::<f64>().ok());
    let (Some(minute), Some(five)) = (words.next(), words.next()) else {
        return Err(format!("/proc/loadavg {text:?} is not understood"));
    };
    let processors = processor_count(&observed.later.stat)?;
    let found =
        format!("{minute} tasks in the last minute, {five} in five, for {processors} processors");
    let share = minute / processors as f64;
    Ok(if share >= 0.5 {
        Assessment::matters(found, "wait until the machine is quiet, or use another one")
    } else if minute >= 0.3 {
        Assessment::note(found, "the tasks may run again; see the processes below")
    } else {
        Assessment::fine(found)
    })
}

/// The processes that used processor time while this ran.
pub(super) fn processes(observed: &Observations) -> Known<Assessment> {
    let earlier = observed.earlier.processes.as_ref().map_err(String::clone)?;
    let later = observed.later.processes.as_ref().map_err(String::clone)?;
    let all = times_between(&observed.earlier.stat, &observed.later.stat, None)?;
    let of_one = all.all as f64 / processor_count(&observed.later.stat)? as f64;
    if of_one == 0.0 {
        return Err("no time passed between two readings".to_owned());
    }
    let mut shares: Vec<(f64, &Process)> = later
        .iter()
        .map(|process| {
            let before = earlier
                .iter()
                .find(|other| other.pid == process.pid)
                .map_or(0, |before| before.ticks);
            (
                process.ticks.saturating_sub(before) as f64 / of_one,
                process,
            )
        })
        .filter(|(share, _)| *share > 0.0)
        .collect();
    shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.pid.cmp(&b.1.pid)));
    let total: f64 = shares.iter().map(|(share, _)| share).sum();
    if total < SHARES[0] {
        let found = "other processes took hardly any processor time";
        return Ok(Assessment::fine(found));
    }
    let named = shares
        .iter()
        .map(|(share, process)| format!("{} ({}) {}", process.name, process.pid, percent(*share)));
    let (named, share) = (first_names(&named.collect::<Vec<_>>()), percent(total));
    let found = format!("other processes took {share} of a processor: {named}");
    let remedy = "end them, or measure on other processors with --cpus";
    Ok(Assessment::of(total, SHARES, found, remedy))
}

/// The process that traces this one, and would trace benchmarks started here.
pub(super) fn debugger(observed: &Observations) -> Known<Assessment> {
    let status = observed.tree.read("/proc/self/status")?;
    let tracer = field(&status, "TracerPid").ok_or("/proc/self/status has no TracerPid")?;
    if tracer == "0" {
        return Ok(Assessment::fine("none attached, and no tracer"));
    }
    let name = observed
        .tree
        .read(&format!("/proc/{tracer}/comm"))
        .unwrap_or_else(|_| "a process".to_owned());
    Ok(Assessment::matters(
        format!("{name} ({tracer}) is attached: every system call and signal goes through it"),
        Trouble::Debugger.remedy(),
    ))
}
