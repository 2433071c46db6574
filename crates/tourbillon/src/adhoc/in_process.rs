//! A benchmark measured in this process, without a coordinator.

use std::time::Duration;

use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_clock::Clock;
use tourbillon_coordinator::run::{Home, SystemRunClock, header};
use tourbillon_engine::{About, Arm, Drive, measure};
use tourbillon_record::{CaseResult, Header, LaunchSamples, Plan, RunSettings};
use tourbillon_stats::Confidence;

use super::plan::{frequency, plan};
use super::timing::Timing;

/// A benchmark that was measured in this process.
#[derive(Clone, Debug)]
pub struct InProcess {
    /// What ran, where, and with which clock.
    pub header: Header,
    /// The samples.
    pub launch: LaunchSamples,
    /// The results, whose intervals hold for this process.
    pub results: Vec<CaseResult>,
    /// The line that shows them, without its line feed.
    pub line: String,
}

/// Measures a benchmark of `home` in this process for `time`.
///
/// # Errors
///
/// What the benchmark returned, or that it passed no body on. A panic goes through to the caller.
pub fn measure_in_process(
    home: &Home,
    id: &str,
    time: Duration,
    body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
) -> Result<InProcess, String> {
    struct Driver<'d> {
        clock: &'d Clock,
        plan: Plan,
        measured: Result<LaunchSamples, String>,
    }
    impl Drive for Driver<'_> {
        fn drive(&mut self, arm: &mut dyn Arm, about: About) {
            self.measured = measure(arm, about, &self.plan, self.clock, &mut |_| ());
        }

        fn movable(&mut self) -> Option<&mut (dyn Drive + Send)> {
            Some(self)
        }
    }
    let run_clock = SystemRunClock::start();
    let clock = run_clock.clock();
    let mut driver = Driver {
        clock,
        plan: plan(id, clock, time, 1),
        measured: Err("it passed no body to its Bencher".to_owned()),
    };
    body(&mut driver)?;
    let launches = [driver.measured?];
    let confidence = Confidence::P99;
    let settings = RunSettings {
        launches: 1,
        budget_ns: driver.plan.budget_ns,
        batch_ns: driver.plan.batch_ns,
        confidence: confidence.level(),
        ..RunSettings::default()
    };
    let header = header(home, 1, driver.plan.seed, settings, run_clock.facts());
    let rules = Rules {
        frequency: frequency(clock),
        confidence,
        core_cache_bytes: None,
    };
    let results = estimate(id, &launches, &Tally::default(), &rules);
    let line = Timing::new(id, &launches, &results, false).to_string();
    let [launch] = launches;
    Ok(InProcess {
        header,
        launch,
        results,
        line,
    })
}
