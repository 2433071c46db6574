//! The process that lists the benchmarks, from its start to its end.

use std::env;
use std::io;
use std::mem;
use std::time::Duration;

use tourbillon_coordinator::output::Stop;
use tourbillon_coordinator::runner::silence::SILENT_CALLS;
use tourbillon_coordinator::runner::{LOCK_VARIABLE, NO_LOCK, SentLaunch};
use tourbillon_os::{Child, Ending, ErrorOutput, Executable, Launcher};
use tourbillon_record::Frame;

use super::discovery::{Discovered, Report};
use super::first_launches::FirstLaunches;
use super::inventory::Inventory;
use super::role::{self, Discovery};

/// Time in which the discoverer may end after its output has ended.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// Longest wait for the discoverer at once; any number of them follow each other.
const WAIT: Duration = Duration::from_millis(250);
/// Most bytes besides launches that it may write to stdout, and to a file for its stderr.
const MOST_BYTES: u64 = 256 << 20;

/// Has a process list the benchmarks, and make launches of those whose set-up takes long.
///
/// # Errors
///
/// When the process cannot be started, or writes too much.
pub(super) fn list(first: &mut FirstLaunches<'_>) -> Result<Inventory, Stop> {
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

/// Has a process go through the suite. However long it takes, it is waited for, but not for a launch that hangs.
fn discover(discovery: Discovery, first: &mut FirstLaunches<'_>) -> Result<Inventory, Stop> {
    let failed = |error| Stop::environment(format!("the suite cannot be started: {error}"));
    // What the suite prints is shown once.
    let shows = !discovery.rehearses && first.beginning.is_none();
    let mut child = launcher(discovery, shows)
        .and_then(|mut launcher| launcher.start())
        .map_err(failed)?;
    let mut listing = Listing {
        inventory: Inventory {
            benchmarks: Vec::new(),
            failed: Vec::new(),
            ending: Ending::NotSeen,
            ended_in_launch: false,
            rehearses: discovery.rehearses,
        },
        first,
        launch: None,
        bytes: 0,
    };
    let (mut rest, mut chunk, mut open) = (Vec::new(), vec![0; 1 << 16], true);
    loop {
        let ready = child.wait_ready(open, None, WAIT).map_err(failed)?;
        if ready.output {
            let count = child.read(&mut chunk).map_err(failed)?;
            open = count > 0;
            rest.extend_from_slice(&chunk[..count]);
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let others = rest.split_off(end + 1);
                listing.take(mem::replace(&mut rest, others), &mut child);
            }
        } else if ready.ended || listing.hangs() {
            break;
        }
        let errors = child.stderr_bytes().unwrap_or(0);
        if errors.max(listing.bytes + rest.len() as u64) > MOST_BYTES {
            return Err(Stop::environment(
                "the suite wrote more than 256 MiB while its benchmarks were listed, and was ended; print less before \
                 and between them"
                    .to_owned(),
            ));
        }
    }
    listing.inventory.ending = child.end(LAST_WAIT);
    listing.inventory.ended_in_launch = listing.launch.is_some();
    Ok(listing.inventory)
}

/// This executable as a discoverer.
fn launcher(discovery: Discovery, shows: bool) -> io::Result<Launcher> {
    let mut launcher = Launcher::new(&Executable::own()?);
    for argument in env::args_os().skip(1) {
        launcher.argument(argument);
    }
    let role = role::discoverer(discovery);
    launcher.variable(role::VARIABLE.as_ref(), role.as_ref());
    if discovery.launches {
        // A benchmark that starts a bench program must not wait for this one.
        launcher.variable(LOCK_VARIABLE.as_ref(), NO_LOCK.as_ref());
    }
    if shows {
        launcher.stderr(ErrorOutput::Inherit);
    }
    Ok(launcher)
}

/// What a discoverer has written so far.
struct Listing<'f, 'a> {
    inventory: Inventory,
    first: &'f mut FirstLaunches<'a>,
    /// The silence of the launch that it makes.
    launch: Option<Silence>,
    /// Bytes of lines other than launches.
    bytes: u64,
}

impl Listing<'_, '_> {
    /// Takes a line, with its end. One that is neither a report nor a frame was printed before the suite began.
    fn take(&mut self, line: Vec<u8>, child: &mut Child) {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if let Some(report) = Report::decode(text) {
            self.bytes += line.len() as u64;
            self.launch = None;
            match report {
                Report::Benchmark(found) => self.find(*found, child),
                Report::Failed(failed) => self.inventory.failed.push(failed),
            }
            return;
        }
        match Frame::decode(text) {
            Ok(Frame::Launch(samples)) => {
                self.launch = None;
                self.first.take(SentLaunch { samples, line });
            }
            // A worker makes the launch, and reports what is wrong.
            Ok(Frame::Fault(_)) => self.launch = None,
            Ok(Frame::Progress { first_call_ns, .. }) => {
                if let Some(silence) = &mut self.launch {
                    silence.breaks(first_call_ns);
                }
            }
            _ => self.bytes += line.len() as u64,
        }
    }

    /// Takes a benchmark, and answers if the discoverer waits.
    fn find(&mut self, found: Discovered, child: &mut Child) {
        if found.waits {
            let plan = self.first.plan(&found);
            self.launch = plan.is_some().then(|| Silence {
                now_ns: 0,
                most_ns: self.first.timeout_ns(&found),
            });
            let frame = plan.map_or(Frame::Bye, Frame::Plan);
            // If the process is gone, its end tells more.
            let _ = child.write((frame.encode() + "\n").as_bytes());
        }
        self.inventory.benchmarks.push(found);
    }

    /// Whether a launch hangs, now that one more wait has passed in silence.
    fn hangs(&mut self) -> bool {
        self.launch.as_mut().is_some_and(Silence::is_too_long)
    }
}

/// How long a launch has been silent, in nanoseconds.
struct Silence {
    now_ns: u64,
    most_ns: u64,
}

impl Silence {
    /// It was not silent. Calls that are as long as the first one follow.
    fn breaks(&mut self, first_call_ns: u64) {
        self.now_ns = 0;
        self.most_ns = self.most_ns.max(first_call_ns.saturating_mul(SILENT_CALLS));
    }

    /// One more wait has passed.
    fn is_too_long(&mut self) -> bool {
        self.now_ns += WAIT.as_nanos() as u64;
        self.now_ns > self.most_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_first_calls_may_pass_in_silence() {
        let wait_ns = WAIT.as_nanos() as u64;
        let waits_until_too_long = |silence: &mut Silence| {
            let mut waits = 1;
            while !silence.is_too_long() {
                waits += 1;
            }
            waits
        };
        let mut silence = Silence {
            now_ns: 0,
            most_ns: 2 * wait_ns,
        };
        assert_eq!(waits_until_too_long(&mut silence), 3);
        silence.breaks(wait_ns / 10);
        assert_eq!(waits_until_too_long(&mut silence), 3);
        silence.breaks(wait_ns);
        assert_eq!(waits_until_too_long(&mut silence), 11);
    }
}
