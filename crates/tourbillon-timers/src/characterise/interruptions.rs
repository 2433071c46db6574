//! Interruptions of a program that only reads the clock, and their period.

use std::f64::consts::TAU;

use tourbillon_clock::{Frequency, Ticks};

use super::figures::median_of_sorted;

/// A time between two consecutive readings that is too long to be the cost of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The reading before it, relative to the first reading.
    pub at: Ticks,
    /// Its length.
    pub length: Ticks,
}

/// The interruptions of a thread that read the clock all the time.
///
/// # Accuracy
///
/// Includes everything that stops the program: interrupts, other programs, the hypervisor, firmware. It
/// cannot distinguish them, and sees nothing shorter than the
/// [`threshold_ns`](Interruptions::threshold_ns). It holds for the time of the observation only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interruptions {
    /// Number of interruptions.
    pub count: u64,
    /// Length of the observation, in nanoseconds.
    pub watched_ns: f64,
    /// The shortest gap that counts, in nanoseconds.
    pub threshold_ns: f64,
    /// Number per second.
    pub per_second: f64,
    /// Share of the time that they take, 0 to 1.
    pub share: f64,
    /// Their median length, in nanoseconds; `None` without any.
    pub typical_ns: Option<f64>,
    /// The length of the longest, in nanoseconds; `None` without any.
    pub worst_ns: Option<f64>,
    /// Their period, if they have one.
    pub periodicity: Option<Periodicity>,
}

impl Interruptions {
    /// Summarises the gaps of at least `threshold` in an observation of length `watched`.
    ///
    /// `None` for a length of zero.
    #[must_use]
    pub fn of(
        gaps: &[Gap],
        watched: Ticks,
        threshold: Ticks,
        frequency: &Frequency,
    ) -> Option<Interruptions> {
        let watched_ns = frequency.nanos(watched);
        if watched.0 == 0 {
            return None;
        }
        let counted = gaps.iter().filter(|gap| gap.length >= threshold);
        let (starts, mut lengths): (Vec<f64>, Vec<f64>) = counted
            .map(|gap| (frequency.nanos(gap.at), frequency.nanos(gap.length)))
            .unzip();
        lengths.sort_unstable_by(f64::total_cmp);
        Some(Interruptions {
            count: lengths.len() as u64,
            watched_ns,
            threshold_ns: frequency.nanos(threshold),
            per_second: lengths.len() as f64 / watched_ns * 1e9,
            share: lengths.iter().sum::<f64>() / watched_ns,
            typical_ns: median_of_sorted(&lengths),
            worst_ns: lengths.last().copied(),
            periodicity: Periodicity::of(&starts, watched_ns),
        })
    }
}

/// Fewest events that can show a period.
const FEWEST: usize = 8;
/// Highest rate that is tried, per second: no system's timer interrupts more often.
const HIGHEST_RATE: f64 = 2_500.0;
/// Most rates that are tried, which bounds the work for a long observation.
const MOST_RATES: usize = 20_000;
/// Rates per `1 / duration`, the width of a peak: the worst case loses a tenth of the peak.
const PER_PEAK: f64 = 4.0;
/// Largest probability that random events show a period.
const CHANCE: f64 = 1e-6;

/// The period of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodicity {
    /// The period, in nanoseconds.
    pub period_ns: f64,
    /// How sharply the events keep it: 1 if all have the same phase, near 0 for random phases.
    pub sharpness: f64,
}

impl Periodicity {
    /// The longest period of the events at `starts` in an observation of `watched_ns`, both in nanoseconds;
    /// `None` if their phases look random, or if there are more of them than a timer makes, as in an emulator, where
    /// most readings take long.
    ///
    /// Rayleigh's test (Lord Rayleigh, Philosophical Magazine 37, 1919) at each rate of a grid: `n`
    /// random events have a mean phase vector `R` with `P(n R^2 > z) = exp(-z)`. A period also peaks at
    /// every multiple of its rate; the lowest rate near the highest peak is the result.
    ///
    /// # Cost
    ///
    /// Proportional to the number of events and to the length of the observation, at most 20 000 complex
    /// multiplications per event and 2 500 events per second.
    #[must_use]
    pub fn of(starts: &[f64], watched_ns: f64) -> Option<Periodicity> {
        let seconds = watched_ns * 1e-9;
        let is_possible = (FEWEST as f64..=HIGHEST_RATE * seconds).contains(&(starts.len() as f64));
        if !is_possible {
            return None;
        }
        let step = 1.0 / (PER_PEAK * seconds);
        let rates = ((HIGHEST_RATE / step) as usize).min(MOST_RATES);
        let powers = powers(starts, step, rates);
        // A period must fit into the observation several times.
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
        let power = self::powers(starts, rate, 2)[1];
        Some(Periodicity {
            period_ns: 1e9 / rate,
            sharpness: (power / starts.len() as f64).sqrt(),
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

/// The offset of a peak between the adjacent rates, by a parabola through the three.
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
    use tourbillon_clock::FrequencyFrom;

    fn frequency() -> Frequency {
        Frequency::new(1_000_000_000, 1, FrequencyFrom::Script, None).unwrap()
    }

    fn gap(at: u64, length: u64) -> Gap {
        Gap {
            at: Ticks(at),
            length: Ticks(length),
        }
    }

    #[test]
    fn gaps_are_summed_up() {
        let gaps = [
            gap(5, 999),
            gap(10_000, 2_000),
            gap(600_000, 3_000),
            gap(700_000, 45_000),
        ];
        let found = Interruptions::of(&gaps, Ticks(1_000_000), Ticks(1_000), &frequency()).unwrap();
        assert_eq!(found.count, 3);
        assert_eq!(found.per_second, 3_000.0);
        assert_eq!(found.share, 0.05);
        assert_eq!(found.typical_ns, Some(3_000.0));
        assert_eq!(found.worst_ns, Some(45_000.0));
        assert_eq!(found.periodicity, None);
    }

    #[test]
    fn a_quiet_machine_has_no_typical_gap() {
        let found = Interruptions::of(&[], Ticks(1_000), Ticks(100), &frequency()).unwrap();
        assert_eq!((found.count, found.per_second, found.share), (0, 0.0, 0.0));
        assert_eq!((found.typical_ns, found.worst_ns), (None, None));
        assert_eq!(
            Interruptions::of(&[], Ticks(0), Ticks(100), &frequency()),
            None
        );
    }

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
    fn a_perfect_period_is_sharp_and_not_a_multiple() {
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
    fn more_events_than_of_a_timer_have_no_period() {
        let starts: Vec<f64> = (0..2_501).map(|beat| 401e3 * f64::from(beat)).collect();
        assert!(Periodicity::of(&starts[..2_500], 1e9).is_some());
        assert_eq!(Periodicity::of(&starts, 1e9), None);
    }

    #[test]
    fn random_events_have_no_period() {
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
