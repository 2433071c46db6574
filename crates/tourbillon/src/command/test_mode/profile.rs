//! Profile mode: each case again and again in this process, for a profiler.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_coordinator::args::{HighArgs, Pick, Picker};
use tourbillon_coordinator::output::{Console, FAILED, FINE, Stop, running};
use tourbillon_engine::{About, Arm, Drive, Suite, Visitor, process_id, repeat};
use tourbillon_record::{Case, CaseOptions};
use tourbillon_report::escape;

use crate::panics;

/// Runs each selected case for this many nanoseconds. Nothing is measured and nothing is stored.
///
/// # Errors
///
/// When the clock cannot be read.
pub(crate) fn profile(
    suite: &dyn Suite,
    high: &HighArgs,
    ns: u64,
    console: &mut Console,
) -> Result<u8, Stop> {
    panics::listen();
    let mut profiled = Profiled {
        picker: high.selection.picker(),
        clock: Clock::by_name("monotonic").map_err(Stop::environment)?,
        // Ticks of the operating system's clock are nanoseconds.
        ticks: Ticks(ns),
        console,
        cases: 0,
        failed: false,
    };
    suite.visit(&mut profiled);
    let (cases, failed) = (profiled.cases, profiled.failed);
    if cases == 0 {
        console.note("no case is selected; --list shows all\n");
    }
    Ok(if failed { FAILED } else { FINE })
}

/// Goes through the cases and runs those that are selected.
struct Profiled<'p> {
    picker: Picker<'p>,
    clock: Clock,
    ticks: Ticks,
    console: &'p mut Console,
    cases: u64,
    failed: bool,
}

impl Visitor for Profiled<'_> {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if self.picker.pick(case) != Pick::Run {
            return ControlFlow::Continue(());
        }
        self.cases += 1;
        // Before it begins: a profiler may be attached by hand.
        let id = escape(&case.id, self.console.style.unicode);
        let process = process_id();
        self.console
            .note(&format!("{id} runs in process {process}\n"));
        running(Some(&case.id));
        let iterations = run_for(body, &self.clock, self.ticks);
        running(None);
        let text = match iterations {
            Ok(iterations) => format!("  {iterations} iterations\n"),
            Err(why) => {
                self.failed = true;
                format!("  failed: {}\n", escape(&why, true))
            }
        };
        self.console.note(&text);
        ControlFlow::Continue(())
    }
}

/// Runs a benchmark for this many ticks of a clock; returns the number of iterations.
///
/// # Errors
///
/// The panic of the benchmark, or its error.
pub fn run_for(
    body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    clock: &Clock,
    ticks: Ticks,
) -> Result<u64, String> {
    let mut repeated = Repeated {
        clock,
        ticks,
        iterations: Ok(0),
    };
    let returned = panics::caught_anywhere(|| body(&mut repeated));
    let returned = returned.unwrap_or_else(|panicked| Err(panicked.to_string()));
    returned.and(repeated.iterations)
}

/// Drives an arm for a time.
struct Repeated<'r> {
    clock: &'r Clock,
    ticks: Ticks,
    iterations: Result<u64, String>,
}

impl Drive for Repeated<'_> {
    fn drive(&mut self, arm: &mut dyn Arm, _about: About) {
        let first = arm.first(self.clock);
        self.iterations = first.map(|_| 1 + repeat(arm, self.clock, self.ticks));
    }

    fn movable(&mut self) -> Option<&mut (dyn Drive + Send)> {
        Some(self)
    }
}
