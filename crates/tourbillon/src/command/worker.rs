//! The worker: this executable again, started for one visit.
//!
//! It says hello, hears its plan, makes the visit, and ends. It speaks only between samples, starts
//! no thread, and does nothing before its first act, which is to put the protocol's pipes out of
//! the benchmark's reach.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tourbillon_clock::Clock;
use tourbillon_engine::{IDENTITY, Suite, System};
use tourbillon_record::{Fault, FaultKind, Frame, Plan, SystemCounts};
use tourbillon_runner::{FrameWriter, WorkerArgs, read_plan};

use super::comparison::Comparing;
use super::console::to_stderr;
use super::exit::ENVIRONMENT;
use super::peer::Pipes;
use crate::lasting::Lasting;
use crate::panics::{self, Panicked};
use crate::text::{owned, said, text};

/// Makes the visit that the coordinator asks for, and ends the process.
pub(crate) fn work(
    suite: &dyn Suite,
    versus: Option<Comparing>,
    worker_args: WorkerArgs,
) -> ExitCode {
    match visit(suite, versus, worker_args) {
        // At once: threads that the benchmark left running are not waited for.
        Ok(()) => std::process::exit(0),
        Err(error) => {
            to_stderr(&text!("{error}\n"));
            ExitCode::from(ENVIRONMENT)
        }
    }
}

#[inline(never)]
fn visit(
    suite: &dyn Suite,
    versus: Option<Comparing>,
    worker_args: WorkerArgs,
) -> Result<(), String> {
    let protocol = tourbillon_os::take_protocol(worker_args.nocapture).map_err(|e| said(&e))?;
    let input = Lasting::new(protocol.input);
    tourbillon_os::tie_to_coordinator(&input).map_err(|e| said(&e))?;
    let voice = FrameWriter::new(protocol.output, IDENTITY).map_err(|e| said(&e))?;
    // For as long as the process lives: threads that nobody waits for may panic until then.
    let line: &Line = Box::leak(Box::new(Line {
        voice: Mutex::new(voice),
        process: std::process::id(),
    }));
    let plan = Lasting::new(read_plan(&input).map_err(|e| said(&e))?);
    let clock = Clock::by_name(&plan.clock).map_err(|e| said(&e))?;
    let mut pipes = match &plan.turns {
        Some(turns) => Some(Pipes::open(turns)?),
        None => None,
    };
    let told = AtomicBool::new(false);
    panics::tell(Box::new(move |panicked| {
        // The first one is why the worker dies, should it die.
        if !told.swap(true, Ordering::Relaxed) {
            let Panicked { message, place } = panicked.clone();
            line.write_frame(Frame::Panicking { message, place });
        }
    }));
    let made = panics::caught(&mut || {
        let mut send = |frame| line.write_frame(unless_panicked(&plan, frame));
        #[cfg(feature = "mem")]
        if plan.memory {
            return tourbillon_engine::count(suite, &plan, &super::ledger::LEDGER, &mut send);
        }
        if let (Some(turns), Some(pipes)) = (&plan.turns, &mut pipes) {
            let side = turns.side;
            return tourbillon_engine::take_turns(suite, &plan, side, &clock, pipes, &mut send);
        }
        if let (Some(against), Some(versus)) = (&plan.against, versus) {
            return (versus.measure)(suite, &plan, against, &clock, &mut send);
        }
        if let Some(metric) = plan.metric {
            let meter = super::meter::ProcessorTime::of(metric);
            return tourbillon_engine::visit_by(&meter, suite, &plan, &clock, line, &mut send);
        }
        tourbillon_engine::visit(suite, &plan, &clock, line, &mut send);
    });
    if let Err(panicked) = made {
        line.write_frame(fault(&plan, panicked));
    }
    line.write_frame(Frame::Bye);
    Ok(())
}

/// What was measured, unless a thread that the benchmark started has panicked: then it did not do all of
/// its work.
fn unless_panicked(plan: &Plan, frame: Frame) -> Frame {
    if matches!(frame, Frame::Progress { .. } | Frame::Fault(_)) {
        return frame;
    }
    match panics::elsewhere() {
        Some(panicked) => {
            // Never freed, as what is sent.
            Lasting::new(frame);
            fault(plan, panicked)
        }
        None => frame,
    }
}

fn fault(plan: &Plan, panicked: Panicked) -> Frame {
    Frame::Fault(Fault {
        case: owned(&plan.case),
        launch: plan.launch,
        kind: FaultKind::Panic,
        message: panicked.message,
        place: panicked.place,
        stderr: String::new(),
        unknown: String::new(),
    })
}

/// The line to the coordinator, which the visit and the panics of other threads share.
struct Line {
    voice: Mutex<FrameWriter>,
    process: u32,
}

impl System for Line {
    /// What the system has counted for the benchmark: what is said here is not its.
    fn counts(&self) -> SystemCounts {
        let voice = self.voice.lock().unwrap_or_else(PoisonError::into_inner);
        let written = tourbillon_os::written_bytes();
        SystemCounts {
            page_faults: tourbillon_os::page_faults(),
            written_bytes: written.and_then(|all| all.checked_sub(voice.written_bytes())),
            waited_ns: tourbillon_os::waited_ns(),
        }
    }

    fn forget_touched(&self) -> Option<u64> {
        tourbillon_os::forget_touched()
    }

    fn touched_bytes(&self, forgotten: u64) -> Option<u64> {
        tourbillon_os::touched_bytes(forgotten)
    }
}

impl Line {
    /// Says one thing.
    ///
    /// When a benchmark forked, its second process comes by here too: it ends, for it is nobody's
    /// worker. So does a worker whose coordinator is gone.
    #[inline(never)]
    fn write_frame(&self, frame: Frame) {
        // Never freed: a worker says a handful of things and ends, and the code that frees every kind
        // of frame would be a part of every bench binary's build.
        let mut frame = Lasting::new(frame);
        // What the engine cannot know, for it asks the system nothing.
        if let Frame::Visit(visit) = &mut *frame {
            visit.threads = tourbillon_os::threads();
        }
        if std::process::id() != self.process {
            std::process::exit(0);
        }
        let mut voice = self.voice.lock().unwrap_or_else(PoisonError::into_inner);
        if voice.write_frame(&frame).is_err() {
            std::process::exit(i32::from(ENVIRONMENT));
        }
    }
}
