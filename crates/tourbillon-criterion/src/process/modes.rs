//! Modes that go through the suite in this process without measuring: the list, the test, the run for a profiler.

use std::env;
use std::ffi::OsString;

use tourbillon::program::{listen, once, run_for};
use tourbillon_clock::{Clock, Ticks};
use tourbillon_coordinator::args::{Data, Mode};
use tourbillon_coordinator::output::{Stop, measuring_hint, to_stderr};
use tourbillon_criterion_files::directory_of;
use tourbillon_os::keep_for_data;
use tourbillon_record::Entry;
use tourbillon_report::escape;

use super::registration::{Body, Registration};
use crate::files::root;
use crate::flags::Flags;
use crate::stdout::print;

/// Goes through a suite.
pub(super) struct Unmeasured {
    mode: Mode,
    /// Whether the list has lines of a record.
    lists_records: bool,
    clock: Clock,
}

impl Unmeasured {
    /// For a command line.
    ///
    /// # Errors
    ///
    /// When the system's clock cannot be read.
    pub(super) fn new(flags: &Flags) -> Result<Unmeasured, Stop> {
        listen();
        if let Mode::List { .. } = flags.high.mode {
            keep_for_data();
        }
        Ok(Unmeasured {
            mode: flags.high.mode,
            lists_records: flags.high.data == Data::Lines,
            clock: Clock::by_name("monotonic").map_err(Stop::environment)?,
        })
    }

    /// What a program that was started by hand says at its end.
    pub(super) fn hint(&self) -> Option<String> {
        let arguments: Vec<OsString> = env::args_os().collect();
        let is_test = matches!(self.mode, Mode::Test { .. });
        let hint = || measuring_hint(&arguments, |name| env::var_os(name));
        is_test.then(hint)?
    }

    /// Takes a benchmark; false if it failed.
    pub(super) fn take(
        &mut self,
        registration: &Registration<'_>,
        id: &str,
        body: Body<'_>,
    ) -> bool {
        let shown = escape(id, true);
        let outcome = match self.mode {
            Mode::List { .. } if self.lists_records => {
                let location = registration.location;
                let case = registration
                    .named
                    .case(id, location.file(), location.line());
                print(&(Entry::Case(&case).encode() + "\n"));
                Ok(())
            }
            Mode::List { .. } => {
                print(&format!("{shown}: benchmark\n"));
                Ok(())
            }
            Mode::Profile { ns } => self.profile(registration, id, ns, body),
            _ => {
                // Before it runs: the name of one that ends the process is known.
                print(&format!("Testing {shown}\n"));
                let outcome = once(body, &self.clock);
                print(if outcome.is_ok() {
                    "Success\n\n"
                } else {
                    "FAILED\n\n"
                });
                outcome
            }
        };
        if let Err(why) = &outcome {
            let location = registration.location;
            to_stderr(&format!(
                "error: {shown} at {location}: {}\n",
                escape(why, true)
            ));
        }
        outcome.is_ok()
    }

    /// Runs a benchmark for a time, with its profiler around it.
    fn profile(
        &self,
        registration: &Registration<'_>,
        id: &str,
        ns: u64,
        body: Body<'_>,
    ) -> Result<(), String> {
        let root = registration.output_directory.map_or_else(root, Into::into);
        let folder = root.join(directory_of(registration.named)).join("profile");
        let process = tourbillon_engine::process_id();
        to_stderr(&format!("{} runs in process {process}\n", escape(id, true)));
        registration
            .profiler
            .borrow_mut()
            .start_profiling(id, &folder);
        // Ticks of the system's clock are nanoseconds.
        let iterations = run_for(body, &self.clock, Ticks(ns));
        registration
            .profiler
            .borrow_mut()
            .stop_profiling(id, &folder);
        to_stderr(&format!("  {} iterations\n", iterations?));
        Ok(())
    }
}
