//! A benchmark measured in this process, without a coordinator.

use std::time::Duration;

use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_clock::Clock;
use tourbillon_engine::{About, Arm, Drive, measure};
use tourbillon_record::{CaseResult, LaunchSamples};
use tourbillon_stats::Confidence;

use super::plan::{frequency, plan};
use super::timing::Timing;

/// A benchmark that was measured in this process.
#[derive(Clone, Debug)]
pub struct InProcess {
    /// The samples.
    pub launch: LaunchSamples,
    /// The results, whose intervals hold for this process.
    pub results: Vec<CaseResult>,
    /// The line that shows them, without its line feed.
    pub line: String,
}

/// Measures a benchmark in this process for `time`.
///
/// # Errors
///
/// What the benchmark returned, or that it passed no body on. A panic goes through to the caller.
pub fn measure_in_process(
    id: &str,
    time: Duration,
    body: &mut dyn FnMut(&mut dyn Drive) -> Result<(), String>,
) -> Result<InProcess, String> {
    struct Driver<'d> {
        id: &'d str,
        clock: Clock,
        time: Duration,
        measured: Result<LaunchSamples, String>,
    }
    impl Drive for Driver<'_> {
        fn drive(&mut self, arm: &mut dyn Arm, about: About) {
            let plan = plan(self.id, &self.clock, self.time, 1);
            self.measured = measure(arm, about, &plan, &self.clock, &mut |_| ());
        }
    }
    let mut driver = Driver {
        id,
        clock: Clock::choose().clock,
        time,
        measured: Err("it passed no body to its Bencher".to_owned()),
    };
    body(&mut driver)?;
    let launches = [driver.measured?];
    let rules = Rules {
        frequency: frequency(&driver.clock),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let results = estimate(id, &launches, &Tally::default(), &rules);
    let line = Timing::new(id, &launches, &results, false).to_string();
    let [launch] = launches;
    Ok(InProcess {
        launch,
        results,
        line,
    })
}
