//! The coordinator: finds out which benchmarks there are in a process of its own, and has them measured in others.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use tourbillon::program::target_of;
use tourbillon_coordinator::args::Chosen;
use tourbillon_coordinator::output::{Console, FAILED, FINE, Stop, to_stderr};
use tourbillon_coordinator::run::{Home, Selected, bench};
use tourbillon_coordinator::runner::silence::timeout_of_set_up;
use tourbillon_coordinator::runner::{Processes, SharedPosition};
use tourbillon_coordinator::values::{Partition, ShardFilter};
use tourbillon_engine::CaseOptions;
use tourbillon_os::{Ending, ErrorOutput, Executable, Launcher};
use tourbillon_record::{Case, Entry, Plan};
use tourbillon_report::escape;

use super::SILENCE_NS;
use super::benchmarks::{before, shown};
use super::discovery::{Discovered, FailedTarget, Report, without_effect};
use super::load_baseline;
use super::role::{self, Wanted};
use super::shared_worker::{SharedWorker, shared_workers};
use crate::flags::Flags;
use crate::outputs::Outputs;

/// Time in which a worker that has sent its samples may run destructors of the suite.
const GRACE: Duration = Duration::from_secs(2);
/// Time in which the discoverer may end after its output has ended.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// Longest wait for the discoverer at once; any number of them follow each other.
const WAIT: Duration = Duration::from_millis(250);
/// Most bytes that it may write to stdout, which are kept, and to a file for its stderr.
const MOST_BYTES: u64 = 256 << 20;

/// What a discoverer found.
struct Found {
    benchmarks: Vec<Discovered>,
    failed: Vec<FailedTarget>,
    ending: Ending,
}

/// Measures the selected benchmarks, and prints and stores the results; returns the exit code.
///
/// # Errors
///
/// What keeps the run from starting.
pub(super) fn run(flags: &Flags, home: Home) -> Result<u8, Stop> {
    let mut rehearses = false;
    let mut found = discover(rehearses)?;
    if found.has_failed() {
        // A later part of the suite may need what the benchmarks before it did.
        rehearses = true;
        let again = discover(rehearses)?;
        if again.benchmarks.len() > found.benchmarks.len() || !again.has_failed() {
            found = again;
        } else {
            rehearses = false;
        }
    }
    let troubles = found.troubles();
    let max_time_ns = flags.high.options.max_time_ns;
    let shared_workers = shared_workers(&found.benchmarks, max_time_ns);
    let without_effect = without_effect(&found.benchmarks);
    let shown = shown(&found.benchmarks);
    let mut high = flags.high.clone();
    // Of each benchmark, because its set-up may take longer.
    let timeout_ns = high.options.timeout_ns.take();
    let options = |found: &Discovered| {
        let shared_worker = shared_workers.get(&found.target).copied();
        options(found, shared_worker, timeout_ns)
    };
    let partition = flags.high.selection.partition();
    let (all, chosen, wanted) = selected(
        found.benchmarks,
        rehearses,
        &shared_workers,
        partition,
        options,
    );
    for trouble in &troubles {
        to_stderr(&format!("error: {trouble}\n"));
    }
    let mut console = Console::new(&flags.high);
    if !flags.high.quiet {
        for sentence in flags.settings.without_effect() {
            console.note(&format!("note: {sentence}\n"));
        }
        for sentence in without_effect.into_iter().chain(port()) {
            console.note(&format!("note: {sentence}\n"));
        }
    }
    let code = if all.is_empty() {
        if troubles.is_empty() {
            console.text("no benchmarks: the suite registers none\n")?;
        }
        FINE
    } else {
        let before = before(&shown)?;
        if let Some(name) = &flags.load {
            return load_baseline::show(shown, name, before, flags, &mut console);
        }
        let positions = positions(&wanted, &all, &shared_workers);
        let position =
            move |plan: &Plan| positions.get(&plan.case).copied().filter(|_| !plan.memory);
        let nocapture = flags.high.no_capture;
        let value = move |plan: &Plan| match wanted.get(&plan.case) {
            Some(wanted) => {
                let is_shared = wanted.is_shared && !plan.memory;
                let wanted = Wanted {
                    is_shared,
                    ..wanted.clone()
                };
                role::worker(&wanted, nocapture).into()
            }
            None => OsString::new(),
        };
        let workers = Processes::by_environment(role::VARIABLE.into(), value);
        let workers = workers.map_err(Stop::environment)?;
        let selected = Selected {
            home,
            chosen,
            all,
            workers: workers.grace(GRACE).sharing_workers(position),
            counts: tourbillon::program::COUNTS,
            last: Some(Rc::clone(&before)),
        };
        let mut outputs = Outputs::new(shown, flags.lines, before);
        let mut observe = |entry: Entry<'_>| outputs.entry(entry);
        let code = bench(selected, &high, &mut console, &mut observe);
        for sentence in outputs.notes() {
            console.note(&format!("note: {sentence}\n"));
        }
        if let Some(why) = outputs.finish(flags.has_index) {
            console.note(&format!("warning: not written: {}\n", escape(&why, true)));
        }
        code?
    };
    Ok(match code {
        FINE if !troubles.is_empty() => FAILED,
        code => code,
    })
}

