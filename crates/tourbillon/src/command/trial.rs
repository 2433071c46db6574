//! Test mode: each case once, in this process, without measuring.
//!
//! The output has the form of the built-in test harness, so that people and tools know it.

use std::ops::ControlFlow;

use tourbillon_clock::Clock;
use tourbillon_engine::{About, Arm, CaseOptions, Drive, Suite, Visitor};
use tourbillon_record::Case;
use tourbillon_report::{Style, escape};

use super::chosen::Chosen;
use super::console::Console;
use super::exit::{FAILED, FINE, Stop};
use super::flags::{High, Selection};
use super::panics;

/// Runs each selected case once.
///
/// # Errors
///
/// When stdout cannot be written.
pub(crate) fn test(
    suite: &dyn Suite,
    high: &High,
    terse: bool,
    console: &mut Console,
) -> Result<u8, Stop> {
    let chosen = Chosen::of(suite, &high.selection);
    panics::listen(|_| {});
    let total = chosen.runs.len() + chosen.ignored.len();
    let s = if total == 1 { "" } else { "s" };
    console.stdout(&format!("\nrunning {total} test{s}\n"))?;
    for case in &chosen.ignored {
        console.stdout(&ignored(case, terse, &console.style.clone()))?;
    }
    let mut trial = Trial {
        selection: &high.selection,
        clock: clock()?,
        terse,
        console,
        passed: 0,
        failures: Vec::new(),
        stop: None,
    };
    suite.visit(&mut trial);
    let Trial {
        stop,
        passed,
        failures,
        ..
    } = trial;
    if let Some(stop) = stop {
        return Err(stop);
    }
    console.stdout(&summary(
        &chosen,
        passed,
        &failures,
        terse,
        &console.style.clone(),
    ))?;
    Ok(if failures.is_empty() { FINE } else { FAILED })
}

/// Arms want a clock even when nobody looks at it: the operating system's, which needs no choice.
fn clock() -> Result<Clock, Stop> {
    Clock::by_name("monotonic").map_err(|error| Stop::environment(error.to_string()))
}

/// A case that failed: its identity, and why.
struct Failure {
    id: String,
    why: String,
}

/// Goes through the cases and runs those that are selected.
struct Trial<'t> {
    selection: &'t Selection,
    clock: Clock,
    terse: bool,
    console: &'t mut Console,
    passed: usize,
    failures: Vec<Failure>,
    stop: Option<Stop>,
}

impl Visitor for Trial<'_> {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if !self.selection.matches(case) || !self.selection.runs(case) {
            return ControlFlow::Continue(());
        }
        let style = self.console.style;
        let told = self.tell(|terse| {
            // Said before the case runs: one that hangs or ends the process is known by name.
            if terse {
                String::new()
            } else {
                format!("test {} ... ", escape(&case.id, style.unicode))
            }
        });
        let outcome = if told {
            once(body, &self.clock)
        } else {
            return ControlFlow::Break(());
        };
        let passed = outcome.is_ok();
        match outcome {
            Ok(()) => self.passed += 1,
            Err(why) => self.failures.push(Failure {
                id: case.id.clone(),
                why,
            }),
        }
        let told = self.tell(|terse| {
            let text = match (terse, passed) {
                (true, true) => ".",
                (true, false) => "F",
                (false, true) => "ok\n",
                (false, false) => "FAILED\n",
            };
            text.to_owned()
        });
        if told {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

impl Trial<'_> {
    /// Prints; false when that does not go, which ends the trial.
    fn tell(&mut self, text: impl FnOnce(bool) -> String) -> bool {
        let printed = self.console.stdout(&text(self.terse));
        self.stop = printed.err();
        self.stop.is_none()
    }
}

/// Runs a benchmark and the first call of its body.
fn once(
    body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    clock: &Clock,
) -> Result<(), String> {
    struct FirstCall<'c> {
        clock: &'c Clock,
        outcome: Option<Result<(), String>>,
    }
    impl Drive for FirstCall<'_> {
        fn drive(&mut self, arm: &mut dyn Arm, _about: About) {
            self.outcome = Some(arm.first(self.clock).map(drop));
        }
    }
    let mut driver = FirstCall {
        clock,
        outcome: None,
    };
    match panics::caught(|| body(&mut driver)) {
        Ok(Ok(())) => driver.outcome.unwrap_or_else(|| {
            Err(
                "returned without measuring; call one of its Bencher's methods, such as iter"
                    .to_owned(),
            )
        }),
        Ok(Err(error)) => Err(format!("returned an error: {error}")),
        Err(panicked) => Err(match panicked.place {
            Some(place) => format!(
                "panicked at {}:{}: {}",
                place.file, place.line, panicked.message
            ),
            None => format!("panicked: {}", panicked.message),
        }),
    }
}

fn ignored(case: &Case, terse: bool, style: &Style) -> String {
    if terse {
        return "i".to_owned();
    }
    let why = match case.ignored.as_deref() {
        Some(why) if !why.is_empty() => format!(", {}", escape(why, style.unicode)),
        _ => String::new(),
    };
    format!(
        "test {} ... ignored{why}\n",
        escape(&case.id, style.unicode)
    )
}

fn summary(
    chosen: &Chosen,
    passed: usize,
    failures: &[Failure],
    terse: bool,
    style: &Style,
) -> String {
    let mut text = if terse {
        "\n".to_owned()
    } else {
        String::new()
    };
    if !failures.is_empty() {
        text.push_str("\nfailures:\n");
        for failure in failures {
            text.push_str(&format!(
                "\n---- {} ----\n",
                escape(&failure.id, style.unicode)
            ));
            for line in failure.why.lines() {
                text.push_str(&escape(line, style.unicode));
                text.push('\n');
            }
        }
        text.push_str("\nfailures:\n");
        for failure in failures {
            text.push_str(&format!("    {}\n", escape(&failure.id, style.unicode)));
        }
    }
    text.push_str(&format!(
        "\ntest result: {}. {passed} passed; {} failed; {} ignored; 0 measured; {} filtered out\n\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        failures.len(),
        chosen.ignored.len(),
        chosen.filtered_out
    ));
    text
}
