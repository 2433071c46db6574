//! `cargo tourbillon compare`: builds side by side.
//!
//! Builds are made or found ([`tourbillon_builds`]), the cases of all sides are listed and paired,
//! and the gate is read, before anything is measured.

mod alloc_limits;
mod cases;
mod command;
mod counts;
mod gate;
mod gate_result;
mod lines;
mod links;
mod markdown;
mod measure;
mod options;
mod pairing;
mod prepared;
mod results;
mod store;
mod value;

use clap::ArgMatches;

pub(crate) use self::command::{command, selection as selection_arguments};
use self::measure::{Far, Measured};
pub(crate) use self::options::selection;
use self::options::{Format, Options};
use self::pairing::Comparison;
use crate::exit::{FAILED, GATE, INTERRUPTED, Stop, print, say};
use crate::progress::Progress;
use crate::screen::{self, Color};
use tourbillon_builds::{Build, Cache, Maker, prune};

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Stop> {
    let options = Options::of(matches)?;
    let cache = Cache::locate()?;
    let maker = Maker::new(cache.clone(), options.selection.clone(), options.places())?;
    let subjects = options.subjects(&maker, &cache)?;
    // Before a build takes minutes.
    for subject in &subjects {
        maker.check(subject)?;
    }
    let mut builds = Vec::new();
    for subject in &subjects {
        builds.push(maker.make(subject)?);
    }
    let comparisons = compared(&builds, &options.bench)?;
    for comparison in &comparisons {
        for line in comparison.remarks() {
            say(&format!("{line}\n"));
        }
    }
    if options.build_only {
        let text = prepared::text(&builds, &comparisons, &options)?;
        prune(&cache);
        return print(&text);
    }
    let code = compare_all(&comparisons, &options)?;
    prune(&cache);
    match code {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Measures each comparison and prints the result; gives the exit code.
fn compare_all(comparisons: &[Comparison], options: &Options) -> Result<u8, Stop> {
    let mut code = 0;
    for comparison in comparisons {
        let mut waiting = Waiting::default();
        let mut measured = measure::measure(comparison, options, &mut waiting)?;
        waiting.progress.clear();
        let gate_result = options.gate.as_ref().map(|gate| {
            let error = options.error();
            gate_result::hold(&mut measured, gate, error)
        });
        let of_gate = gate_result.as_ref().map(|gate_result| (gate_result, options.undecided_fails));
        print(&match options.format {
            Format::Text => {
                let style = screen::style(Color::Auto);
                results::text(comparison, &measured, of_gate, &style)
            }
            Format::Markdown => markdown::of(comparison, &measured, of_gate),
            Format::Jsonl => lines::of(comparison, &measured, of_gate),
        })?;
        match store::keep(comparison, &measured, options, &options.place()) {
            Ok(path) => say(&format!("stored in {}\n", path.display())),
            Err(Stop::Environment(why)) => say(&format!("not stored: {why}\n")),
            Err(other) => return Err(other),
        }
        let fails = gate_result.is_some_and(|gate_result| !gate_result.passes(options.undecided_fails));
        code = worst(code, ended(&measured, fails));
        if measured.interrupted {
            break;
        }
    }
    Ok(code)
}

/// The exit code of one comparison.
fn ended(measured: &Measured, gate_fails: bool) -> u8 {
    if measured.interrupted {
        INTERRUPTED
    } else if measured.cases.iter().any(|case| case.fault.is_some()) {
        FAILED
    } else if gate_fails {
        GATE
    } else {
        0
    }
}

/// The exit code of two comparisons: an interrupt outranks a failed case, which outranks the gate.
fn worst(a: u8, b: u8) -> u8 {
    [INTERRUPTED, FAILED, GATE]
        .into_iter()
        .find(|code| [a, b].contains(code))
        .unwrap_or(0)
}

/// The progress line, and remarks above it.
#[derive(Debug)]
struct Waiting {
    progress: Progress,
}

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            progress: Progress::new(),
        }
    }
}

impl measure::Onlooker for Waiting {
    fn remark(&mut self, text: String) {
        self.progress.clear();
        say(&format!("{text}\n"));
    }

    fn linking(&mut self, linked: u32, placements: u32) {
        let what = format!("linking placements: {linked} of {placements}");
        self.progress.say(&what);
    }

    fn progress(&mut self, far: &Far) {
        self.progress.say(&waiting(far));
    }

    fn counting(&mut self, counted: usize, cases: usize) {
        let what = format!("counting allocations: {counted} of {cases} cases");
        self.progress.say(&what);
    }
}

/// The progress of a comparison.
fn waiting(far: &Far) -> String {
    let minutes = |ns: u64| {
        let seconds = ns / 1_000_000_000;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    };
    let linking = match minutes(far.linking_ns) {
        none if none == "0:00" => String::new(),
        some => format!(", {some} linking"),
    };
    format!(
        "comparing: {} of {} cases decided, {} measuring{linking}, at most {} left",
        far.decided,
        far.cases,
        minutes(far.measured_ns),
        minutes(far.left_ns)
    )
}

/// Compares the first build with each of the others.
fn compared(builds: &[Build], bench: &[String]) -> Result<Vec<Comparison>, Stop> {
    let mut listed = Vec::new();
    for build in builds {
        listed.push(cases::listed(build, bench)?);
    }
    let mut comparisons = Vec::new();
    for number in 1..builds.len() {
        let old = (&builds[0], listed[0].as_slice());
        comparisons.push(Comparison::of(old, (&builds[number], &listed[number]))?);
    }
    Ok(comparisons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_told_of_measuring_and_linking() {
        let far = Far {
            decided: 3,
            cases: 50,
            measured_ns: 41_000_000_000,
            linking_ns: 0,
            left_ns: 130_900_000_000,
        };
        assert_eq!(
            waiting(&far),
            "comparing: 3 of 50 cases decided, 0:41 measuring, at most 2:10 left"
        );
        let linking_ns = 61_000_000_000;
        let text = waiting(&Far { linking_ns, ..far });
        assert!(text.contains("0:41 measuring, 1:01 linking, at"), "{text}");
    }
}
