//! How far a case is in a run.

use tourbillon_analysis::{LaunchQuota, Rules, Spread, Tally, counted, estimate_and_spread};
use tourbillon_record::{Absence, Case, CaseResult, Followed, LaunchSamples, Memory, Note, Scope};

use crate::runner::budget::{
    Starts, USUAL_OVERHEAD_NS, batches_ns, expected_cost, launch_count, overhead_ticks, time_ns,
    used_ns,
};
use crate::runner::settings::CaseSettings;

/// How far a case is.
pub(crate) struct CaseProgress<'a> {
    pub(crate) case: &'a Case,
    pub(crate) settings: &'a CaseSettings,
    /// Launches until the first look: those requested, until the pilot launch has ended.
    pub(crate) launches: u32,
    /// The launches that were made.
    pub(crate) made: Vec<LaunchSamples>,
    pub(crate) failed: u32,
    /// Launches that left processes behind.
    pub(crate) left_processes: u32,
    /// Wall time of its launches, each counted from the end of the previous one.
    pub(crate) spent_ns: u64,
    /// How much of that was the starts of processes.
    pub(crate) start_ns: u64,
    pub(crate) memory: CaseMemory,
    /// What another program found out about its ops.
    pub(crate) followed: Vec<Followed>,
    /// Nanoseconds of a launch apart from its batches.
    overhead_ns: u64,
    quota: LaunchQuota,
    /// Time for all of its launches.
    time_ns: u64,
    /// Whether it has more launches than fit, because they were requested.
    is_prolonged: bool,
}

/// What is known of the memory of a case.
#[derive(Default)]
pub(crate) struct CaseMemory {
    pub(crate) launches: Vec<Memory>,
    /// Why nothing was counted, if a launch failed.
    pub(crate) failed: Option<String>,
}