/// Where the benchmarks of a suite with a `main` of its own come from.
pub(super) fn home_of_process() -> Home {
    let program = env::args_os().next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default();
    let target = target_of(&program.to_string_lossy());
    Home {
        // Of the processes that it starts, cargo names the package.
        package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| target.clone()),
        target,
        compiler: String::new(),
    }
}

impl Found {
    fn has_failed(&self) -> bool {
        !self.failed.is_empty() || self.ending != Ending::Exited(0)
    }

    /// What keeps benchmarks from being known.
    fn troubles(&self) -> Vec<String> {
        let failed = self.failed.iter().map(|failed| {
            let (target, why) = (escape(&failed.target, true), escape(&failed.why, true));
            format!("{target} failed outside of its benchmarks: {why}")
        });
        let mut troubles: Vec<String> = failed.collect();
        if self.ending != Ending::Exited(0) {
            troubles.push(format!(
                "the suite ended early ({}) while its benchmarks were listed; those before are measured",
                self.ending
            ));
        }
        troubles
    }
}

/// All cases, those to be run with their options, and where each of them is.
fn selected(
    found: Vec<Discovered>,
    rehearses: bool,
    shared_workers: &HashMap<String, SharedWorker>,
    partition: Option<Partition>,
    options: impl Fn(&Discovered) -> CaseOptions,
) -> (Vec<Case>, Chosen, HashMap<String, Wanted>) {
    let mut all = Vec::new();
    let mut shard = ShardFilter::new(partition);
    let mut chosen = Chosen::default();
    let mut wanted = HashMap::new();
    for found in found {
        let case = found.case();
        if !found.selected {
            chosen.filtered_out += 1;
        } else if shard.takes_next(&case.id) {
            chosen.options.insert(case.id.clone(), options(&found));
            chosen.runs.push(case.clone());
        } else {
            chosen.filtered_out += 1;
            chosen.other_shards.push(case.id.clone());
        }
        let of_case = Wanted {
            base: found.named.id(),
            is_shared: shared_workers.contains_key(&found.target),
            target: found.target,
            occurrence: found.occurrence,
            rehearses,
        };
        wanted.insert(case.id.clone(), of_case);
        all.push(case);
    }
    (all, chosen, wanted)
}

/// Where the cases of shared workers are in them.
fn positions(
    wanted: &HashMap<String, Wanted>,
    all: &[Case],
    shared_workers: &HashMap<String, SharedWorker>,
) -> HashMap<String, SharedPosition> {
    let position = |(position, case): (usize, &Case)| {
        let group = shared_workers.get(&wanted.get(&case.id)?.target)?.group;
        Some((case.id.clone(), SharedPosition { group, position }))
    };
    all.iter().enumerate().filter_map(position).collect()
}

