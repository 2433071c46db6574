//! `cargo tourbillon run`: builds the bench targets as `cargo bench` does, and runs them itself, so
//! that the exit code is theirs.

mod command;
mod divide;

use std::path::Path;
use std::process::{Command, Stdio};

use crate::exit::{ENVIRONMENT, INTERRUPTED, NOTHING, Stop, say};
use crate::records::cargo;
use crate::targets::{Kind, Target, build, kind};

pub(crate) use self::command::command;

pub(crate) fn run(matches: &clap::ArgMatches) -> Result<(), Stop> {
    let typed = command::typed(matches);
    let divided = divide::divide(&typed)?;
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
        return each(&ours[..only], &divided.bench);
    }
    let mut chosen = Vec::new();
    for target in ours {
        if selects(target, &divided.bench)? {
            chosen.push(target);
        }
    }
    if chosen.is_empty() {
        say("nothing is selected; `cargo tourbillon run -- --list` shows what there is\n");
        return Err(Stop::Code(NOTHING));
    }
    each(&chosen, &divided.bench)
}

/// Runs the targets one after the other; the gravest of their exit codes is ours.
fn each(targets: &[&Target], arguments: &[String]) -> Result<(), Stop> {
    let mut gravest = 0;
    for target in targets {
        let status = started(target, arguments).status();
        let status = status.map_err(|error| cannot(&target.executable, &error))?;
        // A signal has no code; a shell would say so much.
        let code = status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .unwrap_or(INTERRUPTED);
        if code == INTERRUPTED {
            return Err(Stop::Code(code));
        }
        gravest = gravest.max(code);
    }
    match gravest {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Whether a target has a case that the filters select. A mistake on the command line is said here.
fn selects(target: &Target, arguments: &[String]) -> Result<bool, Stop> {
    let mut list = arguments.to_vec();
    // Of several formats the last one counts.
    list.extend(["--list", "--format", "terse"].map(str::to_owned));
    let output = started(target, &list).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| cannot(&target.executable, &error))?;
    match output.status.code() {
        Some(0) => Ok(!output.stdout.is_empty()),
        // It has said why on stderr.
        code => Err(Stop::Code(
            code.and_then(|code| u8::try_from(code).ok())
                .unwrap_or(ENVIRONMENT),
        )),
    }
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

fn cannot(executable: &Path, error: &std::io::Error) -> Stop {
    Stop::Environment(format!("{executable:?} cannot be started: {error}"))
}
