use std::mem::needs_drop;
use std::num::NonZeroU64;
use std::time::Duration;

use tourbillon_clock::Clock;
use tourbillon_coordinate::{CaseSettings, Frequency, Rules, Tally, estimate};
use tourbillon_engine::{
    About, Arm, Control, Controlled, Counted, Iterated, Kept, WINDOW_BYTES, WINDOW_ITEMS, measure,
};
use tourbillon_record::Plan;
use tourbillon_stats::Confidence;

use crate::Timing;

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
/// assert_eq!(results[0].name(), "sum of 10");
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

    /// Measures for at least this long, finding the batch length and warming up not counted.
    pub const fn min_time(mut self, min_time: Duration) -> Self {
        self.min_time = min_time;
        self
    }

    /// Measures at least so many iterations.
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
            self.measured(name, Form::per_call(), &mut Kept::outputs(body, |_| Ok(())))
        } else {
            self.measured(name, Form::per_call(), &mut Iterated::new(body, |_| Ok(())))
        }
    }

    /// As [`time_controlled`](crate::time_controlled).
    pub fn time_controlled<R>(
        &self,
        name: &str,
        mut body: impl FnMut(&mut Control<'_>) -> R,
    ) -> Timing {
        let mut arm = Controlled::fixed(move |_, control: &mut Control<'_>| body(control), 1);
        self.measured(name, Form::per_call(), &mut arm)
    }

    /// As [`time_n`](crate::time_n).
    pub fn time_n<R>(&self, name: &str, body: impl FnMut(u64) -> R) -> Timing {
        self.measured(name, Form::per_batch(), &mut Counted::new(body))
    }

    /// As [`time_n_controlled`](crate::time_n_controlled).
    pub fn time_n_controlled<R>(
        &self,
        name: &str,
        body: impl FnMut(u64, &mut Control<'_>) -> R,
    ) -> Timing {
        self.measured(name, Form::per_batch(), &mut Controlled::new(body))
    }

    /// As [`time_fixed`](crate::time_fixed).
    ///
    /// # Panics
    ///
    /// When `count` is zero.
    pub fn time_fixed<R>(&self, name: &str, count: u64, mut body: impl FnMut(u64) -> R) -> Timing {
        assert!(count > 0, "time_fixed needs a count of at least 1");
        self.measured(
            name,
            Form::fixed(count),
            &mut Iterated::single(move || body(count)),
        )
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
        self.measured(
            name,
            Form::fixed(count),
            &mut Controlled::fixed(body, count),
        )
    }

    /// Measures `arm`, prints the line, returns what was found.
    fn measured(&self, name: &str, form: Form, arm: &mut dyn Arm) -> Timing {
        let clock = Clock::choose().clock;
        let timing = self.measured_on(&clock, name, form, arm);
        if self.prints {
            #[expect(clippy::print_stdout, reason = "the line is what was asked for")]
            {
                println!("{timing}");
            }
        }
        timing
    }

    /// Measures `arm` on `clock`.
    pub(super) fn measured_on(
        &self,
        clock: &Clock,
        name: &str,
        form: Form,
        arm: &mut dyn Arm,
    ) -> Timing {
        let frequency = clock.frequency();
        let frequency = Frequency {
            numerator: NonZeroU64::new(frequency.numerator).unwrap_or(NonZeroU64::MIN),
            denominator: NonZeroU64::new(frequency.denominator).unwrap_or(NonZeroU64::MIN),
            error_ppm: frequency.error_ppm,
        };
        let plan = Plan {
            case: name.to_owned(),
            launch: 0,
            seed: tourbillon_clock::wall::unix_ns(),
            clock: clock.name().to_owned(),
            tick_hz: frequency.hz(),
            budget_ns: u64::try_from(self.min_time.as_nanos()).unwrap_or(u64::MAX),
            batch_ns: CaseSettings::default().batch_ns,
            min_iterations: self.min_iterations,
            window_items: WINDOW_ITEMS,
            window_bytes: WINDOW_BYTES,
            length: None,
        };
        let about = About {
            terminal: "time",
            drop_inside: false,
            isolated: false,
            ops_per_iteration: form.ops_per_iteration,
            throughput: None,
        };
        let visit = measure(arm, about, &plan, clock, &mut |_| ());
        let visits: Vec<_> = visit.into_iter().collect();
        let rules = Rules {
            frequency,
            confidence: Confidence::P99,
        };
        let results = estimate(name, &visits, &Tally::default(), &rules);
        Timing::new(name, &visits, &results, form.calls_per_batch)
    }
}

/// How ops, iterations and batches hang together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// Ops in one call of the body.
    ops_per_iteration: u64,
    /// Whether a batch is one call, whose count of ops was chosen.
    calls_per_batch: bool,
}

impl Form {
    fn per_call() -> Self {
        Self {
            ops_per_iteration: 1,
            calls_per_batch: false,
        }
    }

    fn per_batch() -> Self {
        Self {
            ops_per_iteration: 1,
            calls_per_batch: true,
        }
    }

    fn fixed(count: u64) -> Self {
        Self {
            ops_per_iteration: count,
            calls_per_batch: false,
        }
    }
}
