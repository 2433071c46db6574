//! `cargo tourbillon doctor`: whether the machine is fit for measuring.
//!
//! A check is a function from what was seen of a machine to what is said about it. What was seen
//! comes from a [`Tree`] of files, so that every check is tested on machines that were
//! written down. Nothing is ever written.

mod checks;
mod command;
mod container;
mod finding;
mod interruptions;
mod json;
mod landmarks;
mod moment;
mod neighbour;
mod profile;
mod report;
mod section;
mod text;
mod times;
mod tree;

#[cfg(test)]
mod machines;

use clap::ArgMatches;
use tourbillon_clock::Clock;

use self::checks::Seen;
use self::moment::Moment;
use self::report::Report;
use self::tree::Tree;
use crate::exit::{ENVIRONMENT, Stop, print};
use crate::progress::Progress;
use crate::screen;

pub(crate) use self::command::command;

/// Looks, and says what was found.
pub(crate) fn run(matches: &ArgMatches) -> Result<(), Stop> {
    let wish = command::wish(matches);
    let report = examined();
    let text = if wish.json {
        json::encode(&report)
    } else {
        text::render(&report, &screen::style(wish.color))
    };
    print(&text)?;
    match report.matters() {
        true => Err(Stop::Code(ENVIRONMENT)),
        false => Ok(()),
    }
}

fn examined() -> Report {
    let tree = Tree::system();
    let mut progress = Progress::new();
    let clock = Clock::choose().clock;
    let earlier = Moment::now(&tree);
    progress.show("the clock, for interruptions");
    let interruptions = interruptions::finding(&clock);
    progress.show("landmarks");
    let landmarks = landmarks::examined(&clock, &tree);
    progress.show("the core, for a neighbour");
    let neighbour = neighbour::finding(&clock, landmarks.beside);
    let later = Moment::now(&tree);
    progress.clear();
    let mut findings = checks::all(&Seen {
        tree,
        earlier,
        later,
    });
    findings.push(profile::finding());
    findings.push(interruptions);
    findings.push(neighbour);
    findings.push(landmarks.finding);
    Report {
        findings,
        landmarks: landmarks.rows,
    }
}
