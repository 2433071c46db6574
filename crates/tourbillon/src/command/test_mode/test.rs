//! What test runners call: the list of the cases, and each case once, in this process, without measuring.
//!
//! The output has the form of the built-in test harness, which readers and tools know.

use std::ops::ControlFlow;

use tourbillon_clock::Clock;
use tourbillon_coordinator::args::{Chosen, HighArgs, ListFormat, Pick, Picker, Selection};
use tourbillon_coordinator::output::{Console, FAILED, FINE, Stop, running};
use tourbillon_engine::{About, Arm, Drive, Suite, Visitor, each};
use tourbillon_record::{Case, CaseOptions, Entry};
use tourbillon_report::{Style, escape, list_pretty, list_terse};

use crate::panics;

/// Lists the cases that are meant, ignored ones among them: test runners ask twice, the second time with
/// `--ignored`, and subtract.
///
/// # Errors
///
/// When stdout cannot be written.
pub(crate) fn list(
    suite: &dyn Suite,
    selection: &Selection,
    format: ListFormat,
    console: &mut Console,
) -> Result<u8, Stop> {
    let mut cases = Vec::new();
    let mut picker = selection.picker();
    each(suite, &mut |case, _| {
        if matches!(picker.pick(case), Pick::Run | Pick::Ignored) {
            cases.push(case.clone());
        }
    });
    let text = match format {
        ListFormat::Text => list_pretty(&cases, &console.style),
        ListFormat::Terse => list_terse(&cases),
        ListFormat::Jsonl => {
            let lines = cases.iter().map(|case| Entry::Case(case).encode() + "\n");
            lines.collect()
        }
    };
    console.stdout(&text)?;
    Ok(FINE)
}

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
    console.stdout(&format!("\nrunning {total} test{s}\n"))?;
    for case in &chosen.ignored {
        console.stdout(&ignored(case, terse, &style))?;
    }
    let mut tests = Tests {
        picker: high.selection.picker(),
        // Arms need a clock even when its readings are not used: the operating system's needs no choice.
        clock: Clock::by_name("monotonic").map_err(Stop::environment)?,
        terse,
        console,
        passed: 0,
        failed: Vec::new(),
        stop: None,
    };
    suite.visit(&mut tests);
    if let Some(stop) = tests.stop {
        return Err(stop);
    }
    let (passed, failed) = (tests.passed, tests.failed);
    console.stdout(&summary(&chosen, passed, &failed, terse, &style))?;
    Ok(if failed.is_empty() { FINE } else { FAILED })
}

/// Goes through the cases and runs those that are selected.
struct Tests<'t> {
    picker: Picker<'t>,
    clock: Clock,
    terse: bool,
    console: &'t mut Console,
    passed: usize,
    /// Cases that failed, and why.
    failed: Vec<(String, String)>,
    stop: Option<Stop>,
}

impl Visitor for Tests<'_> {
    fn case(
        &mut self,
        case: &Case,
        _options: &CaseOptions,
        body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
    ) -> ControlFlow<()> {
        if self.picker.pick(case) != Pick::Run {
            return ControlFlow::Continue(());
        }
        // Before the case runs: the name of one that hangs or ends the process is known.
        if !self.terse {
            let id = escape(&case.id, self.console.style.unicode);
            self.print(&format!("test {id} ... "))?;
        }
        running(Some(&case.id));
        let outcome = once(body, &self.clock);
        running(None);
        match outcome {
            Ok(()) => {
                self.passed += 1;
                self.print(if self.terse { "." } else { "ok\n" })
            }
            Err(why) => {
                self.failed.push((case.id.clone(), why));
                self.print(if self.terse { "F" } else { "FAILED\n" })
            }
        }
    }
}

impl Tests<'_> {
    /// Prints; when that fails, no more cases run.
    fn print(&mut self, text: &str) -> ControlFlow<()> {
        match self.console.stdout(text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}

/// Runs a benchmark and the first call of its body.
///
/// # Errors
///
/// The panic of the benchmark, its error, or that it passed no body on.
pub fn once(
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

        fn movable(&mut self) -> Option<&mut (dyn Drive + Send)> {
            Some(self)
        }
    }
    let mut driver = FirstCall {
        clock,
        outcome: None,
    };
    let returned = panics::caught_anywhere(|| body(&mut driver));
    returned
        .map_err(|panicked| panicked.to_string())?
        .map_err(|error| format!("returned an error: {error}"))?;
    driver.outcome.unwrap_or_else(|| {
        Err("returned without measuring; call a method of its Bencher, such as iter".to_owned())
    })
}

fn ignored(case: &Case, terse: bool, style: &Style) -> String {
    if terse {
        return "i".to_owned();
    }
    let id = escape(&case.id, style.unicode);
    match case.ignored.as_deref() {
        None | Some("") => format!("test {id} ... ignored\n"),
        Some(why) => format!("test {id} ... ignored, {}\n", escape(why, style.unicode)),
    }
}

fn summary(
    chosen: &Chosen,
    passed: usize,
    failed: &[(String, String)],
    terse: bool,
    style: &Style,
) -> String {
    let mut text = String::from(if terse { "\n" } else { "" });
    if !failed.is_empty() {
        text += "\nfailures:\n";
        for (id, why) in failed {
            text += &format!("\n---- {} ----\n", escape(id, style.unicode));
            for line in why.lines() {
                text += &format!("{}\n", escape(line, style.unicode));
            }
        }
        text += "\nfailures:\n";
        for (id, _) in failed {
            text += &format!("    {}\n", escape(id, style.unicode));
        }
    }
    let outcome = if failed.is_empty() { "ok" } else { "FAILED" };
    text + &format!(
        "\ntest result: {outcome}. {passed} passed; {} failed; {} ignored; 0 measured; {} filtered \
         out\n\n",
        failed.len(),
        chosen.ignored.len(),
        chosen.filtered_out
    )
}
