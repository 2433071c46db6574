//! The part of a body that is measured.

use std::fmt;
use std::hint::black_box;
use std::panic::Location;

use crate::measurement::Measurement;

/// Measures a part of a body; see [`Bencher::iter_with_setup_wrapper`](crate::Bencher::iter_with_setup_wrapper).
pub struct WrapperRunner<'a, M: Measurement> {
    measurement: &'a M,
    value: Option<M::Value>,
}

impl<M: Measurement> fmt::Debug for WrapperRunner<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WrapperRunner").finish_non_exhaustive()
    }
}

impl<M: Measurement> WrapperRunner<'_, M> {
    /// Measures `routine` without the drop of its output, which it returns.
    ///
    /// # Panics
    ///
    /// When the body has called it before.
    #[track_caller]
    pub fn run<O, R: FnOnce() -> O>(&mut self, routine: R) -> O {
        assert!(
            self.value.is_none(),
            "the body calls run more than once in an iteration"
        );
        let start = self.measurement.start();
        let output = black_box(routine());
        self.value = Some(self.measurement.end(start));
        output
    }

    /// What one iteration of `body` measures, which a suite passes at `body_location`.
    pub(crate) fn value_of(
        measurement: &M,
        body_location: &Location<'_>,
        body: &mut impl FnMut(&mut WrapperRunner<'_, M>),
    ) -> M::Value {
        let mut runner = WrapperRunner {
            measurement,
            value: None,
        };
        body(&mut runner);
        match runner.value {
            Some(value) => value,
            None => panic!("the body at {body_location} does not call run"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::WallTime;

    #[test]
    fn the_part_is_measured_and_its_output_returned() {
        let mut parts = 0;
        WrapperRunner::value_of(&WallTime, Location::caller(), &mut |runner| {
            parts = runner.run(|| 7) + 1;
        });
        assert_eq!(parts, 8);
    }

    #[test]
    #[should_panic(expected = "does not call run")]
    fn a_body_has_a_part() {
        WrapperRunner::value_of(&WallTime, Location::caller(), &mut |_| {});
    }

    #[test]
    #[should_panic(expected = "more than once")]
    fn a_body_has_one_part() {
        WrapperRunner::value_of(&WallTime, Location::caller(), &mut |runner| {
            runner.run(|| 1);
            runner.run(|| 2);
        });
    }
}
