//! `--deltas`: the differences of consecutive readings, and interruptions.

mod json;
mod picture;
mod rows;
mod text;

use tourbillon_clock::{Frequency, Ticks};
use tourbillon_report::Style;
use tourbillon_timers::characterise::{Deltas, Interruptions};

use super::cells;

pub(super) use json::encode;
pub(super) use text::render;

/// The result of `--deltas` for one source.
pub(super) struct SourceDeltas {
    pub(super) source: String,
    /// `None` if a tick has no fixed length.
    pub(super) frequency: Option<Frequency>,
    /// Differences of consecutive readings.
    pub(super) reads: Deltas,
    /// Lengths of empty pairs.
    pub(super) pairs: Deltas,
    /// The clock that watched interruptions, and the result.
    pub(super) watched_with: String,
    pub(super) interruptions: Option<Interruptions>,
}

impl SourceDeltas {
    /// The size of a difference in nanoseconds, or in ticks without a fixed length; with sign.
    fn size(&self, ticks: i128) -> f64 {
        let Some(frequency) = self.frequency else {
            return ticks as f64;
        };
        // A difference of two 64-bit readings has 64 bits and a sign.
        let size = u64::try_from(ticks.unsigned_abs()).unwrap_or(u64::MAX);
        let ns = frequency.nanos(Ticks(size));
        if ticks < 0 { -ns } else { ns }
    }

    /// Such a size as text.
    fn shown(&self, size: f64, style: &Style) -> String {
        match self.frequency {
            Some(_) => cells::time(Some(size), style),
            None => format!("{size:.0} ticks"),
        }
    }
}

#[cfg(test)]
mod scripted {
    use tourbillon_clock::FrequencyFrom;
    use tourbillon_timers::characterise::Gap;

    use super::*;

    /// A source of 100 MHz with some jitter, one step back, and interruptions.
    pub(super) fn apart() -> SourceDeltas {
        let frequency = Frequency::new(100_000_000, 1, FrequencyFrom::Script, None);
        let frequency = frequency.expect("it is not zero");
        let mut reads = Deltas::of_counts(&[(-3, 1), (0, 931_768), (1, 66_462), (2_412, 1)]);
        for ticks in 2..30 {
            reads.add(ticks, 1_155 / ticks.unsigned_abs() as u64);
        }
        let gaps: Vec<Gap> = (0..500)
            .map(|beat| Gap {
                at: Ticks(beat * 400_000),
                length: Ticks(2_300),
            })
            .collect();
        SourceDeltas {
            source: "scripted".to_owned(),
            frequency: Some(frequency),
            reads,
            pairs: Deltas::of_counts(&[(2, 9_999_000), (3, 990), (80, 9), (70_000, 1)]),
            watched_with: "tsc".to_owned(),
            interruptions: Interruptions::of(&gaps, Ticks(200_000_000), Ticks(100), &frequency),
        }
    }
}
