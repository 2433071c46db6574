//! The worker: this executable again, started for one launch.
//!
//! It writes its hello, reads its plan, measures, and ends. It writes only between samples, starts
//! no thread, and first of all puts the protocol's pipes out of the benchmark's reach.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tourbillon_clock::{Clock, Ticks};
use tourbillon_coordinator::runner::{FrameWriter, PEER_GONE, WorkerArgs, read_plan};
use tourbillon_engine::{IDENTITY, Meter, Peer, Suite, System, Threads};
use tourbillon_os::{Protocol, read_line, write_line};
use tourbillon_record::{Fault, FaultKind, Frame, Metric, Plan, SystemCounts, Turns};

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use super::marks::MARKS;
use super::meter::ProcessorTime;
use crate::panics::{self, Panicked};
use tourbillon_coordinator::output::{ENVIRONMENT, to_stderr};

/// Whether workers count what is allocated.
pub const COUNTS: bool = cfg!(feature = "mem");

/// Makes the launch that the coordinator asks for, and ends the process.
pub(crate) fn work(suite: &dyn Suite, worker_args: WorkerArgs) -> ! {
    let made = WorkerLaunch::begin(worker_args).map(|mut launch| {
        launch.make(suite);
        launch.end();
    });
    match made {
        // At once: threads that the benchmark left running are not waited for.
        Ok(()) => process::exit(0),
        Err(error) => {
            to_stderr(&format!("{error}\n"));
            process::exit(i32::from(ENVIRONMENT))
        }
    }
}

/// A launch, in its worker.
#[derive(Debug)]
pub struct WorkerLaunch {
    output: Arc<Output>,
    plan: Plan,
    clock: Clock,
    pipes: Option<Pipes>,
    /// The pipe from the coordinator, which closes with this process.
    input: File,
    /// When the set-up of the case began, if that was before its function was called.
    set_up: Option<Ticks>,
}

impl WorkerLaunch {
    /// Takes the pipes to the coordinator, and waits for the plan.
    ///
    /// # Errors
    ///
    /// When the coordinator is gone or sends no plan, and when the clock of the plan is not available.
    pub fn begin(worker_args: WorkerArgs) -> Result<WorkerLaunch, Box<dyn Error>> {
        let protocol = tourbillon_os::take_protocol(worker_args.nocapture)?;
        tourbillon_os::tie_to_coordinator(&protocol.input)?;
        tourbillon_os::keep_freed_memory();
        WorkerLaunch::through(protocol)
    }

    /// Waits for the plan, in a process that has taken the pipes before.
    ///
    /// # Errors
    ///
    /// As [`WorkerLaunch::begin`].
    pub fn through(protocol: Protocol) -> Result<WorkerLaunch, Box<dyn Error>> {
        let writer = FrameWriter::new(protocol.output, IDENTITY)?;
        // Shared with the hook: other threads may panic until the process ends.
        let output = Arc::new(Output {
            writer: Mutex::new(Some(writer)),
            process: process::id(),
        });
        let plan = read_plan(&protocol.input)?;
        let clock = Clock::by_name(&plan.clock)?;
        let pipes = match &plan.turns {
            Some(turns) => Some(Pipes::open(turns)?),
            None => None,
        };
        let (is_written, panics_to) = (AtomicBool::new(false), Arc::clone(&output));
        panics::listen_and(move |panicked| {
            // If the worker dies, the first panic is the reason.
            if !is_written.swap(true, Ordering::Relaxed) {
                let Panicked { message, location } = panicked.clone();
                panics_to.write_frame(Frame::Panicking { message, location });
            }
        });
        Ok(WorkerLaunch {
            output,
            plan,
            clock,
            pipes,
            input: protocol.input,
            set_up: None,
        })
    }

    /// The identity of the case.
    pub fn case(&self) -> &str {
        &self.plan.case
    }

    /// From here on the time until [`WorkerLaunch::make`] belongs to the set-up of the case.
    pub fn sets_up(&mut self) {
        self.set_up = Some(self.clock.now());
    }

    /// Does what the plan asks for with a case of `suite`.
    pub fn make(&mut self, suite: &dyn Suite) {
        let WorkerLaunch {
            output,
            plan,
            clock,
            pipes,
            set_up,
            ..
        } = self;
        let before = set_up.map_or(0, |began| clock.now().0.wrapping_sub(began.0));
        let made = panics::caught(|| {
            let mut send = |frame| {
                let frame = unless_panicked(plan, frame);
                output.write_frame(after_set_up(frame, before));
            };
            #[cfg(feature = "mem")]
            if plan.memory {
                return tourbillon_engine::count(suite, plan, &super::ledger::LEDGER, &mut send);
            }
            #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
            if plan.stepped == Some(true) {
                let clock = Clock::watched(&MARKS);
                let mark = |step, iterations| MARKS.batch(step, iterations);
                return tourbillon_engine::step(suite, plan, &clock, &mark, &mut send);
            }
            if let (Some(turns), Some(pipes)) = (&plan.turns, pipes.as_mut()) {
                let side = turns.side;
                return tourbillon_engine::take_turns(
                    suite, plan, side, clock, &**output, pipes, &mut send,
                );
            }
            tourbillon_engine::run_launch(suite, plan, clock, &**output, &mut send);
        });
        if let Err(panicked) = made {
            self.fail(panicked);
        }
    }

