//! The settings of timing one thing, and the timing.

use std::io::Write;
use std::mem::needs_drop;
use std::time::Duration;

use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_clock::Clock;
use tourbillon_engine::{Arm, Control, Controlled, Counted, Iterated, Kept, measure};
use tourbillon_os::HAS_PROCESSES;
use tourbillon_report::escape;
use tourbillon_stats::Confidence;

use super::plan::{about, frequency, plan, run_once};
use super::timing::Timing;

/// Settings for timing one thing in one line.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// let timer = tourbillon::Timer::new().min_time(Duration::from_millis(20)).quiet();
/// let mut results = [
///     timer.time("sum of 1000", || (0..tourbillon::hide(1_000u64)).map(tourbillon::hide).sum::<u64>()),
///     timer.time("sum of 10", || (0..tourbillon::hide(10u64)).map(tourbillon::hide).sum::<u64>()),
/// ];
/// results.sort();
/// println!("{} is the fastest", results[0].name());
/// ```
#[derive(Clone, Debug)]
pub struct Timer {
    min_time: Duration,
    min_iterations: u64,
    prints: bool,
}

impl Default for Timer {
    fn default() -> Self {
        Self::new()
    }
}

/// Settings.
impl Timer {
    /// At least 0.2 s of measuring, any number of iterations, one line printed.
    pub const fn new() -> Self {
        Self {
            min_time: Duration::from_millis(200),
            min_iterations: 0,
            prints: true,
        }
    }

    /// Measures for at least this long, not counting the search for the batch length and the warm-up.
    pub const fn min_time(mut self, min_time: Duration) -> Self {
        self.min_time = min_time;
        self
    }

    /// Measures at least this many iterations.
    ///
    /// # Examples
    ///
    /// ```
    /// let timer = tourbillon::Timer::new().min_iterations(1_000).quiet();
    /// let timing = timer.time("string", || String::from("a"));
    /// assert!(timing.iterations() >= 1_000);
    /// ```
    pub const fn min_iterations(mut self, min_iterations: u64) -> Self {
        self.min_iterations = min_iterations;
        self
    }

    /// Prints nothing.
    pub const fn quiet(mut self) -> Self {
        self.prints = false;
        self
    }
}

/// The six forms; see the functions of the same names.
impl Timer {
    /// As [`time`](crate::time).
    pub fn time<R>(&self, name: &str, body: impl FnMut() -> R) -> Timing {
        if const { needs_drop::<R>() } {
            self.measured(name, Some(1), &mut Kept::outputs(body, |_| Ok(())))
        } else {
            self.measured(name, Some(1), &mut Iterated::new(body, |_| Ok(())))
        }
    }