impl<'a> CaseProgress<'a> {
    pub(crate) fn new(case: &'a Case, settings: &'a CaseSettings) -> CaseProgress<'a> {
        CaseProgress {
            case,
            settings,
            launches: settings.requested(),
            made: Vec::new(),
            failed: 0,
            left_processes: 0,
            spent_ns: 0,
            start_ns: 0,
            memory: CaseMemory::default(),
            followed: Vec::new(),
            overhead_ns: USUAL_OVERHEAD_NS,
            quota: LaunchQuota::default(),
            time_ns: settings.budget(),
            is_prolonged: false,
        }
    }

    /// Time for the batches of a launch.
    pub(crate) fn batches_ns(&self, starts: Starts) -> u64 {
        batches_ns(self.settings, self.launches, starts, self.overhead_ns)
    }

    /// From how many cycles on the next launch begins contended; `None` for one that has to last.
    pub(crate) fn contended_from(&self) -> Option<u64> {
        let has_to_last = self.settings.min_time_ns() > 0;
        self.quota.contended_from().filter(|_| !has_to_last)
    }

    /// Decides by the pilot launch how many launches the case gets, and how long their batches are.
    pub(crate) fn plan_launches(&mut self, pilot: &LaunchSamples, rules: &Rules) {
        let cost = expected_cost(pilot, &rules.frequency);
        self.launches = launch_count(self.settings, cost, rules.needed());
        self.time_ns = time_ns(self.settings, cost, rules.needed());
        self.overhead_ns = rules.frequency.nanos(overhead_ticks(pilot));
        // Warming up and starting processes may take half as much again.
        let all_ns = cost.saturating_mul(u64::from(self.launches));
        self.is_prolonged = self.settings.launches_fixed && all_ns / 3 * 2 > self.settings.budget();
    }

    /// Takes a launch that was made.
    pub(crate) fn take(&mut self, launch: LaunchSamples) {
        self.quota.count(&launch);
        self.made.push(launch);
    }

    /// Launches that have ended, failed ones included.
    pub(crate) fn ended(&self) -> u32 {
        self.quota.made() + self.failed
    }

    /// How many launches are made in place of contended ones. With a precision, looks add launches instead; in a
    /// shared worker, the set-up of a launch may take longer than all of its case. `beyond_ns` is what the run may take
    /// beyond its usual time.
    pub(crate) fn repeats(&self, rules: &Rules, beyond_ns: u64) -> u32 {
        if self.settings.options.precision.is_some() || self.settings.shared_worker.is_some() {
            return 0;
        }
        let (wall_ns, start_ns) = (self.spent_ns, self.start_ns);
        let made = self.quota.made();
        let used_ns = used_ns(self.settings, self.overhead_ns, wall_ns, start_ns, made);
        let (launches, needed) = (self.launches, rules.needed());
        self.quota
            .more(launches, needed, used_ns, self.time_ns, beyond_ns)
    }

    /// Time of its launches beyond twice that of the case.
    pub(crate) fn beyond_ns(&self) -> u64 {
        self.spent_ns.saturating_sub(self.time_ns.saturating_mul(2))
    }

    /// How many of its launches were not contended, where some were and others are made in their place.
    pub(crate) fn kept(&self) -> Option<(u32, u32)> {
        let made = self.quota.made();
        if made < self.launches {
            return None;
        }
        let quiet = self.quota.quiet();
        (quiet < made).then_some((quiet, made))
    }

    /// Whether its interval is wider than the requested precision.
    pub(crate) fn is_too_wide(&self, rules: &Rules) -> bool {
        let Some(precision) = self.settings.options.precision else {
            return false;
        };
        // The first result is that of its time.
        let (results, _) = self.results(rules);
        let Some(time) = results.first() else {
            return false;
        };
        match (time.estimate, time.lower, time.upper) {
            // An interval of single processes, because others were contended, is not a precision.
            (Ok(estimate), Some(lower), Some(upper)) => {
                let of_process = time.scope == Scope::Process;
                of_process && self.launches >= rules.needed()
                    || (upper - lower) / 2.0 > precision * estimate.abs()
            }
            // Too few launches for an interval, or for a figure.
            (Ok(_) | Err(Absence::MachineBusy | Absence::TooScattered), _, _) => true,
            // More launches do not change what is below the resolution.
            (Err(_), _, _) => false,
        }
    }

    /// The requested precision, of a case that has a figure with a wider interval.
    pub(crate) fn missed_precision(&self, rules: &Rules) -> Option<f64> {
        let precision = self.settings.options.precision?;
        let (results, _) = self.results(rules);
        let has_figure = results.first()?.estimate.is_ok();
        (has_figure && self.is_too_wide(rules)).then_some(precision)
    }

    /// Its results so far, and the scatter of its launches.
    pub(crate) fn results(&self, rules: &Rules) -> (Vec<CaseResult>, Option<Spread>) {
        let requested = self.settings.requested();
        let tally = Tally {
            failed: self.failed,
            shortened_from: (self.launches < requested).then_some(requested),
            took_ns: self.is_prolonged.then_some(self.spent_ns),
            looks: self.settings.options.precision.is_some(),
        };
        let (mut results, spread) = estimate_and_spread(&self.case.id, &self.made, &tally, rules);
        if let (Some(time), launches @ 1..) = (results.first_mut(), self.left_processes) {
            time.notes.push(Note::ProcessesLeft { launches });
        }
        self.memory.add_to(&self.case.id, &mut results);
        for followed in &self.followed {
            let mains = results.iter_mut().filter(|result| result.metric.is_main());
            mains.for_each(|main| main.notes.extend_from_slice(&followed.notes));
            results.extend_from_slice(&followed.results);
        }
        (results, spread)
    }
}

impl CaseMemory {
    /// Adds the counts, or to the main result why there are none.
    fn add_to(&self, case: &str, results: &mut Vec<CaseResult>) {
        let errors = self
            .launches
            .iter()
            .filter_map(|launch| launch.counts.as_ref().err());
        let Some(why) = self.failed.iter().chain(errors).next() else {
            results.extend(counted(case, &self.launches));
            return;
        };
        for result in results.iter_mut().filter(|result| result.metric.is_main()) {
            result.notes.push(Note::NotCounted { why: why.clone() });
        }
    }

    /// How long the launches took.
    pub(crate) fn launches_ns(&self) -> u64 {
        let launches = self.launches.iter().map(|launch| launch.launch_ns);
        launches.fold(0, u64::saturating_add)
    }
}
