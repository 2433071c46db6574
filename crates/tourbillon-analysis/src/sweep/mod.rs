//! How time grows with size: method `sweep-2`.
//!
//! 1. A size has the median of its launches and their interval; a local exponent is the slope of ln(time) over ln(size)
//!    between two sizes; the scatter is the larger of the median interval and the median deviation from the next sizes.
//! 2. The deviation of a size is the larger of its own interval and the scatter, and `MISFIT`, their squares added.
//! 3. Each model g of 1, log n, n, n log n, n^2 and n^3 is fitted as c0 h(n) + c1 g(n) with each slower model h, or
//!    without one, neither negative, by least squares of relative errors divided by deviations; g is at least `LEADS`
//!    of the time, except next to a constant. It *fits* when its residuals are at most `FIT`, and `WORSE` times those
//!    of the best fit.
//! 4. Where no model fits, local exponents that jump by `KINK` and by `KINK_INTERVALS` of their intervals are kinks;
//!    they are discarded.
//! 5. A model *follows* when the median of the local exponents of the upper two thirds differs from its own by no
//!    more than its error and `FLOOR`; or when that of the lower half does, and those of the upper half are not lower:
//!    caches make steps slower.
//! 6. Compatible are the models that fit, and those that follow, except where another fits `WORSE` times better.
//! 7. A single model that only follows is joined by the next one in the direction of the Theil-Sen slope of
//!    ln(time / g), where that differs from zero by its error and `FLOOR`.
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
