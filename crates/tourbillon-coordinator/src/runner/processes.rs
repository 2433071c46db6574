//! Workers as processes.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::time::Duration;

use tourbillon_os::{ErrorOutput, Executable, Launcher, Signals};
use tourbillon_record::{Frame, Plan, STEP_ARGUMENT, WORKER_ARGUMENT};

use crate::runner::machine_lock::{LOCK_VARIABLE, NO_LOCK};
use crate::runner::first_launches::{Made, MadeByCase, taken_for};
use crate::runner::process::{Assigned, Process};
use crate::runner::worker::{Draw, Error, SpawnWorker, Worker};

/// Second argument of a worker whose benchmark may print.
const NOCAPTURE: &str = "--nocapture";

/// Variable whose length is drawn anew for each launch.
const PADDING: &str = "TOURBILLON_PADDING";

/// The arguments of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerArgs {
    /// Whether what the benchmark prints is shown, on stderr.
    pub nocapture: bool,
}

impl WorkerArgs {
    /// Reads the arguments of a process, without the name of the program; `None` when they do not make it a
    /// worker.
    pub fn read(arguments: &[OsString]) -> Option<WorkerArgs> {
        let (first, rest) = arguments.split_first()?;
        let nocapture = rest.first().is_some_and(|second| second == NOCAPTURE);
        (first == WORKER_ARGUMENT).then_some(WorkerArgs { nocapture })
    }
}

/// Workers as processes: an executable, started again for every launch.
#[derive(Debug)]
pub struct Processes {
    launcher: Launcher,
    signals: Option<Signals>,
    role: Option<Role>,
    grace: Duration,
    shared_worker: Option<SharedWorker>,
    made: MadeByCase,
}

/// A variable that makes a process a worker, and its value for a plan.
struct Role {
    variable: OsString,
    value: Box<dyn Fn(&Plan) -> OsString>,
}

impl fmt::Debug for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.variable.fmt(f)
    }
}

/// Where the case of a plan is among those that one worker can measure.
type PositionOf = dyn Fn(&Plan) -> Option<SharedPosition>;

/// Workers that make several launches, one after the other.
struct SharedWorker {
    position: Box<PositionOf>,
    /// The worker that was started last, and the position of its last plan.
    last: Option<(Weak<RefCell<Process>>, SharedPosition)>,
}

impl fmt::Debug for SharedWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last.as_ref().map(|(_, position)| position);
        f.debug_tuple("SharedWorker").field(&last).finish()
    }
}

/// Where a case is among those that one worker can measure: a worker goes through a group in the order of
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedPosition {
    /// The group.
    pub group: u32,
    /// The position in it.
    pub position: usize,
}

impl Processes {
    /// Workers from the executable of this process.
    ///
    /// # Errors
    /// When the system does not know its path.
    pub fn own() -> Result<Processes, Error> {
        let executable =
            Executable::own().map_err(|cause| Error::io("no worker can be started", &cause))?;
        Ok(Processes::of(executable))
    }

    /// Workers from the executable of this process, each started and stepped by the program at a path, which answers in
    /// its place.
    ///
    /// # Errors
    /// When the system does not know the path of the executable.
    pub fn stepped_by(stepper: PathBuf) -> Result<Processes, Error> {
        let own =
            Executable::own().map_err(|cause| Error::io("no worker can be started", &cause))?;
        let mut launcher = Launcher::new(&Executable::at(stepper));
        launcher.argument(STEP_ARGUMENT);
        launcher.argument(own.path_elsewhere());
        launcher.argument(own.shown());
        Ok(Processes::new(launcher))
    }

    /// Workers from an executable.
    pub fn of(executable: Executable) -> Processes {
        let mut launcher = Launcher::new(&executable);
        launcher.argument(WORKER_ARGUMENT);
        Processes::new(launcher)
    }

    /// Workers from the executable of this process, with its arguments: a variable of the environment makes
    /// them workers, whose value depends on the plan.
    ///
    /// # Errors
    /// When the system does not know the path of the executable.
    pub fn by_environment(
        variable: OsString,
        value: impl Fn(&Plan) -> OsString + 'static,
    ) -> Result<Processes, Error> {
        let executable =
            Executable::own().map_err(|cause| Error::io("no worker can be started", &cause))?;
        let mut launcher = Launcher::new(&executable);
        for argument in std::env::args_os().skip(1) {
            launcher.argument(argument);
        }
        let mut processes = Processes::new(launcher);
        processes.role = Some(Role {
            variable,
            value: Box::new(value),
        });
        Ok(processes)
    }

