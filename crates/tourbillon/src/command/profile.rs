//! Profile mode: each case again and again in this process, for somebody who looks on.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_engine::{About, Arm, CaseOptions, Drive, Suite, Visitor, repeat};
use tourbillon_record::Case;
use tourbillon_report::escape;

use super::console::Console;
use super::ended;
use super::exit::{FAILED, FINE, Stop};
use super::flags::{HighArgs, Selection};
use crate::panics;
use crate::text::{said, text};

/// Runs each selected case for so many nanoseconds. Nothing is measured and nothing is stored.
///
/// # Errors
///
/// When the clock cannot be read.
#[inline(never)]
pub(crate) fn profile(
    suite: &dyn Suite,
    high: &HighArgs,
    ns: u64,
    console: &mut Console,
) -> Result<u8, Stop> {
    panics::listen();
    let clock = Clock::by_name("monotonic").map_err(|error| Stop::environment(said(&error)))?;
    let mut profiled = Profiled {
        selection: &high.selection,
        // Ticks of the operating system's clock are nanoseconds.
        looped: Looped {
            clock,
            ticks: Ticks(ns),
            iterations: 0,
            failure: None,
        },
        console,
        cases: 0,
        failed: false,
    };
    suite.visit(&mut profiled);
    let Profiled { cases, failed, .. } = profiled;
    if cases == 0 {
        console.note("no case is selected; --list shows all\n");
    }
    Ok(if failed { FAILED } else { FINE })
}

/// Goes through the cases and runs those that are selected.
struct Profiled<'p> {
    selection: &'p Selection,
    looped: Looped,
    console: &'p mut Console,
    cases: u64,
    failed: bool,
}

impl Visitor for Profiled<'_> {
    #[inline(never)]
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if !self.selection.matches(case) || !self.selection.runs(case) {
            return ControlFlow::Continue(());
        }
        self.cases += 1;
        let id = escape(&case.id, self.console.style.unicode);
        // Said before it begins: whoever attaches a profiler by hand sees what runs.
        let process = std::process::id();
        self.console
            .note(&text!("{id} runs in process {process}\n"));
        let looped = &mut self.looped;
        (looped.iterations, looped.failure) = (0, None);
        let mut returned = Ok(());
        ended::runs(Some(&case.id));
        if let Err(panicked) = panics::caught_anywhere(&mut || returned = body(looped)) {
            returned = Err(said(&panicked));
        }
        ended::runs(None);
        let failure = match returned {
            Ok(()) => looped.failure.take(),
            Err(why) => Some(why),
        };
        let text = match failure {
            Some(why) => {
                self.failed = true;
                text!("  failed: {}\n", escape(&why, true))
            }
            None => text!("  {} iterations\n", looped.iterations),
        };
        self.console.note(&text);
        ControlFlow::Continue(())
    }
}

/// Drives an arm for a time.
struct Looped {
    clock: Clock,
    ticks: Ticks,
    iterations: u64,
    failure: Option<String>,
}

impl Drive for Looped {
    fn drive(&mut self, arm: &mut dyn Arm, _about: About) {
        match arm.first(&self.clock) {
            Ok(_) => self.iterations = 1 + repeat(arm, &self.clock, self.ticks),
            Err(why) => self.failure = Some(why),
        }
    }
}
