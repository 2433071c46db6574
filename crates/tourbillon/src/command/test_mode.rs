//! Test mode: each case once, in this process, without measuring.
//!
//! The output has the form of the built-in test harness, so that people and tools know it.

use std::ops::ControlFlow;

use tourbillon_clock::Clock;
use tourbillon_engine::{About, Arm, CaseOptions, Drive, Suite, Visitor};
use tourbillon_record::Case;
use tourbillon_report::{Pieces, Style, escape};

use super::chosen::Chosen;
use super::console::Console;
use super::ended;
use super::exit::{FAILED, FINE, Stop};
use super::flags::{HighArgs, Selection};
use crate::lasting::{Handed, Lasting};
use crate::panics;
use crate::text::{append, owned, said, text};

/// Runs each selected case once.
///
/// # Errors
///
/// When stdout cannot be written.
pub(crate) fn test(
    suite: &dyn Suite,
    high: &HighArgs,
    terse: bool,
    console: &mut Console,
) -> Result<u8, Stop> {
    let chosen = Chosen::of(suite, &high.selection);
    panics::listen();
    let style = console.style;
    let total = chosen.runs.len() + chosen.ignored.len();
    let s = if total == 1 { "" } else { "s" };
    console.stdout(&text!("\nrunning {total} test{s}\n"))?;
    for case in &chosen.ignored {
        console.stdout(&ignored(case, terse, &style))?;
    }
    let mut trial = Trial {
        selection: &high.selection,
        clock: clock()?,
        terse,
        console,
        passed: 0,
        failed: Lasting::new(Vec::new()),
        reasons: Lasting::new(String::new()),
        stop: Handed::new(None),
    };
    suite.visit(&mut trial);
    let Trial {
        stop,
        passed,
        failed,
        reasons,
        ..
    } = trial;
    if let Some(stop) = Handed::into_inner(stop) {
        return Err(stop);
    }
    let end = summary(&chosen, passed, &failed, &reasons, terse, &style);
    console.stdout(&end)?;
    Ok(if failed.is_empty() { FINE } else { FAILED })
}

/// Arms want a clock even when nobody looks at it: the operating system's, which needs no choice.
fn clock() -> Result<Clock, Stop> {
    Clock::by_name("monotonic").map_err(|error| Stop::environment(said(&error)))
}

/// Goes through the cases and runs those that are selected.
struct Trial<'t> {
    selection: &'t Selection,
    clock: Clock,
    terse: bool,
    console: &'t mut Console,
    passed: usize,
    /// Cases that failed.
    failed: Lasting<Vec<String>>,
    /// Why, as it is said in the end.
    reasons: Lasting<String>,
    stop: Handed<Option<Stop>>,
}

impl Visitor for Trial<'_> {
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
        // Said before the case runs: one that hangs or ends the process is known by name.
        if !self.terse {
            let id = escape(&case.id, self.console.style.unicode);
            self.tell(&text!("test {id} ... "))?;
        }
        ended::runs(Some(&case.id));
        let outcome = once(body, &self.clock);
        ended::runs(None);
        match outcome {
            Ok(()) => {
                self.passed += 1;
                self.tell(if self.terse { "." } else { "ok\n" })
            }
            Err(why) => {
                let style = &self.console.style;
                append(&mut self.reasons, "\n---- ");
                say(&mut self.reasons, &case.id, style, " ----\n");
                for line in Pieces::of(&why) {
                    say(&mut self.reasons, line, style, "\n");
                }
                self.failed.push(case.id.clone());
                self.tell(if self.terse { "F" } else { "FAILED\n" })
            }
        }
    }
}

impl Trial<'_> {
    /// Prints; when that does not go, the trial breaks off.
    #[inline(never)]
    fn tell(&mut self, text: &str) -> ControlFlow<()> {
        match self.console.stdout(text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Handed::new(Some(stop));
                ControlFlow::Break(())
            }
        }
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
    let mut returned = Ok(());
    if let Err(panicked) = panics::caught_anywhere(&mut || returned = body(&mut driver)) {
        return Err(said(&panicked));
    }
    match (returned, driver.outcome) {
        (Err(error), _) => Err(text!("returned an error: {error}")),
        (Ok(()), Some(outcome)) => outcome,
        (Ok(()), None) => Err(owned(
            "returned without measuring; call one of its Bencher's methods, such as iter",
        )),
    }
}

fn ignored(case: &Case, terse: bool, style: &Style) -> String {
    if terse {
        return owned("i");
    }
    let mut text = owned("test ");
    say(&mut text, &case.id, style, " ... ignored");
    if let Some(why) = &case.ignored
        && !why.is_empty()
    {
        append(&mut text, ", ");
        say(&mut text, why, style, "");
    }
    append(&mut text, "\n");
    text
}

fn summary(
    chosen: &Chosen,
    passed: usize,
    failed: &[String],
    reasons: &str,
    terse: bool,
    style: &Style,
) -> String {
    let mut text = String::new();
    if terse {
        append(&mut text, "\n");
    }
    if !failed.is_empty() {
        append(&mut text, "\nfailures:\n");
        append(&mut text, reasons);
        append(&mut text, "\nfailures:\n");
        for id in failed {
            append(&mut text, "    ");
            say(&mut text, id, style, "\n");
        }
    }
    let outcome = if failed.is_empty() { "ok" } else { "FAILED" };
    let counts = text!(
        "\ntest result: {outcome}. {passed} passed; {} failed; {} ignored; 0 measured; {} filtered \
         out\n\n",
        failed.len(),
        chosen.ignored.len(),
        chosen.filtered_out
    );
    append(&mut text, &counts);
    text
}

/// Appends somebody's words, escaped, and what follows them.
#[inline(never)]
fn say(text: &mut String, words: &str, style: &Style, end: &str) {
    append(text, &escape(words, style.unicode));
    append(text, end);
}
