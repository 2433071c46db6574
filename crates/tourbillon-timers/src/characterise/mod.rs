//! What a time source is like, seen from its readings alone.
//!
//! Two layers. [`Collector`] reads: a few loops without judgement. The rest analyses: numbers in,
//! numbers out, so that every judgement is tested on readings whose truth is known.
//!
//! Four figures that are often taken for one are kept apart:
//!
//! | figure | question | here |
//! |---|---|---|
//! | nominal tick | in which unit does it count? | [`Frequency`](tourbillon_clock::Frequency) |
//! | granularity | by how much do its readings advance? | [`Granularity`] |
//! | observed resolution | how far apart are two different readings? | [`Observed`] |
//! | cost | how long does a reading take? | [`Cost`] |
//!
//! The observed resolution says something about the source only where the source is coarser than
//! its own cost. Where it is finer, two readings in a row always differ, and their difference is the
//! cost: [`Regime`] says which of the two it is.
//!
//! Differences are signed. One that is negative is counted, kept and shown; none is ever clamped.

mod bump;
mod collect;
mod cost;
mod deltas;
mod granularity;
mod hardware;
mod interruptions;
mod observed;
mod period;
mod periodicity;
mod regime;
mod spread;

#[cfg(test)]
mod golden;

pub use collect::{Collector, Effort};
pub use cost::Cost;
pub use deltas::{Deltas, Negatives};
pub use granularity::{Granularity, Step};
pub use hardware::Hardware;
pub use interruptions::{Gap, Interruptions};
pub use observed::{Observed, Unobserved};
pub use periodicity::Periodicity;
pub use regime::Regime;
pub use spread::Spread;
