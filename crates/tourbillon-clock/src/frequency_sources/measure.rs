//! The frequency by measurement: the only rung that waits.

use crate::{Anchor, Clock, Frequency, FrequencyFrom, os};

/// How long the counter is watched. With brackets of 30 ns the bound is 30 ppm.
const BASELINE_NS: u64 = 1_000_000;

/// How often the baseline is doubled where the reference is too coarse for it: up to 64 ms, four
/// steps of the coarsest reference there is.
const DOUBLINGS: u32 = 6;

/// Watches the counter for a millisecond of the reference clock.
///
/// The bound is hard, and rough; the [`CrossCheck`](crate::CrossCheck) over the whole run gives the
/// better figure.
pub(super) fn frequency(clock: &Clock) -> Frequency {
    let first = Anchor::take(clock);
    let began = os::reference_ns();
    for doubling in 0..=DOUBLINGS {
        while os::reference_ns().saturating_sub(began) < BASELINE_NS << doubling {
            std::hint::spin_loop();
        }
        if let Some(measured) = Frequency::between(&first, &Anchor::take(clock)) {
            return measured;
        }
    }
    Frequency {
        from: FrequencyFrom::Assumed,
        error_ppm: None,
        ..Frequency::of_nanoseconds()
    }
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use crate::counter::Counter;

    #[test]
    fn a_measured_frequency_has_a_bound() {
        let clock = Clock::by_name(Counter::NAME).unwrap();
        let measured = frequency(&clock);
        assert_eq!(measured.from, FrequencyFrom::Measured);
        assert!(measured.error_ppm.is_some_and(|ppm| ppm > 0.0));
    }
}
