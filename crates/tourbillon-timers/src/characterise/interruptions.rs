//! What takes the processor away from a program that only reads the clock.

use super::Periodicity;
use super::spread::median_of_sorted;
use tourbillon_clock::{Frequency, Ticks};

/// A stretch between two readings in a row that is too long to be the cost of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The reading before it, counted from the first of the watch.
    pub at: Ticks,
    /// Its length.
    pub length: Ticks,
}

/// The interruptions of this machine while one thread watched the clock.
///
/// # Accuracy
///
/// It sees everything that stops the program, whoever does it: interrupts, other programs, the
/// hypervisor, firmware. It cannot tell them apart, nor see anything shorter than the
/// [`threshold_ns`](Interruptions::threshold_ns); and it holds for the moment at which it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interruptions {
    /// How many there were.
    pub count: u64,
    /// How long the clock was watched, in nanoseconds.
    pub watched_ns: f64,
    /// The shortest gap that counts, in nanoseconds.
    pub threshold_ns: f64,
    /// How many there are in a second.
    pub per_second: f64,
    /// Share of the time that they take, 0 to 1.
    pub share: f64,
    /// Their median length, in nanoseconds; `None` without any.
    pub typical_ns: Option<f64>,
    /// The length of the longest, in nanoseconds; `None` without any.
    pub worst_ns: Option<f64>,
    /// The period in which they come, where they do.
    pub periodicity: Option<Periodicity>,
}

impl Interruptions {
    /// Sums up the gaps of at least `threshold` that came in a watch of the length `watched`.
    ///
    /// `None` for a watch of no length.
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
}
