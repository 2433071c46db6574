//! `cargo tourbillon doctor`: whether the machine is fit for measuring.
//!
//! A check is a function from observations of a machine to an assessment. Observations come from a
//! [`Tree`] of files, so that every check is tested on recorded machines. Nothing is written.

mod checks;
mod command;
mod container;
mod finding;
mod interruptions;
mod json;
mod reference_kernels;
mod moment;
mod contention;
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

use self::checks::Observations;
use self::moment::Moment;
use self::report::Report;
use self::tree::Tree;
use crate::exit::{ENVIRONMENT, Stop, print};
use crate::progress::Progress;
use crate::screen;

pub(crate) use self::command::command;

/// Examines the machine and prints the findings.
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
    progress.show("reference kernels");
    let reference_kernels = reference_kernels::examined(&clock, &tree);
    progress.show("the core, for contention");
    let contention = contention::finding(&clock, reference_kernels.contended);
    let later = Moment::now(&tree);
    progress.clear();
    let mut findings = checks::all(&Observations {
        tree,
        earlier,
        later,
    });
    findings.push(profile::finding());
    findings.push(interruptions);
    findings.push(contention);
    findings.push(reference_kernels.finding);
    Report {
        findings,
        reference_kernels: reference_kernels.rows,
    }
}
