//! How time grows with size: method `sweep-1`.
//!
//! 1. A size has the median of its launches and their interval; a local exponent is the slope of ln(time) over ln(size)
//!    between two sizes; the scatter is the larger of the median interval and the median deviation from the next sizes.
//! 2. Each model g of 1, log n, n, n log n, n^2 and n^3 is fitted as c0 + c1 g(n), neither negative, by least
//!    squares of relative errors; it *fits* when its residuals are at most `FIT` scatters.
//! 3. Where no model fits, local exponents that jump by `KINK` and by `KINK_INTERVALS` of their intervals are kinks;
//!    they are discarded.
//! 4. A model *follows* when the median of the local exponents of the upper two thirds differs from its own by no
//!    more than its error and `FLOOR`; log n up to log^2 n, because its steps get slower where they leave the caches.
//! 5. Without a fit and without kinks, it follows too when that difference is beyond its error in the first half of
//!    these exponents and, in the second, half of that at most, or for a slower growth within its error: lower-order
//!    terms vanish.
//! 6. Compatible are the models that fit, and those that follow, except where another fits `WORSE` times better.
//! 7. A single model that neither fits nor halves that difference is joined by the next one in the direction of the
//!    Theil-Sen slope of ln(time / g), where that differs from zero by its error and `TREND`.
//! 8. The exponent is that between the ends of the last stretch without a kink, at most a decade long; its interval is
//!    that of the two ends.
//! 9. A limit is exceeded when every compatible model is faster, and the lower end of the exponent is above that of the
//!    limit by more than `CACHES`.

mod cache;
mod curve;
mod fit;
mod growth;
mod limits;
mod model;
mod point;
mod series;

pub use cache::{Cache, bytes_per_size, caches};
pub use curve::{Exponent, Kink};
pub use growth::{Compatible, Refused, Sweep};
pub use limits::SWEEP_METHOD;
pub use model::Model;
pub use point::Point;
pub use series::{Series, series, series_by, size_of};
