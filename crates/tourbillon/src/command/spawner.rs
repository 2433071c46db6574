//! Workers, pinned to processors where that is asked for.

use tourbillon_os::{Signals, affinity, set_affinity};
use tourbillon_record::Plan;
use tourbillon_runner::{Draw, Error, Processes, SpawnWorker, Worker};

use super::exit::{Stop, USAGE};
use super::flags::HighArgs;
use crate::lasting::{Handed, Lasting};
use crate::processors::copied;
use crate::text::{append, said, text};

/// Starts workers; the coordinator itself stays where the system puts it.
#[derive(Debug)]
pub(crate) struct Spawner {
    processes: Lasting<Processes>,
    pinning: Lasting<Option<Pinning>>,
}

/// Processors that workers are pinned to, and those of this process.
#[derive(Debug)]
struct Pinning {
    workers: Vec<u32>,
    own: Vec<u32>,
}

impl Spawner {
    /// Workers as the command line wants them.
    ///
    /// # Errors
    ///
    /// When signals cannot be handled, this executable cannot be found, or a processor of the list
    /// is not to be had.
    #[inline(never)]
    pub(crate) fn new(high: &HighArgs) -> Result<Spawner, Stop> {
        let signals = Signals::install()
            .map_err(|error| Stop::environment(text!("signals cannot be handled: {error}")))?;
        let processes = match Processes::own() {
            Ok(processes) => processes.signals(signals).nocapture(high.no_capture),
            Err(error) => return Err(Stop::environment(said(&error))),
        };
        let processes = Lasting::new(processes);
        let pinning = match high.cpus.as_slice() {
            [] => None,
            cpus => Some(Pinning::new(cpus)?),
        };
        Ok(Spawner {
            processes,
            pinning: Lasting::new(pinning),
        })
    }
}

impl Pinning {
    #[inline(never)]
    fn new(cpus: &[u32]) -> Result<Pinning, Stop> {
        let refused = |why: String| Stop::Because(USAGE, text!("--cpus: {why}"));
        let own = affinity().map_err(|error| refused(said(&error)))?;
        for cpu in cpus {
            let (mut may, mut all) = (false, String::new());
            for allowed in &own {
                may |= allowed == cpu;
                append(&mut all, &text!(",{allowed}"));
            }
            if !may {
                let on = all.get(1..).unwrap_or_default();
                let why = text!("this process may not run on processor {cpu}; it may on {on}");
                return Err(refused(why));
            }
        }
        Ok(Pinning {
            workers: copied(cpus),
            own,
        })
    }
}

impl SpawnWorker for Spawner {
    #[inline(never)]
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        let Some(pinning) = &*self.pinning else {
            return self.processes.spawn(plan, draw);
        };
        // A child starts where its parent is.
        set_affinity(&pinning.workers)
            .map_err(|error| Error::new(text!("a worker cannot be pinned: {error}")))?;
        let hired = Handed::new(self.processes.spawn(plan, draw));
        // Should this fail, the coordinator shares the workers' processors: a pity, no more.
        let _ = set_affinity(&pinning.own);
        Handed::into_inner(hired)
    }

    fn counts(&self) -> bool {
        cfg!(feature = "mem")
    }

    fn interrupted(&self) -> bool {
        self.processes.interrupted()
    }
}
