//! Benchmarks that are measured in this process at once: of programs that are no bench programs, and where a
//! suite does not bear other processes.

use std::rc::Rc;
use std::time::Duration;

use tourbillon::program::{InProcess, caught_anywhere, measure_in_process, once};
use tourbillon_clock::Clock;
use tourbillon_coordinator::output::to_stderr;
use tourbillon_coordinator::run::Home;
use tourbillon_criterion_files::Directories;
use tourbillon_os::HAS_PROCESSES;
use tourbillon_record::store::Last;
use tourbillon_record::{CaseResult, End, Entry, Metric};
use tourbillon_report::{Figure, Style, escape, measured};

use super::registration::{Body, Registration};
use crate::files::{Folder, root};
use crate::lines::Lines;
use crate::outputs::{Benchmark, Outputs};
use crate::stdout;

/// How long a benchmark is measured.
const TIME: Duration = Duration::from_millis(200);

/// The benchmarks that a process measures.
pub(super) struct Measuring {
    home: Home,
    directories: Directories,
    /// The form of lines on stdout, if they have one.
    lines: Option<Lines>,
    has_index: bool,
}

impl Measuring {
    pub(super) fn new(home: Home, lines: Option<Lines>, has_index: bool) -> Measuring {
        Measuring {
            home,
            directories: Directories::default(),
            lines,
            has_index,
        }
    }

    /// Measures a benchmark, prints it and writes its files; false if it failed.
    pub(super) fn take(
        &mut self,
        registration: &Registration<'_>,
        id: &str,
        body: Body<'_>,
    ) -> bool {
        let measured = caught_anywhere(|| measure_in_process(&self.home, id, TIME, body));
        match measured.unwrap_or_else(|panicked| Err(panicked.to_string())) {
            Ok(measured) => {
                self.show(registration, id, &measured);
                true
            }
            Err(why) => {
                let location = registration.location;
                to_stderr(&format!(
                    "error: {} at {location}: {why}\n",
                    escape(id, true)
                ));
                false
            }
        }
    }

    /// Measures a benchmark of a program that is no bench program; runs it once where nothing is measured.
    ///
    /// # Panics
    ///
    /// When the benchmark does, or passes no body to its `Bencher`.
    #[track_caller]
    pub(super) fn take_or_panic(&mut self, registration: &Registration<'_>, body: Body<'_>) {
        let id = registration.named.id();
        if !HAS_PROCESSES {
            if let Err(why) = once(body, &Clock::choose().clock) {
                panic!("{id}: {why}");
            }
            return;
        }
        match measure_in_process(&self.home, &id, TIME, body) {
            Ok(measured) => self.show(registration, &id, &measured),
            Err(why) => panic!("{id}: {why}"),
        }
    }

    /// Prints a benchmark and writes its files. An interval of one process is not compared.
    fn show(&mut self, registration: &Registration<'_>, id: &str, measured: &InProcess) {
        if self.lines.is_none() {
            print(measured);
        }
        let location = registration.location;
        let benchmark = Benchmark {
            case: registration
                .named
                .case(id, location.file(), location.line()),
            named: registration.named.clone(),
            throughput: registration.throughput,
            noise_threshold: registration.options.noise_threshold,
            baselines: registration.baselines.clone(),
            folder: Folder {
                root: registration.output_directory.map_or_else(root, Into::into),
                directory: self.directories.next(registration.named),
            },
        };
        let mut outputs = Outputs::new(vec![benchmark], self.lines, Rc::new(Last::default()));
        outputs.entry(Entry::Header(&measured.header));
        outputs.entry(Entry::Launch(&measured.launch));
        for result in &measured.results {
            outputs.entry(Entry::Result(result));
        }
        outputs.entry(Entry::End(&End::default()));
        if let Some(why) = outputs.finish(self.has_index) {
            to_stderr(&format!("warning: not written: {}\n", escape(&why, true)));
        }
    }
}

/// Prints what was measured: a line for wall time, the number and its unit for a measurement of the suite.
fn print(measured: &InProcess) {
    let own = measured
        .results
        .iter()
        .find(|result| result.metric == Metric::Own);
    let line = own.map_or_else(|| measured.line.clone(), own_line);
    stdout::print(&(line + "\n"));
}

fn own_line(result: &CaseResult) -> String {
    let id = escape(&result.case, true);
    match result.estimate {
        Ok(estimate) => {
            let figure = Figure::exact(estimate);
            format!("{id}: {}", measured(result, figure, &Style::default()))
        }
        Err(_) => format!(
            "{id}: {} is below what can be resolved",
            escape(result.metric_name(), true)
        ),
    }
}
