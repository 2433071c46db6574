//! A discoverer: goes through the suite and reports its benchmarks.

use std::io;
use std::process;

use tourbillon::program::{WorkerLaunch, listen, once};
use tourbillon_clock::{Clock, Stopwatch};
use tourbillon_coordinator::output::ENVIRONMENT;
use tourbillon_os::{Protocol, keep_freed_memory, take_protocol, tie_to_coordinator, write_line};

use super::discovery::{Discovered, FailedTarget, Report};
use super::first_launches::WORTH_NS;
use super::registration::{Body, Registration};
use super::role::Discovery;
use super::worker::OneCase;

/// A discoverer.
pub(super) struct Discoverer {
    protocol: Protocol,
    /// The clock of a first call, in a discoverer that rehearses.
    rehearses: Option<Clock>,
    /// Whether it makes launches where a set-up has taken long.
    launches: bool,
    /// The launch that was made last.
    launch: Option<WorkerLaunch>,
    /// Since the target began.
    stopwatch: Stopwatch,
    /// How long launches took since then, in nanoseconds.
    launches_ns: u64,
}

impl Discoverer {
    /// Takes the pipe to the coordinator. What the suite prints goes to stderr.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn begin(discovery: Discovery) -> Result<Discoverer, String> {
        let protocol = take_protocol(true).map_err(|error| error.to_string())?;
        tie_to_coordinator(&protocol.input).map_err(|error| error.to_string())?;
        listen();
        if discovery.launches {
            keep_freed_memory();
        }
        let clock = discovery
            .rehearses
            .then(|| Clock::by_name("monotonic"))
            .transpose();
        Ok(Discoverer {
            protocol,
            rehearses: clock.map_err(|error| error.to_string())?,
            launches: discovery.launches,
            launch: None,
            stopwatch: Stopwatch::start(),
            launches_ns: 0,
        })
    }

    /// A target begins.
    pub(super) fn enters(&mut self) {
        self.stopwatch = Stopwatch::start();
        self.launches_ns = 0;
    }

    /// A target panicked.
    pub(super) fn failed(&mut self, target: &str, why: &str) {
        self.report(&Report::Failed(FailedTarget {
            target: target.to_owned(),
            why: why.to_owned(),
        }));
    }

    /// Reports a benchmark, and makes a launch of it if its set-up took long and the coordinator sends a plan.
    pub(super) fn take(
        &mut self,
        found: Discovered,
        registration: &Registration<'_>,
        body: Body<'_>,
    ) {
        let setup_ns = self.stopwatch.elapsed_ns().saturating_sub(self.launches_ns);
        let waits = self.launches && found.selected && setup_ns >= WORTH_NS;
        let id = found.id.clone();
        self.report(&Report::Benchmark(Box::new(Discovered {
            setup_ns,
            waits,
            ..found
        })));
        if waits {
            let stopwatch = Stopwatch::start();
            self.make_launch(&OneCase::new(registration, &id, body));
            self.launches_ns += stopwatch.elapsed_ns();
        } else if let Some(clock) = &self.rehearses {
            // Its failure is that of its own launches.
            let _ = once(body, clock);
        }
    }

    /// Makes the launch of a plan; without one, or if that fails, a worker makes it.
    fn make_launch(&mut self, case: &OneCase<'_>) {
        let is_planned = match &mut self.launch {
            Some(launch) => launch.next_plan(),
            None => {
                self.launch = self.first_launch().ok();
                self.launch.is_some()
            }
        };
        if let Some(launch) = self.launch.as_mut().filter(|_| is_planned) {
            #[cfg(unix)]
            let _silenced = tourbillon_os::silence();
            launch.make(case);
        }
    }

    fn first_launch(&self) -> io::Result<WorkerLaunch> {
        let protocol = Protocol {
            input: self.protocol.input.try_clone()?,
            output: self.protocol.output.try_clone()?,
        };
        WorkerLaunch::through(protocol).map_err(|error| io::Error::other(error.to_string()))
    }

    fn report(&self, report: &Report) {
        if write_line(&self.protocol.output, report.encode().as_bytes()).is_err() {
            // The coordinator is gone.
            process::exit(i32::from(ENVIRONMENT));
        }
    }
}
