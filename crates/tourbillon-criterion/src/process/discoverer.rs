//! A discoverer: goes through the suite and reports its benchmarks.

use std::fs::File;
use std::process;

use tourbillon::program::{listen, once};
use tourbillon_clock::{Clock, Stopwatch};
use tourbillon_coordinator::output::ENVIRONMENT;
use tourbillon_os::{take_protocol, tie_to_coordinator, write_line};

use super::discovery::{Discovered, FailedTarget, Report};
use super::registration::Body;

/// A discoverer.
pub(super) struct Discoverer {
    output: File,
    /// The clock of a first call, in a discoverer that rehearses.
    rehearses: Option<Clock>,
    /// Since the target began.
    stopwatch: Stopwatch,
}

impl Discoverer {
    /// Takes the pipe to the coordinator. What the suite prints goes to stderr.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn begin(rehearses: bool) -> Result<Discoverer, String> {
        let protocol = take_protocol(true).map_err(|error| error.to_string())?;
        tie_to_coordinator(&protocol.input).map_err(|error| error.to_string())?;
        listen();
        let clock = rehearses.then(|| Clock::by_name("monotonic")).transpose();
        Ok(Discoverer {
            output: protocol.output,
            rehearses: clock.map_err(|error| error.to_string())?,
            stopwatch: Stopwatch::start(),
        })
    }

    /// A target begins.
    pub(super) fn enters(&mut self) {
        self.stopwatch = Stopwatch::start();
    }

    /// A target panicked.
    pub(super) fn failed(&mut self, target: &str, why: &str) {
        self.report(&Report::Failed(FailedTarget {
            target: target.to_owned(),
            why: why.to_owned(),
        }));
    }

    /// Reports a benchmark.
    pub(super) fn take(&mut self, found: Discovered, body: Body<'_>) {
        self.report(&Report::Benchmark(Box::new(Discovered {
            setup_ns: self.stopwatch.elapsed_ns(),
            ..found
        })));
        if let Some(clock) = &self.rehearses {
            // Its failure is that of its own launches.
            let _ = once(body, clock);
        }
    }

    fn report(&self, report: &Report) {
        if write_line(&self.output, report.encode().as_bytes()).is_err() {
            // The coordinator is gone.
            process::exit(i32::from(ENVIRONMENT));
        }
    }
}
