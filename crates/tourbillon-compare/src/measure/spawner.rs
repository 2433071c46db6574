//! Starts workers of two builds on one processor.

use std::env;
use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use tourbillon_coordinator::platform::core_kinds::{CoreKinds, CpuChoice, WorkerCpus};
use tourbillon_coordinator::runner::{Draw, Error, Processes, SpawnWorker, Worker};
use tourbillon_os::{
    Executable as Program, InheritedPipe, Signals, affinity, set_affinity, set_random_addresses,
};
use tourbillon_record::{Plan, Turns};
use tourbillon_stats::Rng;

use tourbillon_builds::{Build, Executable};
use tourbillon_tool::exit::Stop;

/// Most bytes of padding in the environment of a worker: sixteen pages of the stack, so that the
/// cache conflicts of stack and heap vary. On Windows, where the environment is not on the stack, a variable
/// may have 32 767 characters.
const PADDING: NonZeroU64 =
    NonZeroU64::new(if cfg!(windows) { 4096 } else { 16 * 4096 }).expect("not zero");

/// Bytes of a page of the stack.
const PAGE: u32 = 4096;

/// Starts workers.
#[derive(Debug)]
pub(super) struct Spawner {
    signals: Signals,
    /// Processors of this process.
    own: Vec<u32>,
    /// Those of one kind, where cores are of several.
    workers: WorkerCpus,
    /// The initial current folder of this process.
    folder: Option<PathBuf>,
}

/// An executable in one of its placements, and how it is started.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    home: Option<PathBuf>,
    /// Whether addresses are not randomised by the system, because the placement was drawn for both
    /// sides alike.
    placed: bool,
}

impl Side {
    /// The executable of a build in the placement of its build.
    pub(super) fn of(build: &Build, executable: &Executable) -> Side {
        Side {
            program: executable.path.clone(),
            environment: executable.variables(build),
            home: executable.folder().map(Path::to_owned),
            placed: false,
        }
    }

    /// Bytes above the stack that depend on the side: its path, which the system stores twice, and
    /// its variables.
    fn bytes_above_stack(&self) -> u32 {
        let variables = self.environment.iter();
        let bytes = variables.map(|(name, value)| name.len() + value.len() + 2);
        let path = self.program.as_os_str().len();
        u32::try_from(2 * path + bytes.sum::<usize>()).unwrap_or(0)
    }

    /// The executable in a placement, which is `alike` that of the other side, or not.
    pub(super) fn at(&self, program: PathBuf, alike: bool) -> Side {
        Side {
            program,
            placed: alike,
            ..self.clone()
        }
    }
}

impl Spawner {
    pub(super) fn new() -> Result<Spawner, Stop> {
        let signals = Signals::install()
            .map_err(|error| Stop::Environment(format!("signals cannot be handled: {error}")))?;
        let own = affinity().unwrap_or_default();
        let workers = WorkerCpus::new(&CpuChoice::Fastest, CoreKinds::of_machine().as_ref(), &own)
            .map_err(Stop::Environment)?;
        Ok(Spawner {
            signals,
            own,
            workers,
            folder: env::current_dir().ok(),
        })
    }

    pub(super) fn interrupted(&self) -> bool {
        self.signals.noted().is_some()
    }

    /// The processor that both workers of a pair share: the last one, which the system uses least.
    /// `None` if pinning does not work, or there is only one.
    pub(super) fn processor(&self) -> Option<u32> {
        let of_kind = &self.workers.cpus;
        let cpus = if of_kind.is_empty() {
            &self.own
        } else {
            of_kind
        };
        cpus.last().copied().filter(|_| self.own.len() > 1)
    }

    /// The processors that workers run on.
    pub(super) fn workers(&self) -> &WorkerCpus {
        &self.workers
    }

    /// Two workers that take turns, the reference first. The plans receive the paths of the pipes.
    pub(super) fn pair(
        &self,
        sides: [&Side; 2],
        plans: &mut [Plan; 2],
        processor: Option<u32>,
    ) -> Result<[Box<dyn Worker>; 2], Error> {
        let failed = |error: io::Error| Error::new(format!("no pipe can be made: {error}"));
        let (from_first, to_second) = io::pipe().map_err(failed)?;
        let (from_second, to_first) = io::pipe().map_err(failed)?;
        // What is drawn outside the workers is the same for both, so that their stacks are.
        let drawn = draw(&plans[0]);
        let above = sides.map(Side::bytes_above_stack);
        let most = above[0].max(above[1]);
        let mut start = |number: usize, input: &PipeReader, output: &PipeWriter| {
            let input = InheritedPipe::new(input).map_err(failed)?;
            let output = InheritedPipe::new(output).map_err(failed)?;
            let plan = &mut plans[number];
            plan.turns = Some(Box::new(Turns {
                side: number as u8,
                input: input.path(),
                output: output.path(),
            }));
            let environment_bytes = drawn.environment_bytes + most - above[number];
            self.spawn(sides[number], plan, &Draw { environment_bytes }, processor)
        };
        let first = start(0, &from_second, &to_second)?;
        Ok([first, start(1, &from_first, &to_first)?])
    }

    fn spawn(
        &self,
        side: &Side,
        plan: &Plan,
        draw: &Draw,
        processor: Option<u32>,
    ) -> Result<Box<dyn Worker>, Error> {
        if let Some(home) = &side.home {
            enter(home)?;
        }
        let one = processor.map(|processor| vec![processor]);
        let cpus = one.as_ref().unwrap_or(&self.workers.cpus);
        let plan = &Plan {
            core_kind: self.workers.kind(),
            ..plan.clone()
        };
        if !cpus.is_empty() {
            // A child inherits the processor. Without pinning, the two still take turns.
            let _ = set_affinity(cpus);
        }
        // Random addresses would differ between the two workers. If they cannot be disabled, there
        // is more noise. Without drawn placements they are needed.
        let random = side.placed && set_random_addresses(false).unwrap_or(false);
        let mut processes = Processes::of(Program::at(&side.program))
            .environment(side.environment.clone())
            .signals(self.signals);
        let worker = processes.spawn(plan, draw);
        drop(processes);
        if random {
            let _ = set_random_addresses(true);
        }
        if !cpus.is_empty() {
            // On failure, this process only shares the workers' processor.
            let _ = set_affinity(&self.own);
        }
        if let (Some(folder), Some(_)) = (&self.folder, &side.home) {
            enter(folder)?;
        }
        worker
    }

    /// Starts workers of one side alone.
    pub(super) fn alone<'h>(&'h self, side: &'h Side) -> Alone<'h> {
        Alone(self, side)
    }
}

/// Workers of one side.
#[derive(Debug)]
pub(super) struct Alone<'h>(&'h Spawner, &'h Side);

impl SpawnWorker for Alone<'_> {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        // What is stepped has its stack at the same place of a page on both sides.
        let above = if plan.stepped == Some(true) {
            self.1.bytes_above_stack() % PAGE
        } else {
            PAGE
        };
        let draw = Draw {
            environment_bytes: draw.environment_bytes + PAGE - above,
        };
        self.0.spawn(self.1, plan, &draw, None)
    }

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

fn enter(folder: &Path) -> Result<(), Error> {
    env::set_current_dir(folder)
        .map_err(|error| Error::new(format!("{folder:?} cannot be entered: {error}")))
}

fn draw(plan: &Plan) -> Draw {
    let mut environment = Rng::new(Rng::new(plan.seed).derive(3));
    Draw {
        environment_bytes: environment.below(PADDING) as u32,
    }
}
