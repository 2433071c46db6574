//! Whether events come in a beat.

use std::f64::consts::TAU;

/// Fewest events that can show a period.
const FEWEST: usize = 8;
/// Highest rate that is looked for, per second: no system's timer interrupts more often.
const HIGHEST_RATE: f64 = 2_500.0;
/// Most rates that are looked at: bounds the work where the watch was long.
const MOST_RATES: usize = 20_000;
/// Rates looked at per `1 / duration`, the width of a peak: the worst case loses a tenth.
const PER_PEAK: f64 = 4.0;
/// Largest probability that events at random show a period.
const CHANCE: f64 = 1e-6;

/// The beat of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodicity {
    /// The period, in nanoseconds.
    pub period_ns: f64,
    /// How sharply the events keep it: 1 where all come at one phase, near 0 where at any.
    pub sharpness: f64,
}

impl Periodicity {
    /// The longest period in which the events at `starts` come, of a watch of `watched_ns`, both in
    /// nanoseconds; `None` where their phases do not differ from chance.
    ///
    /// Rayleigh's test (Lord Rayleigh, Philosophical Magazine 37, 1919) at each rate of a grid: `n`
    /// events at random have a mean phase vector `R` with `P(n R^2 > z) = exp(-z)`. A beat also
    /// peaks at every multiple of its rate; the lowest rate near the highest peak is the beat.
    ///
    /// # Cost
    ///
    /// Proportional to the number of events and to the length of the watch, at most 20 000
    /// multiplications of complex numbers per event.
    #[must_use]
    pub fn of(starts: &[f64], watched_ns: f64) -> Option<Periodicity> {
        let seconds = watched_ns * 1e-9;
        if starts.len() < FEWEST || seconds.is_nan() || seconds <= 0.0 {
            return None;
        }
        let step = 1.0 / (PER_PEAK * seconds);
        let rates = ((HIGHEST_RATE / step) as usize).min(MOST_RATES);
        let powers = powers(starts, step, rates);
        // A period must fit into the watch several times to be one.
        let lowest = (3.0 * PER_PEAK) as usize;
        let candidates = powers.get(lowest..)?;
        let highest = candidates.iter().copied().fold(0.0, f64::max);
        let needed = (rates as f64 / CHANCE).ln();
        if highest < needed {
            return None;
        }
        let threshold = needed.max(0.7 * highest);
        let first = lowest + candidates.iter().position(|&power| power >= threshold)?;
        // The top of the peak that begins there.
        let peak = (first..rates.min(first + 2 * PER_PEAK as usize))
            .max_by(|&a, &b| powers[a].total_cmp(&powers[b]))?;
        let rate = (peak as f64 + refined(&powers, peak)) * step;
        let starts_at_rate = power(starts, rate);
        Some(Periodicity {
            period_ns: 1e9 / rate,
            sharpness: (starts_at_rate / starts.len() as f64).sqrt(),
        })
    }
}

/// `n R^2` at 0, 1, 2.. times `step`, which is in events per second.
fn powers(starts: &[f64], step: f64, rates: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); rates];
    for &start in starts {
        let (turn_sin, turn_cos) = (TAU * (start * 1e-9 * step).fract()).sin_cos();
        let (mut cos, mut sin) = (1.0, 0.0);
        for sum in &mut sums {
            sum.0 += cos;
            sum.1 += sin;
            (cos, sin) = (
                cos * turn_cos - sin * turn_sin,
                sin * turn_cos + cos * turn_sin,
            );
        }
    }
    let count = starts.len() as f64;
    sums.into_iter()
        .map(|(cos, sin)| (cos * cos + sin * sin) / count)
        .collect()
}

/// `n R^2` at one rate.
fn power(starts: &[f64], rate: f64) -> f64 {
    let (mut cos, mut sin) = (0.0, 0.0);
    for &start in starts {
        let (y, x) = (TAU * (start * 1e-9 * rate).fract()).sin_cos();
        cos += x;
        sin += y;
    }
    (cos * cos + sin * sin) / starts.len() as f64
}

/// Where between its neighbours the top of a peak is, by a parabola through the three.
fn refined(powers: &[f64], peak: usize) -> f64 {
    let at = |index: Option<usize>| index.and_then(|index| powers.get(index)).copied();
    let (Some(before), Some(after)) = (at(peak.checked_sub(1)), at(peak.checked_add(1))) else {
        return 0.0;
    };
    let curvature = before - 2.0 * powers[peak] + after;
    if curvature < 0.0 {
        ((before - after) / (2.0 * curvature)).clamp(-0.5, 0.5)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1 that look random.
    fn noise(count: usize) -> Vec<f64> {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn a_timer_is_found_among_other_events() {
        // 250 a second, 3 us early or late, and as many at random.
        let watched = 2e9;
        let jitter = noise(500);
        let mut starts: Vec<f64> = (0..500)
            .map(|beat| 1_234_567.0 + 4e6 * beat as f64 + 6e3 * (jitter[beat] - 0.5))
            .collect();
        starts.extend(noise(1_000)[500..].iter().map(|at| at * watched));
        let found = Periodicity::of(&starts, watched).unwrap();
        assert!((found.period_ns / 4e6 - 1.0).abs() < 1e-3, "{found:?}");
        assert!((0.4..0.6).contains(&found.sharpness), "{found:?}");
    }

    #[test]
    fn a_perfect_beat_is_sharp_and_not_taken_for_a_multiple() {
        for rate in [100.0, 300.0, 1_000.0] {
            let starts: Vec<f64> = (0..200).map(|beat| 1e9 / rate * beat as f64).collect();
            let found = Periodicity::of(&starts, 200e9 / rate).unwrap();
            assert!(
                (found.period_ns * rate / 1e9 - 1.0).abs() < 1e-3,
                "{rate}: {found:?}"
            );
            assert!(found.sharpness > 0.95, "{found:?}");
        }
    }

    #[test]
    fn events_at_random_have_no_period() {
        let starts: Vec<f64> = noise(1_000).iter().map(|at| at * 2e9).collect();
        assert_eq!(Periodicity::of(&starts, 2e9), None);
    }

    #[test]
    fn too_few_events_have_no_period() {
        let starts: Vec<f64> = (0..7).map(|beat| 4e6 * f64::from(beat)).collect();
        assert_eq!(Periodicity::of(&starts, 28e6), None);
        assert_eq!(Periodicity::of(&[1.0; 20], 0.0), None);
    }
}
