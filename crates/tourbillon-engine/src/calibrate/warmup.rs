//! Warming up, which ends when two doubling windows agree.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Warmup};
use tourbillon_stats::sort;

use crate::arm::Arm;

/// Two windows agree when their medians differ by at most this fraction, whatever their scatter.
const AGREE: f64 = 0.01;
/// Or by this many standard errors of the difference.
const ERRORS: f64 = 3.0;
/// Fewest values that have a scatter.
const SCATTER_FROM: usize = 4;
/// Standard error of a median of normal values, for one value and in median absolute deviations.
const MEDIAN_ERROR: f64 = 1.2533 * 1.4826;

/// Runs windows of 1, 2, 4, .. short batches until the medians of two successive ones agree, or `most`
/// ticks are spent; then a long batch, unless it takes longer than all of these may. It may keep more alive at once than
/// those before it: the memory for that is touched for the first time here, not in the samples.
pub(crate) fn warm_up(arm: &mut dyn Arm, clock: &Clock, length: BatchShape, most: u64) -> Warmup {
    let start = clock.now();
    let mut warmup = Warmup::default();
    let mut before: Option<f64> = None;
    let mut window: Vec<f64> = Vec::with_capacity(64);
    let mut size = 1;
    while !warmup.settled && warmup.ticks < most {
        window.clear();
        while window.len() < size && warmup.ticks < most {
            window.push(arm.batch(clock, length).ticks.0 as f64);
            warmup.batches += 1;
            warmup.ticks = clock.now().0.wrapping_sub(start.0);
        }
        let now = median(&mut window);
        warmup.settled = before.is_some_and(|before| agree(before, now, &mut window));
        before = Some(now);
        size *= 2;
    }
    let long = 2 * warmup.ticks / warmup.batches.max(1);
    if length.slope && long <= most {
        arm.batch(clock, length.times(2));
        warmup.batches += 1;
        warmup.ticks = clock.now().0.wrapping_sub(start.0);
    }
    warmup
}

/// Whether the median of a window is that of the window of half its size before it.
fn agree(before: f64, now: f64, window: &mut [f64]) -> bool {
    for value in &mut *window {
        *value = (*value - now).abs();
    }
    let whole = window.len() as f64;
    let scatter = if window.len() < SCATTER_FROM {
        0.0
    } else {
        median(window)
    };
    let error = MEDIAN_ERROR * scatter * (1.0 / whole + 2.0 / whole).sqrt();
    (now - before).abs() <= (AGREE * now).max(ERRORS * error)
}

/// The middle value, of two in the middle the upper one.
fn median(values: &mut [f64]) -> f64 {
    sort(values);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_agree_by_a_fraction_or_by_their_scatter() {
        let steady = || vec![1_000.0; 8];
        assert!(agree(1_009.0, 1_000.0, &mut steady()));
        assert!(!agree(1_011.0, 1_000.0, &mut steady()));
        // Deviations of 40 around the median: its standard error is 26 with that of the half.
        let noisy = || {
            vec![
                960.0, 1_040.0, 960.0, 1_040.0, 1_000.0, 960.0, 1_040.0, 1_000.0,
            ]
        };
        assert!(agree(1_060.0, 1_000.0, &mut noisy()));
        assert!(!agree(1_200.0, 1_000.0, &mut noisy()));
    }
}