    /// As [`time_controlled`](crate::time_controlled).
    pub fn time_controlled<R>(
        &self,
        name: &str,
        mut body: impl FnMut(&mut Control<'_>) -> R,
    ) -> Timing {
        let mut arm = Controlled::fixed(move |_, control: &mut Control<'_>| body(control), 1);
        self.measured(name, Some(1), &mut arm)
    }

    /// As [`time_n`](crate::time_n).
    pub fn time_n<R>(&self, name: &str, body: impl FnMut(u64) -> R) -> Timing {
        self.measured(name, None, &mut Counted::new(body))
    }

    /// As [`time_n_controlled`](crate::time_n_controlled).
    pub fn time_n_controlled<R>(
        &self,
        name: &str,
        body: impl FnMut(u64, &mut Control<'_>) -> R,
    ) -> Timing {
        self.measured(name, None, &mut Controlled::new(body))
    }

    /// As [`time_fixed`](crate::time_fixed).
    ///
    /// # Panics
    ///
    /// When `count` is zero.
    pub fn time_fixed<R>(&self, name: &str, count: u64, mut body: impl FnMut(u64) -> R) -> Timing {
        assert!(count > 0, "time_fixed needs a count of at least 1");
        let mut arm = Iterated::single(move || body(count));
        self.measured(name, Some(count), &mut arm)
    }

    /// As [`time_fixed_controlled`](crate::time_fixed_controlled).
    ///
    /// # Panics
    ///
    /// When `count` is zero.
    pub fn time_fixed_controlled<R>(
        &self,
        name: &str,
        count: u64,
        body: impl FnMut(u64, &mut Control<'_>) -> R,
    ) -> Timing {
        assert!(
            count > 0,
            "time_fixed_controlled needs a count of at least 1"
        );
        let mut arm = Controlled::fixed(body, count);
        self.measured(name, Some(count), &mut arm)
    }

    /// Measures `arm`, prints the line, returns what was found. A batch of an arm without `ops_per_call`
    /// is one call whose number of ops is chosen.
    fn measured(&self, name: &str, ops_per_call: Option<u64>, arm: &mut dyn Arm) -> Timing {
        let clock = Clock::choose().clock;
        if !HAS_PROCESSES {
            run_once(arm, &clock);
            if self.prints {
                let name = escape(name, true);
                let _ = writeln!(
                    std::io::stdout(),
                    "{name}: ran once; nothing is measured here"
                );
            }
            return Timing::new(name, &[], &[], ops_per_call.is_none());
        }
        let timing = self.measured_on(&clock, name, ops_per_call, arm);
        if self.prints {
            // A reader of stdout that has gone is not an error.
            let _ = writeln!(std::io::stdout(), "{timing}");
        }
        timing
    }

    fn measured_on(
        &self,
        clock: &Clock,
        name: &str,
        ops_per_call: Option<u64>,
        arm: &mut dyn Arm,
    ) -> Timing {
        let plan = plan(name, clock, self.min_time, self.min_iterations);
        let about = about("time", ops_per_call.unwrap_or(1));
        let launches = Vec::from_iter(measure(arm, about, &plan, clock, &mut |_| ()));
        let rules = Rules {
            frequency: frequency(clock),
            confidence: Confidence::P99,
            core_cache_bytes: None,
        };
        let results = estimate(name, &launches, &Tally::default(), &rules);
        Timing::new(name, &launches, &results, ops_per_call.is_none())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tourbillon_clock::{Clock, Script};
    use tourbillon_engine::{Control, Controlled, Counted, Iterated};

    use super::Timer;

    /// A clock of a tick in a nanosecond that moves when it is read or advanced.
    fn script() -> Script {
        Script::new()
            .hz(1_000_000_000)
            .read_cost(10, 10)
            .core_cycle(0.25)
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-6 * expected)
    }

    #[test]
    fn a_call_is_an_op() {
        let script = script();
        let clock = Clock::scripted(&script);
        let timer = Timer::new().min_time(Duration::from_millis(5)).quiet();
        let mut arm = Iterated::new(|| script.advance(250), |()| Ok(()));
        let timing = timer.measured_on(&clock, "sleepy", Some(1), &mut arm);
        assert_eq!(timing.name(), "sleepy");
        assert!(near(timing.nanos_per_op(), 250.0), "{timing:?}");
        assert!(near(timing.micros_per_op(), 0.25) && near(timing.millis_per_op(), 2.5e-4));
        assert!(near(timing.nanos_per_iteration(), 250.0));
        assert!(near(timing.cycles_per_op(), 1_000.0), "{timing:?}");
        assert_eq!(timing.ops(), timing.iterations());
        let (lower, upper) = (timing.lower().unwrap(), timing.upper().unwrap());
        assert!(lower <= 250.0 && 250.0 <= upper, "{timing:?}");
        assert!(timing.confidence().unwrap() >= 0.99);
        assert!(timing.elapsed() >= Duration::from_millis(4), "{timing:?}");
        assert!(timing.to_string().contains("this process"), "{timing}");
    }

    #[test]
    fn a_count_of_ops_belongs_to_a_call() {
        let script = script();
        let clock = Clock::scripted(&script);
        let timer = Timer::new().min_time(Duration::from_millis(5)).quiet();
        let mut arm = Iterated::single(|| script.advance(5_000));
        let timing = timer.measured_on(&clock, "fixed", Some(100), &mut arm);
        assert!(near(timing.nanos_per_op(), 50.0), "{timing:?}");
        assert!(near(timing.nanos_per_iteration(), 5_000.0), "{timing:?}");
        assert_eq!(timing.ops(), timing.iterations() * 100);

        let mut arm = Counted::new(|count: u64| script.advance(50 * count));
        let timing = timer.measured_on(&clock, "counted", None, &mut arm);
        assert!(near(timing.nanos_per_op(), 50.0), "{timing:?}");
        assert!(timing.ops() > 10 * timing.iterations(), "{timing:?}");
    }

    #[test]
    fn what_is_paused_does_not_count() {
        let script = script();
        let clock = Clock::scripted(&script);
        let timer = Timer::new().min_time(Duration::from_millis(5)).quiet();
        let body = |count: u64, control: &mut Control<'_>| {
            for _ in 0..count {
                control.pause();
                script.advance(3_000);
                control.resume();
                script.advance(40);
            }
        };
        let mut arm = Controlled::new(body);
        let timing = timer.measured_on(&clock, "paused", None, &mut arm);
        assert!(near(timing.nanos_per_op(), 40.0), "{timing:?}");
        assert!(!timing.is_unreliable());
    }

    #[test]
    fn timings_are_ordered_by_time_per_op() {
        let script = script();
        let clock = Clock::scripted(&script);
        let timer = Timer::new().min_time(Duration::from_millis(1)).quiet();
        let timed = |ticks: u64| {
            let mut arm = Iterated::new(|| script.advance(ticks), |()| Ok(()));
            timer.measured_on(&clock, &ticks.to_string(), Some(1), &mut arm)
        };
        let mut timings = [timed(900), timed(20), timed(300)];
        timings.sort();
        let names: Vec<&str> = timings.iter().map(|timing| timing.name()).collect();
        assert_eq!(names, ["20", "300", "900"]);
    }

    #[test]
    fn settings_ask_for_more() {
        let script = script();
        let clock = Clock::scripted(&script);
        let timer = Timer::new()
            .min_time(Duration::from_millis(1))
            .min_iterations(300_000)
            .quiet();
        let mut arm = Iterated::new(|| script.advance(100), |()| Ok(()));
        let timing = timer.measured_on(&clock, "many", Some(1), &mut arm);
        assert!(timing.iterations() >= 300_000, "{timing:?}");
    }
}
