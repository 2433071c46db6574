//! How time grows with size: method `sweep-1`.
//!
//! 1. Each size has the median of its launches and their interval; the local exponent between two sizes is the slope
//!    of ln(time) over ln(size) between them.
//! 2. The scatter of the sizes is the larger of two: the median width of the intervals, and what the sizes deviate
//!    from the line between their neighbours (median absolute deviation).
//! 3. Each model g of 1, log n, n, n log n, n^2 and n^3 is fitted as c0 + c1 g(n), neither negative, by least
//!    squares of relative errors; a model whose residuals are at most `FIT` scatters *fits*.
//! 4. Where no model fits, kinks are looked for: local exponents that differ from those around them by
//!    `KINK` and by `KINK_ERRORS` errors, and by their interval besides; they are discarded.
//! 5. A model *follows* when the median of the local exponents of the upper two thirds differs from its own by no
//!    more than its error and `FLOOR`.
//! 6. Without a fit and without kinks, a model follows too when the difference is beyond its error in the first half of
//!    these exponents and falls to `HALF` of that in the second: lower-order terms vanish.
//! 7. Compatible are the models that fit, and those that follow, except where another fits
//!    `WORSE` times better.
//! 8. A single model that follows by rule 5 alone is joined by the next one in the direction in which
//!    the Theil-Sen slope of ln(time / g) differs from zero by its error and `TREND`.
//! 9. The exponent is that between the ends of the last stretch without a kink, at most a decade long; its interval is
//!    that of the two ends.
//! 10. A limit is exceeded when every compatible model and the lower end of the exponent are above it.

mod cache;
mod curve;
mod fit;
mod growth;
mod limits;
mod model;
mod point;
mod series;

pub use cache::{Cache, caches};
pub use curve::{Exponent, Kink};
pub use growth::{Compatible, Refused, Sweep};
pub use limits::SWEEP_METHOD;
pub use model::Model;
pub use point::Point;
pub use series::{Series, series, size_of};