    /// Waits for another plan, in a worker that makes several launches; false when there is none.
    pub fn next_plan(&mut self) -> bool {
        self.set_up = None;
        match read_plan(&self.input) {
            Ok(plan) => {
                self.plan = plan;
                true
            }
            Err(_) => false,
        }
    }

    /// Reports a panic in place of samples.
    pub fn fail(&self, panicked: Panicked) {
        self.output.write_frame(fault(&self.plan, panicked));
    }

    /// Reports that the program has no such case.
    pub fn fail_unknown(&self) {
        self.output.write_frame(Frame::Fault(Fault {
            case: self.plan.case.clone(),
            launch: self.plan.launch,
            kind: FaultKind::UnknownCase,
            ..Fault::default()
        }));
    }

    /// Says goodbye to the coordinator. What happens later in this process is not reported.
    pub fn end(self) {
        self.output.close();
    }
}

/// A launch whose set-up began this many ticks before its function was called.
fn after_set_up(mut frame: Frame, before: u64) -> Frame {
    if let Frame::Launch(launch) = &mut frame {
        launch.setup_ticks = launch.setup_ticks.saturating_add(before);
        launch.launch_ticks = launch.launch_ticks.saturating_add(before);
    }
    frame
}

/// The frame, or a fault in its place if a thread that the benchmark started has panicked: then the
/// benchmark did not do all of its work.
fn unless_panicked(plan: &Plan, frame: Frame) -> Frame {
    if matches!(frame, Frame::Progress { .. } | Frame::Fault(_)) {
        return frame;
    }
    match panics::elsewhere() {
        Some(panicked) => fault(plan, panicked),
        None => frame,
    }
}

fn fault(plan: &Plan, panicked: Panicked) -> Frame {
    Frame::Fault(Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind: FaultKind::Panic,
        message: panicked.message,
        location: panicked.location,
        stderr: String::new(),
        unknown: String::new(),
    })
}

/// The pipe to the coordinator, which the launch and the panics of other threads share.
#[derive(Debug)]
struct Output {
    /// `None` after the goodbye.
    writer: Mutex<Option<FrameWriter>>,
    process: u32,
}

impl System for Output {
    /// The counts of the system for the benchmark, without the bytes written here.
    fn counts(&self) -> SystemCounts {
        let own = self.writer().as_ref().map_or(0, FrameWriter::written_bytes);
        let written = tourbillon_os::written_bytes();
        SystemCounts {
            page_faults: tourbillon_os::page_faults(),
            written_bytes: written.and_then(|all| all.checked_sub(own)),
            waited_ns: tourbillon_os::waited_ns(),
        }
    }

    fn forget_touched(&self) -> Option<u64> {
        tourbillon_os::forget_touched()
    }

    fn touched_bytes(&self, forgotten: u64) -> Option<u64> {
        tourbillon_os::touched_bytes(forgotten)
    }

    fn threads(&self) -> Option<Threads> {
        let threads = tourbillon_os::threads()?;
        Some(Threads {
            all: threads.all,
            working: threads.working,
        })
    }

    fn meter(&self, metric: Metric) -> Option<Box<dyn Meter>> {
        Some(Box::new(ProcessorTime::of(metric)))
    }
}

impl Output {
    /// Writes a frame, and ends the process if the coordinator is gone.
    ///
    /// The child of a benchmark that forked comes here too: it is not the worker, and ends.
    fn write_frame(&self, frame: Frame) {
        if process::id() != self.process {
            process::exit(0);
        }
        if let Some(writer) = &mut *self.writer()
            && writer.write_frame(&frame).is_err()
        {
            process::exit(i32::from(ENVIRONMENT));
        }
    }

    /// Writes the last frame.
    fn close(&self) {
        self.write_frame(Frame::Bye);
        *self.writer() = None;
    }

    fn writer(&self) -> MutexGuard<'_, Option<FrameWriter>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A byte through the pipe between two workers of different builds, which take turns: it is the other one's
/// turn, or the comparison is over.
const YOURS: u8 = b't';
const OVER: u8 = b'o';

/// Pipes from and to the other worker.
#[derive(Debug)]
struct Pipes {
    input: File,
    output: File,
}

impl Pipes {
    /// Opens the pipes of a plan.
    ///
    /// # Errors
    ///
    /// When one of them cannot be opened.
    fn open(turns: &Turns) -> Result<Pipes, String> {
        let opened = |options: &OpenOptions, path: &str| {
            let file = tourbillon_os::open_inherited(options, path);
            file.map_err(|error| format!("the pipe {path} to the other worker: {error}"))
        };
        Ok(Pipes {
            input: opened(OpenOptions::new().read(true), &turns.input)?,
            output: opened(OpenOptions::new().write(true), &turns.output)?,
        })
    }
}

impl Peer for Pipes {
    fn wait(&mut self) -> Result<bool, String> {
        let line = read_line(&self.input, 0).map_err(|_| PEER_GONE)?;
        Ok(line.first() == Some(&YOURS))
    }

    fn pass(&mut self, over: bool) -> Result<(), String> {
        let turn = if over { OVER } else { YOURS };
        write_line(&self.output, &[turn]).map_err(|_| PEER_GONE.to_owned())
    }
}
