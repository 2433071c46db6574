//! What a time source is like, from its readings alone.
//!
//! Two layers: [`Collector`] reads, in a few loops without analysis. The rest analyses: numbers in, numbers
//! out, so every judgement is tested on readings whose truth is known.
//!
//! Four figures are distinguished that are often confused:
//!
//! | figure | question | here |
//! |---|---|---|
//! | nominal tick | in which unit does it count? | [`Frequency`](tourbillon_clock::Frequency) |
//! | granularity | by how much do its readings advance? | [`Granularity`] |
//! | observed resolution | how far apart are two different readings? | [`Observed`] |
//! | cost | how long does a reading take? | [`Cost`] |
//!
//! The observed resolution is a property of the source only if the source is coarser than the cost of a
//! reading. If it is finer, two consecutive readings always differ, and their difference is the cost:
//! [`Regime`] distinguishes the two cases.
//!
//! Differences are signed. A negative one is counted and reported; none is ever clamped.

mod collect;
mod deltas;
mod figures;
mod granularity;
mod hardware;
mod interruptions;
mod regime;

pub use collect::{Collector, Effort};
pub use deltas::{Deltas, Negatives};
pub use figures::{Cost, Observed, Spread, Unobserved};
pub use granularity::{Granularity, Step};
pub use hardware::Hardware;
pub use interruptions::{Gap, Interruptions, Periodicity};
pub use regime::Regime;
