//! Workers, pinned to processors where requested.

use crate::runner::{Draw, Error, Processes, SpawnWorker, Worker};
use tourbillon_os::{Signals, affinity, set_affinity};
use tourbillon_record::Plan;

use crate::args::HighArgs;
use crate::output::Stop;
use crate::run::stepper::stepper;

/// Starts workers; the coordinator itself stays where the system puts it.
#[derive(Debug)]
pub(super) struct Spawner {
    processes: Processes,
    pinning: Option<Pinning>,
    counts: bool,
    /// Workers that are stepped, if that is asked for, or why there are none.
    stepped: Option<Result<Processes, Error>>,
}

/// Processors that workers are pinned to, and those of this process.
#[derive(Debug)]
struct Pinning {
    workers: Vec<u32>,
    own: Vec<u32>,
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
        let pinning = match high.cpus.as_slice() {
            [] => None,
            cpus => Some(Pinning::new(cpus)?),
        };
        Ok(Spawner {
            processes: processes.signals(signals).nocapture(high.no_capture),
            pinning,
            counts,
            stepped: high.instructions.then(|| stepped(signals)),
        })
    }
}

fn stepped(signals: Signals) -> Result<Processes, Error> {
    let path = stepper().map_err(Error::new)?;
    Ok(Processes::stepped_by(path)?.signals(signals))
}

impl Pinning {
    fn new(cpus: &[u32]) -> Result<Pinning, Stop> {
        let own = affinity().map_err(|error| Stop::usage(format!("--cpus: {error}")))?;
        if let Some(cpu) = cpus.iter().find(|cpu| !own.contains(cpu)) {
            let allowed: Vec<String> = own.iter().map(u32::to_string).collect();
            return Err(Stop::usage(format!(
                "--cpus: this process may not run on processor {cpu}; it may on {}",
                allowed.join(",")
            )));
        }
        Ok(Pinning {
            workers: cpus.to_vec(),
            own,
        })
    }
}

impl SpawnWorker for Spawner {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        if plan.stepped == Some(true) {
            return match &mut self.stepped {
                Some(Ok(stepped)) => stepped.spawn(plan, draw),
                Some(Err(why)) => Err(Error::new(why.to_string())),
                None => Err(Error::new("no ops are stepped")),
            };
        }
        let Some(pinning) = &self.pinning else {
            return self.processes.spawn(plan, draw);
        };
        // A child starts where its parent is.
        set_affinity(&pinning.workers)
            .map_err(|error| Error::new(format!("a worker cannot be pinned: {error}")))?;
        let spawned = self.processes.spawn(plan, draw);
        // Should this fail, the coordinator shares the workers' processors, which is tolerable.
        let _ = set_affinity(&pinning.own);
        spawned
    }

    fn counts(&self) -> bool {
        self.counts
    }

    fn steps(&self) -> bool {
        self.stepped.is_some()
    }

    fn interrupted(&self) -> bool {
        self.processes.interrupted()
    }
}