/// Settings of a benchmark: it may take what criterion would spend on it, where eight launches need that. `timeout_ns`
/// is a limit of silence that the command line sets.
fn options(
    found: &Discovered,
    shared_worker: Option<SharedWorker>,
    timeout_ns: Option<u64>,
) -> CaseOptions {
    CaseOptions {
        interval_time_ns: Some(found.time_ns),
        timeout_ns: timeout_of_set_up(found.setup_ns, timeout_ns.or(Some(SILENCE_NS))),
        shared_worker: shared_worker
            .map(|shared_worker| (shared_worker.group, shared_worker.launches)),
        ..CaseOptions::default()
    }
}

/// Why `cargo criterion` waits for messages in vain, if it runs this program.
fn port() -> Option<String> {
    const PORT: &str = "CARGO_CRITERION_PORT";
    env::var_os(PORT)?;
    Some(format!(
        "{PORT} has no effect: cargo criterion shows these lines and gets no messages"
    ))
}

/// Has a process go through the suite. However long it takes, it is waited for.
fn discover(rehearses: bool) -> Result<Found, Stop> {
    let failed = |error| Stop::environment(format!("the suite cannot be started: {error}"));
    let mut launcher = Launcher::new(&Executable::own().map_err(failed)?);
    for argument in env::args_os().skip(1) {
        launcher.argument(argument);
    }
    launcher.variable(
        role::VARIABLE.as_ref(),
        role::discoverer(rehearses).as_ref(),
    );
    if !rehearses {
        // What the suite prints is shown once, here.
        launcher.stderr(ErrorOutput::Inherit);
    }
    let mut child = launcher.start().map_err(failed)?;
    let (mut output, mut chunk, mut open) = (Vec::new(), vec![0; 1 << 16], true);
    loop {
        let ready = child.wait_ready(open, None, WAIT).map_err(failed)?;
        if ready.output {
            let count = child.read(&mut chunk).map_err(failed)?;
            open = count > 0;
            output.extend_from_slice(&chunk[..count]);
        } else if ready.ended {
            break;
        }
        let errors = child.stderr_bytes().unwrap_or(0);
        if errors.max(output.len() as u64) > MOST_BYTES {
            return Err(Stop::environment(
                "the suite wrote more than 256 MiB while its benchmarks were listed, and was ended; print less before \
                 and between them"
                    .to_owned(),
            ));
        }
    }
    let ending = child.end(LAST_WAIT);
    let mut found = Found {
        benchmarks: Vec::new(),
        failed: Vec::new(),
        ending,
    };
    // What is printed before the suite begins is no report.
    for line in String::from_utf8_lossy(&output).lines() {
        match Report::decode(line) {
            Some(Report::Benchmark(benchmark)) => found.benchmarks.push(*benchmark),
            Some(Report::Failed(failed)) => found.failed.push(failed),
            None => {}
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_set_up_is_not_a_hang() {
        const SECOND: u64 = 1_000_000_000;
        for (set_up_ns, requested_ns, expected) in [
            (1_000, None, Some(300 * SECOND)),
            (29 * SECOND, None, Some(300 * SECOND)),
            (31 * SECOND, None, Some(310 * SECOND)),
            (1_000, Some(SECOND), Some(SECOND)),
            (31 * SECOND, Some(SECOND), Some(310 * SECOND)),
        ] {
            let found = Discovered {
                setup_ns: set_up_ns,
                time_ns: 8,
                ..Discovered::default()
            };
            let options = options(&found, None, requested_ns);
            assert_eq!(options.timeout_ns, expected, "{set_up_ns} {requested_ns:?}");
            assert_eq!(options.interval_time_ns, Some(8));
        }
    }
}
