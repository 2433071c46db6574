//! Which benchmarks a suite has: a process of its own lists them.

use std::env;
use std::mem;
use std::time::Duration;

use tourbillon_coordinator::output::Stop;
use tourbillon_coordinator::runner::silence::SILENT_CALLS;
use tourbillon_coordinator::runner::{LOCK_VARIABLE, NO_LOCK, SentLaunch};
use tourbillon_os::{Ending, ErrorOutput, Executable, Launcher};
use tourbillon_record::Frame;
use tourbillon_report::escape;

use super::discovery::{Discovered, FailedTarget, Report};
use super::first_launches::FirstLaunches;
use super::role::{self, Discovery};

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
    /// Whether the process has ended in a launch.
    ended_in_launch: bool,
    /// Whether every benchmark that the suite came to was run once, in workers too: later parts may need that.
    pub(super) rehearses: bool,
}

impl Inventory {
    /// Has a process list the benchmarks, and make launches of those whose set-up takes long.
    ///
    /// # Errors
    ///
    /// When the process cannot be started, or writes too much.
    pub(super) fn take(first: &mut FirstLaunches<'_>) -> Result<Inventory, Stop> {
        let launches = first.may_be_made();
        let plain = Discovery::default();
        let mut found = discover(Discovery { launches, ..plain }, first)?;
        // A launch may be what has ended it.
        if found.has_failed() && first.forget() {
            found = discover(plain, first)?;
        }
        if !found.has_failed() {
            return Ok(found);
        }
        // A later part of the suite may need what the benchmarks before it did.
        let rehearses = Discovery {
            rehearses: true,
            ..plain
        };
        let again = discover(rehearses, first)?;
        let is_better = again.benchmarks.len() > found.benchmarks.len() || !again.has_failed();
        Ok(if is_better { again } else { found })
    }

    fn has_failed(&self) -> bool {
        !self.failed.is_empty() || self.ending != Ending::Exited(0) || self.ended_in_launch
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

/// Has a process go through the suite. However long it takes, it is waited for, but not for a launch that hangs.
fn discover(discovery: Discovery, first: &mut FirstLaunches<'_>) -> Result<Inventory, Stop> {
    let failed = |error| Stop::environment(format!("the suite cannot be started: {error}"));
    let mut launcher = Launcher::new(&Executable::own().map_err(failed)?);
    for argument in env::args_os().skip(1) {
        launcher.argument(argument);
    }
    launcher.variable(
        role::VARIABLE.as_ref(),
        role::discoverer(discovery).as_ref(),
    );
    if discovery.launches {
        // A benchmark that starts a bench program must not wait for this one.
        launcher.variable(LOCK_VARIABLE.as_ref(), NO_LOCK.as_ref());
    }
    if !discovery.rehearses {
        // What the suite prints is shown once, here.
        launcher.stderr(ErrorOutput::Inherit);
    }
    let mut child = launcher.start().map_err(failed)?;
    let mut inventory = Inventory {
        benchmarks: Vec::new(),
        failed: Vec::new(),
        ending: Ending::NotSeen,
        ended_in_launch: false,
        rehearses: discovery.rehearses,
    };
    let (mut rest, mut chunk, mut open) = (Vec::new(), vec![0; 1 << 16], true);
    // Bytes that are no launch.
    let mut written = 0;
    let mut launch: Option<Silence> = None;
    loop {
        let ready = child.wait_ready(open, None, WAIT).map_err(failed)?;
        if ready.output {
            let count = child.read(&mut chunk).map_err(failed)?;
            open = count > 0;
            rest.extend_from_slice(&chunk[..count]);
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let others = rest.split_off(end + 1);
                let line = mem::replace(&mut rest, others);
                match LineOfDiscoverer::read(line) {
                    LineOfDiscoverer::Report(Report::Benchmark(found), bytes) => {
                        written += bytes;
                        if found.waits {
                            let plan = first.plan(&found);
                            launch = plan.is_some().then(|| Silence::new(first, &found));
                            let frame = plan.map_or(Frame::Bye, Frame::Plan);
                            // If the process is gone, its end tells more.
                            let _ = child.write((frame.encode() + "\n").as_bytes());
                        }
                        inventory.benchmarks.push(*found);
                    }
                    LineOfDiscoverer::Report(Report::Failed(failed), bytes) => {
                        written += bytes;
                        inventory.failed.push(failed);
                    }
                    LineOfDiscoverer::Launch(sent) => {
                        launch = None;
                        first.take(sent);
                    }
                    LineOfDiscoverer::Fault => launch = None,
                    LineOfDiscoverer::Progress { first_call_ns } => {
                        if let Some(silence) = &mut launch {
                            silence.breaks(first_call_ns);
                        }
                    }
                    // What is printed before the suite begins is no report.
                    LineOfDiscoverer::Other(bytes) => written += bytes,
                }
            }
        } else if ready.ended {
            break;
        } else if launch.as_mut().is_some_and(Silence::is_too_long) {
            // Then it has failed.
            break;
        }
        let errors = child.stderr_bytes().unwrap_or(0);
        if errors.max(written + rest.len() as u64) > MOST_BYTES {
            return Err(Stop::environment(
                "the suite wrote more than 256 MiB while its benchmarks were listed, and was ended; print less before \
                 and between them"
                    .to_owned(),
            ));
        }
    }
    inventory.ending = child.end(LAST_WAIT);
    inventory.ended_in_launch = launch.is_some();
    Ok(inventory)
}

/// A line of a discoverer.
enum LineOfDiscoverer {
    /// With its length.
    Report(Report, u64),
    Launch(SentLaunch),
    /// In place of a launch.
    Fault,
    /// A launch goes on.
    Progress {
        first_call_ns: u64,
    },
    /// Its length.
    Other(u64),
}

impl LineOfDiscoverer {
    fn read(line: Vec<u8>) -> LineOfDiscoverer {
        let bytes = line.len() as u64;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if let Some(report) = Report::decode(text) {
            return LineOfDiscoverer::Report(report, bytes);
        }
        match Frame::decode(text) {
            Ok(Frame::Launch(samples)) => LineOfDiscoverer::Launch(SentLaunch { samples, line }),
            Ok(Frame::Fault(_)) => LineOfDiscoverer::Fault,
            Ok(Frame::Progress { first_call_ns, .. }) => {
                LineOfDiscoverer::Progress { first_call_ns }
            }
            _ => LineOfDiscoverer::Other(bytes),
        }
    }
}

/// How long a launch has been silent, in nanoseconds.
struct Silence {
    now_ns: u64,
    most_ns: u64,
}

impl Silence {
    fn new(first: &FirstLaunches<'_>, found: &Discovered) -> Silence {
        Silence {
            now_ns: 0,
            most_ns: first.timeout_ns(found),
        }
    }

    /// It was not silent.
    fn breaks(&mut self, first_call_ns: u64) {
        let calls_ns = first_call_ns.saturating_mul(SILENT_CALLS);
        self.now_ns = 0;
        self.most_ns = self.most_ns.max(calls_ns);
    }

    /// One more wait has passed.
    fn is_too_long(&mut self) -> bool {
        self.now_ns += WAIT.as_nanos() as u64;
        self.now_ns > self.most_ns
    }
}
