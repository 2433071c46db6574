//! `--same-output`: whether all commands write the same to stdout.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use tourbillon_record::{Fault, FaultKind};
use tourbillon_report::{bytes, duration};
use tourbillon_tool::exit::{FAILED, INTERRUPTED, Stop};

use crate::arms::Arm;
use crate::failure::failure;
use crate::fingerprint::Fingerprint;
use crate::measure::exit_code;
use crate::options::IgnoredCodes;
use crate::runner::Execute;
use crate::wire::{End, Job, NotRun, Output, Ran};

/// How long a command may run that has no `--timeout`: without its end there is nothing to compare.
const LONGEST_NS: u64 = 60_000_000_000;

/// Runs each command once, untimed, and compares what it writes to stdout with what the first one writes. Nothing is
/// kept on disk, and of each output a [`Fingerprint`] in memory; more than `most_bytes` are not read. Failures with some
/// codes are `ignored`, as in the measurement.
pub(crate) fn check(
    arms: &[Arm],
    most_bytes: u64,
    ignored: Option<&IgnoredCodes>,
    execute: &mut dyn Execute,
) -> Result<(), Stop> {
    let mut first: Option<Fingerprint> = None;
    for arm in arms {
        let written = surrounded(arm, most_bytes, ignored, execute)?;
        let Some(first) = &first else {
            first = Some(written);
            continue;
        };
        if let Some(what) = first.difference(&written) {
            let (one, other) = (&arms[0].case.id, &arm.case.id);
            let text = format!("{other:?} does not write what {one:?} writes: {what}");
            return Err(Stop::Failed(FAILED, text));
        }
    }
    Ok(())
}

/// What a command writes, run with what surrounds it. What was set up is cleaned up, unless a signal stops everything.
fn surrounded(
    arm: &Arm,
    most_bytes: u64,
    ignored: Option<&IgnoredCodes>,
    execute: &mut dyn Execute,
) -> Result<Fingerprint, Stop> {
    let prepared = other(arm, "--setup", &arm.setup, execute)
        .and_then(|()| other(arm, "--prepare", &arm.prepare, execute));
    let written = prepared.and_then(|()| written(arm, most_bytes, ignored, execute));
    if matches!(written, Err(Stop::Code(INTERRUPTED))) {
        return written;
    }
    let concluded = other(arm, "--conclude", &arm.conclude, execute);
    let cleaned = other(arm, "--cleanup", &arm.cleanup, execute);
    written.and_then(|written| concluded.and(cleaned).map(|()| written))
}

/// Runs what a flag has around a command.
fn other(arm: &Arm, flag: &str, job: &Option<Job>, execute: &mut dyn Execute) -> Result<(), Stop> {
    let Some(job) = job else {
        return Ok(());
    };
    let ran = execute.run(job).map_err(not_run)?;
    succeeded(arm, format!("in {flag}"), &ran, None)
}

/// What a command writes.
fn written(
    arm: &Arm,
    most_bytes: u64,
    ignored: Option<&IgnoredCodes>,
    execute: &mut dyn Execute,
) -> Result<Fingerprint, Stop> {
    let name = &arm.case.id;
    let job = Job {
        timeout_ns: Some(arm.job.timeout_ns.unwrap_or(LONGEST_NS)),
        ..arm.job.clone()
    };
    let mut file = match &arm.job.output {
        Output::File(path) => own_file(path).map_err(|error| unwritten(path, &error))?,
        Output::Null | Output::Inherit => None,
    };
    let mut fingerprint = Fingerprint::new();
    let mut trouble = None;
    let ran = execute.read(&job, &mut |piece| {
        fingerprint.add(piece);
        if fingerprint.bytes() > most_bytes {
            let most = bytes(most_bytes as f64);
            trouble = Some(Stop::Failed(
                FAILED,
                format!(
                    "{name:?} writes more than {most} to stdout and was ended; raise the limit with \
                     --same-output=SIZE, or let it write less"
                ),
            ));
        }
        if let (Some(file), Output::File(path)) = (&mut file, &arm.job.output)
            && let Err(error) = file.write_all(piece)
        {
            trouble = Some(unwritten(path, &error));
        }
        match trouble {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    });
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    let ran = ran.map_err(not_run)?;
    if ran.end == End::TimedOut {
        let most = duration(job.timeout_ns.unwrap_or(LONGEST_NS));
        let what = format!("{name:?} still ran after {most} before the measurement and was ended");
        let advice = "--same-output waits for its end; raise the limit with --timeout";
        return Err(Stop::Failed(FAILED, format!("{what}; {advice}")));
    }
    succeeded(arm, String::new(), &ran, ignored)?;
    Ok(fingerprint)
}

/// The file that a command's output goes to in each run: what concludes a run may read it. `None` for a device and the
/// like.
fn own_file(path: &OsStr) -> io::Result<Option<File>> {
    match Path::new(path).metadata() {
        Ok(about) if !about.is_file() => Ok(None),
        _ => File::create(path).map(Some),
    }
}

fn unwritten(path: &OsStr, error: &io::Error) -> Stop {
    Stop::Environment(format!("the output {path:?} cannot be written: {error}"))
}

fn not_run(not_run: NotRun) -> Stop {
    match not_run {
        NotRun::Interrupted => Stop::Code(INTERRUPTED),
        NotRun::Failed(why) => Stop::Failed(FAILED, why),
        NotRun::Machine(why) => Stop::Environment(why),
    }
}

fn succeeded(
    arm: &Arm,
    message: String,
    ran: &Ran,
    ignored: Option<&IgnoredCodes>,
) -> Result<(), Stop> {
    let code = exit_code(ran.end);
    if code == 0 || ignored.is_some_and(|ignored| ignored.has(code)) {
        return Ok(());
    }
    let fault = Fault {
        case: arm.case.id.clone(),
        // What is ended for its time has been reported.
        kind: match ran.end {
            End::Signal(signal) => FaultKind::Signal(signal),
            _ => FaultKind::Exit(code),
        },
        message,
        stderr: String::from_utf8_lossy(ran.stderr.trim_ascii_end()).into_owned(),
        ..Fault::default()
    };
    Err(Stop::Failed(FAILED, failure(&fault)))
}
