//! Which benchmarks a suite has: a process of its own lists them.

use std::env;
use std::time::Duration;

use tourbillon_coordinator::output::Stop;
use tourbillon_os::{Ending, ErrorOutput, Executable, Launcher};
use tourbillon_report::escape;

use super::discovery::{Discovered, FailedTarget, Report};
use super::role;

/// Time in which the discoverer may end after its output has ended.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// Longest wait for the discoverer at once; any number of them follow each other.
const WAIT: Duration = Duration::from_millis(250);
/// Most bytes that it may write to stdout, which are kept, and to a file for its stderr.
const MOST_BYTES: u64 = 256 << 20;

/// The benchmarks of a suite, as a discoverer found them.
pub(super) struct Inventory {
    pub(super) benchmarks: Vec<Discovered>,
    failed: Vec<FailedTarget>,
    ending: Ending,
    /// Whether every benchmark that the suite came to was run once, in workers too: later parts may need that.
    pub(super) rehearses: bool,
}

impl Inventory {
    /// Has a process list the benchmarks.
    ///
    /// # Errors
    ///
    /// When the process cannot be started, or writes too much.
    pub(super) fn take() -> Result<Inventory, Stop> {
        let first = discover(false)?;
        if !first.has_failed() {
            return Ok(first);
        }
        // A later part of the suite may need what the benchmarks before it did.
        let again = discover(true)?;
        let is_better = again.benchmarks.len() > first.benchmarks.len() || !again.has_failed();
        Ok(if is_better { again } else { first })
    }

    fn has_failed(&self) -> bool {
        !self.failed.is_empty() || self.ending != Ending::Exited(0)
    }

    /// What keeps benchmarks from being known.
    pub(super) fn troubles(&self) -> Vec<String> {
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

/// Has a process go through the suite. However long it takes, it is waited for.
fn discover(rehearses: bool) -> Result<Inventory, Stop> {
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
    let mut inventory = Inventory {
        benchmarks: Vec::new(),
        failed: Vec::new(),
        ending,
        rehearses,
    };
    // What is printed before the suite begins is no report.
    for line in String::from_utf8_lossy(&output).lines() {
        match Report::decode(line) {
            Some(Report::Benchmark(benchmark)) => inventory.benchmarks.push(*benchmark),
            Some(Report::Failed(failed)) => inventory.failed.push(failed),
            None => {}
        }
    }
    Ok(inventory)
}
