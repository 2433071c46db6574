//! `cargo tourbillon doctor`: whether the machine is fit for measuring.
//!
//! A check is a function from observations of a machine to an assessment. Observations come from a
//! [`Tree`] of files, so that every check is tested on recorded machines. Nothing is written.

mod checks;
mod contention;
mod finding;
mod interruptions;
mod moment;
mod native;
mod profile;
mod reference_kernels;
mod report;
mod tree;

#[cfg(test)]
mod machines;

use clap::Args;
use tourbillon_clock::Clock;
use tourbillon_present::kind::DOCTOR;

use self::moment::{Moment, Observations};
use self::report::Report;
use self::tree::Tree;
use crate::exit::{ENVIRONMENT, Stop};
use crate::output_flags::{ColorFlag, FormatFlag};
use crate::screen::ProgressLine;

const AFTER: &str = "\
Exit codes: 0 nothing matters, 1 mistake on the command line, 5 a finding that matters.";

/// Examine whether this machine is fit for measuring
///
/// Checks what slows this machine down, what makes it uneven, which other programs run, and whether code of
/// known cost measures as it should. Each finding has its reason, a remedy, and a section of the guide.
///
/// It takes about three seconds and changes nothing.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    color: ColorFlag,
}

/// Examines the machine and prints the findings.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let report = examined();
    let style = arguments.color.style();
    let document = report::document(&report, &style);
    arguments.format.print(&document, &DOCTOR, &style)?;
    if report.matters() {
        Err(Stop::Code(ENVIRONMENT))
    } else {
        Ok(())
    }
}

fn examined() -> Report {
    let tree = Tree::system();
    let mut line = ProgressLine::new();
    let choice = Clock::choose();
    let clock = &choice.clock;
    let earlier = Moment::now(&tree);
    let before = native::Earlier::now();
    line.show("reading the clock, for interruptions");
    let interruptions = interruptions::finding(clock);
    line.show("reading reference kernels");
    let reference_kernels = reference_kernels::examined(clock, &tree);
    line.show("reading the core, for contention");
    let contention = contention::finding(clock, reference_kernels.contended);
    let later = Moment::now(&tree);
    line.clear();
    let mut findings = match native::reported(&choice, &before) {
        Some(facts) => native::all(&facts),
        None => checks::all(&Observations {
            tree,
            #[cfg(not(any(windows, target_os = "macos")))]
            emulator: tourbillon_os::emulator(),
            #[cfg(any(windows, target_os = "macos"))]
            emulator: None,
            earlier,
            later,
        }),
    };
    findings.push(profile::finding());
    findings.push(interruptions);
    findings.push(contention);
    findings.push(reference_kernels.finding);
    Report {
        findings,
        reference_kernels: reference_kernels.rows,
    }
}
