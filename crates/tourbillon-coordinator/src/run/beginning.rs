//! What is fixed before the first launch of a run: the lock, the seed, the clock. A launch may be made before the cases are
//! all known.

use std::collections::HashMap;

use tourbillon_analysis::Frequency;
use tourbillon_clock::wall;
use tourbillon_os::{affinity, refuse_large_files};
use tourbillon_record::{CaseOptions, Plan};
use tourbillon_report::escape;

use super::run_clock::SystemRunClock;
use super::settings::{Home, new_seed, settings};
use crate::args::HighArgs;
use crate::output::{Console, Stop};
use crate::platform::core_kinds::{CoreKinds, WorkerCpus};
use crate::runner::{MachineLock, MadeByCase, SentLaunch, pilot_plan};

/// What a run begins with.
#[derive(Debug)]
pub struct Beginning {
    pub(super) seed: u64,
    pub(super) run_clock: SystemRunClock,
    pub(super) frequency: Frequency,
    /// Pilot launches that were made already.
    pub(super) made: MadeByCase,
    _lock: Option<MachineLock>,
}

impl Beginning {
    /// Waits for other programs that measure, and starts the clock.
    ///
    /// # Errors
    ///
    /// When it is not to be waited, and when the clock has no frequency.
    pub fn new(home: &Home, high: &HighArgs, console: &mut Console) -> Result<Beginning, Stop> {
        // The file of the lock is the first that is written.
        refuse_large_files();
        // Before signals are handled: an interrupt ends a process that waits.
        let lock = lock(home, high, console)?;
        let run_clock = SystemRunClock::start();
        let facts = run_clock.facts();
        let Some(frequency) = Frequency::of(&facts) else {
            let what = format!("the clock {} has no frequency", facts.source);
            return Err(Stop::environment(what));
        };
        Ok(Beginning {
            seed: high.seed.unwrap_or_else(new_seed),
            run_clock,
            frequency,
            made: MadeByCase::new(),
            _lock: lock,
        })
    }

    /// Whether workers run on processors that this process chooses.
    pub fn pins(high: &HighArgs) -> bool {
        let allowed = affinity().unwrap_or_default();
        let workers = WorkerCpus::new(&high.cpus, CoreKinds::of_machine().as_ref(), &allowed);
        !workers.is_ok_and(|workers| workers.cpus.is_empty())
    }

    /// The plan of the pilot launch of a case.
    pub fn pilot_plan(&self, high: &HighArgs, case: &str, options: &CaseOptions) -> Plan {
        let options = HashMap::from([(case.to_owned(), *options)]);
        let facts = self.run_clock.facts();
        let settings = settings(high, &options, self.seed, &facts, self.frequency);
        pilot_plan(&settings, case)
    }

    /// Takes a pilot launch that was made.
    pub fn take(&mut self, sent: SentLaunch) {
        self.made.insert(sent.samples.case.clone(), sent);
        self.run_clock.has_begun = true;
    }

    /// Forgets the launches that were made.
    pub fn forget(&mut self) {
        self.made.clear();
    }
}

/// Waits for other programs that measure.
fn lock(home: &Home, high: &HighArgs, console: &mut Console) -> Result<Option<MachineLock>, Stop> {
    let name = format!("{}/{}", home.package, home.target);
    let now = || wall::local_rfc3339(wall::unix_ns());
    let mut note = |text: &str| console.note(&format!("{}\n", escape(text, true)));
    MachineLock::acquire(&high.lock, &name, now, &mut note)
        .map_err(|why| Stop::environment(escape(&why, true)))
}