    fn new(mut launcher: Launcher) -> Processes {
        // This process has the lock: a benchmark that starts a bench program must not wait for it.
        launcher.variable(LOCK_VARIABLE.as_ref(), NO_LOCK.as_ref());
        Processes {
            launcher,
            signals: None,
            role: None,
            grace: Duration::ZERO,
            shared_worker: None,
            made: MadeByCase::new(),
        }
    }

    /// Has a worker make the next launch, too, if that is for a later case of its group. Such a worker reads a
    /// plan after each launch, and ends when it gets a goodbye in place of one.
    #[must_use]
    pub fn sharing_workers(
        mut self,
        position: impl Fn(&Plan) -> Option<SharedPosition> + 'static,
    ) -> Processes {
        self.shared_worker = Some(SharedWorker {
            position: Box::new(position),
            last: None,
        });
        self
    }

    /// Starts no worker for these pilot launches, which were made before.
    #[must_use]
    pub fn with_made(mut self, made: MadeByCase) -> Processes {
        self.made = made;
        self
    }

    /// Lets a worker that has sent its samples end by itself within this time before it is killed.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Processes {
        self.grace = grace;
        self
    }

    /// Starts workers with these variables in addition to those of this process.
    #[must_use]
    pub fn environment(mut self, environment: Vec<(OsString, OsString)>) -> Processes {
        for (name, value) in &environment {
            self.launcher.variable(name, value);
        }
        self
    }

    /// Stops at a signal.
    #[must_use]
    pub fn signals(mut self, signals: Signals) -> Processes {
        self.signals = Some(signals);
        self
    }

    /// Shows what benchmarks print, on stderr.
    #[must_use]
    pub fn nocapture(mut self, nocapture: bool) -> Processes {
        if nocapture {
            if self.role.is_none() {
                self.launcher.argument(NOCAPTURE);
            }
            self.launcher.stderr(ErrorOutput::Inherit);
        }
        self
    }
}

impl SpawnWorker for Processes {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        if let Some(sent) = taken_for(plan, &mut self.made) {
            return Ok(Box::new(Made(Some(sent))));
        }
        let line = Frame::encode_plan(plan) + "\n";
        let position = self
            .shared_worker
            .as_ref()
            .and_then(|shared_worker| (shared_worker.position)(plan));
        if let (Some(shared_worker), Some(position)) = (&mut self.shared_worker, position)
            && let Some(process) = shared_worker.handed_over(position)
        {
            return Ok(Box::new(Assigned { process, line }));
        }
        let padding = "x".repeat(draw.environment_bytes as usize);
        self.launcher.variable(PADDING.as_ref(), padding.as_ref());
        if let Some(role) = &self.role {
            self.launcher.variable(&role.variable, &(role.value)(plan));
        }
        let child = self
            .launcher
            .start()
            .map_err(|cause| Error::io("a worker cannot be started", &cause))?;
        let process = Rc::new(RefCell::new(Process::new(
            child,
            self.signals,
            self.grace,
            position.is_some(),
        )));
        if let Some(shared_worker) = &mut self.shared_worker {
            shared_worker.last = position.map(|position| (Rc::downgrade(&process), position));
        }
        Ok(Box::new(Assigned { process, line }))
    }

    fn interrupted(&self) -> bool {
        self.signals
            .is_some_and(|signals| signals.noted().is_some())
    }
}

impl SharedWorker {
    /// The worker that was started last, if it can make a launch at this position.
    fn handed_over(&mut self, position: SharedPosition) -> Option<Rc<RefCell<Process>>> {
        let (started, last) = self.last.as_mut()?;
        let is_later = last.group == position.group && last.position < position.position;
        let process = started.upgrade().filter(|_| is_later)?;
        *last = position;
        process.borrow_mut().hand_over();
        Some(process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_reads_the_arguments_of_its_coordinator() {
        for (arguments, nocapture) in [
            (&[WORKER_ARGUMENT][..], false),
            (&[WORKER_ARGUMENT, NOCAPTURE], true),
        ] {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            assert_eq!(WorkerArgs::read(&arguments), Some(WorkerArgs { nocapture }));
        }
    }

    #[test]
    fn only_the_first_argument_makes_a_worker() {
        let read = |arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            WorkerArgs::read(&arguments)
        };
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["--bench", WORKER_ARGUMENT]), None);
        assert_eq!(read(&["--tourbillon-workers"]), None);
    }
}
