//! `cargo tourbillon run`: builds the bench targets as `cargo bench` does and runs them, with their
//! exit codes.

mod command;
mod split_args;

use std::io;
use std::process::{Command, ExitStatus, Stdio};

use tourbillon_os::Ending;

use crate::exit::{ENVIRONMENT, NOTHING, Stop, USAGE, say};
use crate::records::cargo;
use tourbillon_builds::targets::{Kind, Target, build, kind};

pub(crate) use self::command::command;

/// Exit code for a target that did not end by itself.
const DIED: u8 = ENVIRONMENT;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let typed = command::typed(matches);
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
                    "skipping {name}: it does not use tourbillon; `cargo bench` runs it\n"
                ));
            }
        }
    }
    if ours.is_empty() {
        let what = "no bench target uses tourbillon; write one as the README shows";
        return Err(Stop::Usage(what.to_owned()));
    }
    if divided.asks() {
        // Help, the version and lists: of one target, or of each.
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
            // A mistake on the command line is the same for every target, and this one has reported
            // it.
            Err(USAGE) => return Err(Stop::Code(USAGE)),
            Err(code) => worst = worst.max(code),
        }
    }
    if chosen.is_empty() && worst == 0 {
        say("nothing is selected; `cargo tourbillon run -- --list` lists the cases\n");
        return Err(Stop::Code(NOTHING));
    }
    let measured = each(&chosen, &divided.bench);
    match worst.max(measured) {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Runs the targets in turn and gives the most severe exit code.
fn each(targets: &[&Target], arguments: &[String]) -> u8 {
    let codes = targets.iter().map(|target| {
        let status = started(target, arguments).status();
        code(target, "while it ran", status)
    });
    codes.max().unwrap_or(0)
}

/// Whether the filters select a case of a target, or the exit code of the target.
fn selects(target: &Target, arguments: &[String]) -> Result<bool, u8> {
    let mut list = arguments.to_vec();
    // The last format counts.
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

/// The exit code for the status of a target. A target that died is reported here, because it may
/// not have printed anything.
///
/// Never that of an interrupt: a signal to this program ends it.
fn code(target: &Target, when: &str, status: io::Result<ExitStatus>) -> u8 {
    let (code, how) = match status {
        Ok(status) => {
            let ending = Ending::from(status);
            let code = match ending {
                // The bench binary has printed the reason.
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

/// A command for a target as cargo would start it: in the folder of its package, with its
/// variables.
fn started(target: &Target, arguments: &[String]) -> Command {
    let mut command = Command::new(&target.executable);
    command
        .args(arguments)
        .current_dir(&target.folder)
        .env("CARGO_MANIFEST_DIR", &target.folder);
    command
}
