use crate::text::owned;
use tourbillon_clock::{Clock, Ticks};
use tourbillon_engine::{Arm, Limits, Reading};
use tourbillon_record::BatchShape;

/// A benchmark that contradicts itself: its case fails with the reason when it is to be run.
pub(super) struct Refused<'w>(pub(super) &'w str);

impl Arm for Refused<'_> {
    fn batch(&mut self, _clock: &Clock, _shape: BatchShape) -> Reading {
        Reading {
            ticks: Ticks(0),
            pauses: 0,
        }
    }

    fn first(&mut self, _clock: &Clock) -> Result<Reading, String> {
        Err(owned(self.0))
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: None,
            unrolls: false,
            pauses: false,
        }
    }
}
