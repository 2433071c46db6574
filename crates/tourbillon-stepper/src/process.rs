//! The process that a bench program starts to have its ops followed.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::process::{Command, ExitCode};

use tourbillon_clock::Stopwatch;
use tourbillon_coordinator::run::STEPPER_VARIABLE;
use tourbillon_coordinator::runner::{FrameWriter, Processes, RunClock, STEPPING_NS, read_plan};
use tourbillon_os::{Executable, take_protocol, tie_to_coordinator};
use tourbillon_record::{Frame, STEP_ARGUMENT};

use crate::follow::follow;
use crate::launch::{AMONG_OTHERS, Limits};

/// What steps, in the greeting.
const NAME: &str = concat!("cargo-tourbillon ", env!("CARGO_PKG_VERSION"));

/// The limits of a launch whose bench program waits: it ends this process when it has waited for too long.
const LIMITS: Limits = Limits {
    until_ops_ns: u64::MAX,
    stepping_ns: STEPPING_NS,
    instructions: AMONG_OTHERS,
};

struct Elapsed(Stopwatch);

impl RunClock for Elapsed {
    fn now_ns(&self) -> u64 {
        self.0.elapsed_ns()
    }
}

/// Has a bench program find this program, should it have to step.
pub fn offer(process: &mut Command) {
    if let Ok(own) = env::current_exe() {
        process.env(STEPPER_VARIABLE, own);
    }
}

/// Follows a worker of the bench program that started this process, and gives the exit code, if these are its arguments:
/// `--tourbillon-step PATH NAME`, the executable of the worker.
pub fn answer(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, first, path, name] = arguments else {
        return None;
    };
    if first != STEP_ARGUMENT {
        return None;
    }
    let Err(why) = follow_worker(path, name) else {
        return Some(ExitCode::SUCCESS);
    };
    // If stderr is closed, the exit code says it.
    let _ = writeln!(io::stderr(), "error: no op can be stepped: {why}");
    Some(ExitCode::FAILURE)
}

/// Reads the plan, and answers with what it comes to.
fn follow_worker(path: &OsStr, name: &OsStr) -> Result<(), Box<dyn Error>> {
    let protocol = take_protocol(false)?;
    tie_to_coordinator(&protocol.input)?;
    let mut writer = FrameWriter::new(protocol.output, NAME)?;
    let plan = read_plan(&protocol.input)?;
    let mut workers = Processes::of(Executable::named(path, name));
    let elapsed = Elapsed(Stopwatch::start());
    if let ControlFlow::Continue(followed) = follow(&plan, LIMITS, &mut workers, &elapsed) {
        writer.write_frame(&Frame::Followed(Box::new(followed)))?;
    }
    Ok(())
}
