//! What results are made by, apart from samples.

use tourbillon_record::Header;
use tourbillon_stats::{Confidence, LAUNCHES, looks};

use crate::Frequency;

/// What holds for all results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Ticks per second of the measuring clock.
    pub frequency: Frequency,
    /// Confidence of the intervals.
    pub confidence: Confidence,
    /// Bytes of the caches that a core has to itself; `None` where that is unknown.
    pub core_cache_bytes: Option<u64>,
}

impl Rules {
    /// The rules by which a run with this header makes its results; `None` for a header without a frequency of the
    /// clock, or with a confidence that is none.
    pub fn of(header: &Header) -> Option<Rules> {
        Some(Rules {
            frequency: Frequency::of(&header.clock)?,
            confidence: Confidence::new(header.settings.confidence).ok()?,
            core_cache_bytes: header.core_cache_bytes(),
        })
    }

    /// Fewest launches of an interval across processes.
    pub fn needed(&self) -> u32 {
        u32::try_from(self.confidence.values_needed()).unwrap_or(u32::MAX)
    }

    /// The confidence of a single interval: higher where it is one of several looks.
    pub(crate) fn of_one_interval(&self, is_one_look: bool) -> Confidence {
        if !is_one_look {
            return self.confidence;
        }
        let [first, ..] = looks(LAUNCHES, self.confidence);
        first.confidence
    }
}

/// What happened to a case, apart from its launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Launches that failed.
    pub failed: u32,
    /// Launches requested, when the budget allowed fewer.
    pub shortened_from: Option<u32>,
    /// What the launches took in nanoseconds, when more were requested than the budget allows.
    pub took_ns: Option<u64>,
    /// Whether the interval was looked at while launches were still being made, so that the looks share
    /// its error.
    pub looks: bool,
}
