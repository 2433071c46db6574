//! Workers, pinned to processors where requested.

use tourbillon_os::{Signals, affinity, set_affinity};
use tourbillon_record::{Metric, Plan};

use crate::args::HighArgs;
use crate::output::Stop;
use crate::platform::core_kinds::{CoreKinds, CpuChoice, WorkerCpus};
use crate::run::stepper::stepper;
use crate::runner::{Draw, Error, Processes, SpawnWorker, Worker};

/// Starts workers; the coordinator itself stays where the system puts it.
#[derive(Debug)]
pub(super) struct Spawner {
    processes: Processes,
    workers: WorkerCpus,
    /// Processors of this process.
    own: Vec<u32>,
    counts: bool,
    counters: Vec<Metric>,
    /// Workers that are followed, if that is asked for, or why there are none.
    followed: Option<Result<Processes, Error>>,
}

impl Spawner {
    /// Workers for a command line. `counts`: whether they count what is allocated.
    ///
    /// # Errors
    ///
    /// When signals cannot be handled, or the process may not run on a processor of the list.
    pub(super) fn new(
        processes: Processes,
        counts: bool,
        high: &HighArgs,
    ) -> Result<Spawner, Stop> {
        let signals = Signals::install()
            .map_err(|error| Stop::environment(format!("signals cannot be handled: {error}")))?;
        let own = match affinity() {
            Err(error) if matches!(high.cpus, CpuChoice::List(_)) => {
                return Err(Stop::usage(format!("--cpus: {error}")));
            }
            own => own.unwrap_or_default(),
        };
        let workers = WorkerCpus::new(&high.cpus, CoreKinds::of_machine().as_ref(), &own)
            .map_err(|what| Stop::usage(format!("--cpus: {what}")))?;
        Ok(Spawner {
            processes: processes.signals(signals).nocapture(high.no_capture),
            workers,
            own,
            counts,
            followed: (!high.counters.is_empty()).then(|| followed(signals)),
            counters: high.counters.clone(),
        })
    }

    /// The processors that workers run on.
    pub(super) fn workers(&self) -> &WorkerCpus {
        &self.workers
    }
}

fn followed(signals: Signals) -> Result<Processes, Error> {
    let path = stepper().map_err(Error::new)?;
    Ok(Processes::stepped_by(path)?.signals(signals))
}

impl SpawnWorker for Spawner {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        if plan.stepped == Some(true) {
            return match &mut self.followed {
                Some(Ok(followed)) => followed.spawn(plan, draw),
                Some(Err(why)) => Err(Error::new(why.to_string())),
                None => Err(Error::new("nothing is counted")),
            };
        }
        if self.workers.cpus.is_empty() {
            return self.processes.spawn(plan, draw);
        }
        let plan = Plan {
            core_kind: self.workers.kind(),
            ..plan.clone()
        };
        // A child starts where its parent is.
        set_affinity(&self.workers.cpus)
            .map_err(|error| Error::new(format!("a worker cannot be pinned: {error}")))?;
        let spawned = self.processes.spawn(&plan, draw);
        // Should this fail, the coordinator shares the workers' processors, which is tolerable.
        let _ = set_affinity(&self.own);
        spawned
    }

    fn counts(&self) -> bool {
        self.counts
    }

    fn counters(&self) -> &[Metric] {
        &self.counters
    }

    fn interrupted(&self) -> bool {
        self.processes.interrupted()
    }
}
