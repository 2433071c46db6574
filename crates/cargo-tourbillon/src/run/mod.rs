//! `cargo tourbillon run`: builds the bench targets as `cargo bench` does, and runs them itself, so
//! that the exit code is theirs.

mod command;
mod split_args;

use std::io;
use std::process::{Command, ExitStatus, Stdio};

use tourbillon_clock::wall;
use tourbillon_os::Ending;

use crate::exit::{ENVIRONMENT, NOTHING, Stop, USAGE, say};
use crate::records::{Place, cargo};
use crate::report;
use tourbillon_builds::targets::{Kind, Target, build, kind};

pub(crate) use self::command::command;

/// A target did not come to an end of its own.
const DIED: u8 = ENVIRONMENT;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let mut typed = command::typed(matches);
    let page = report::wanted(&mut typed);
    let begun = wall::unix_ns();
    let divided = split_args::split_args(&typed)?;
    let targets = build(cargo(), &divided.cargo)?.targets;
    let mut ours: Vec<&Target> = Vec::new();
    for target in &targets {
        let name = &target.name;
        match kind(&target.executable) {
            Kind::Ours => ours.push(target),
            Kind::Forgotten => return Err(Stop::Usage(target.forgotten())),
            Kind::Foreign => {
                say(&format!(
                    "passing over {name}: it has no tourbillon; `cargo bench` runs it\n"
                ));
            }
        }
    }
    if ours.is_empty() {
        let what = "no bench target that uses tourbillon was built; write one as the README shows";
        return Err(Stop::Usage(what.to_owned()));
    }
    if divided.asks() {
        // Help, the version and lists are answers of their own: one target's, or each one's.
        let only = if divided.lists() { ours.len() } else { 1 };
        return match each(&ours[..only], &divided.bench) {
            0 => Ok(()),
            code => Err(Stop::Code(code)),
        };
    }
    let mut chosen = Vec::new();
    let mut worst = 0;
    for target in ours {
        match selects(target, &divided.bench) {
            Ok(true) => chosen.push(target),
            Ok(false) => {}
            // A mistake on the command line is one for every target, and this one has said which.
            Err(USAGE) => return Err(Stop::Code(USAGE)),
            Err(code) => worst = worst.max(code),
        }
    }
    if chosen.is_empty() && worst == 0 {
        say("nothing is selected; `cargo tourbillon run -- --list` shows what there is\n");
        return Err(Stop::Code(NOTHING));
    }
    let measured = each(&chosen, &divided.bench);
    let reported = match page {
        Some(page) => {
            let place = Place::at(divided.store());
            report::of_runs_since(begun, &place, &page)
        }
        None => Ok(()),
    };
    match (worst.max(measured), reported) {
        (0, reported) => reported,
        (code, reported) => {
            if let Err(Stop::Environment(why)) = reported {
                say(&format!("error: {why}\n"));
            }
            Err(Stop::Code(code))
        }
    }
}

/// Runs the targets one after the other; gives the most severe of their exit codes.
fn each(targets: &[&Target], arguments: &[String]) -> u8 {
    let codes = targets.iter().map(|target| {
        let status = started(target, arguments).status();
        code(target, "while it ran", status)
    });
    codes.max().unwrap_or(0)
}

/// Whether a target has a case that the filters select; or the code with which it failed.
fn selects(target: &Target, arguments: &[String]) -> Result<bool, u8> {
    let mut list = arguments.to_vec();
    // Of several formats the last one counts.
    list.extend(["--list", "--format", "terse"].map(str::to_owned));
    let output = started(target, &list).stderr(Stdio::inherit()).output();
    let (status, stdout) = match output {
        Ok(output) => (Ok(output.status), output.stdout),
        Err(error) => (Err(error), Vec::new()),
    };
    match code(target, "while it listed its benchmarks", status) {
        0 => Ok(!stdout.is_empty()),
        code => Err(code),
    }
}

/// The exit code for what became of a target. One that died is named here: it may not have said anything.
///
/// Never that of an interrupt: a signal that means this program ends it.
fn code(target: &Target, when: &str, status: io::Result<ExitStatus>) -> u8 {
    let (code, how) = match status {
        Ok(status) => {
            let ending = Ending::from(status);
            let code = match ending {
                // What a bench binary says of itself, and has told the reason of.
                Ending::Exited(code @ 0..=4) => return code as u8,
                Ending::Exited(130) => DIED,
                Ending::Exited(code) => u8::try_from(code).unwrap_or(DIED),
                _ => DIED,
            };
            (code, ending.to_string())
        }
        Err(error) => (DIED, format!("cannot be started: {error}")),
    };
    let (name, path) = (&target.name, &target.executable);
    say(&format!(
        "error: the bench target {name} {how} {when}; run {path:?} to see why\n"
    ));
    code
}

/// As cargo would start it: in the folder of its package, with the package's name in the
/// environment.
fn started(target: &Target, arguments: &[String]) -> Command {
    let mut command = Command::new(&target.executable);
    command
        .args(arguments)
        .current_dir(&target.folder)
        .env("CARGO_MANIFEST_DIR", &target.folder);
    command
}
