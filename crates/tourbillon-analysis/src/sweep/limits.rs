//! The constants of the method, each with the cell of `scripts/sim.sh sweeps` that sets it.

/// Name and version of the method.
pub const SWEEP_METHOD: &str = "sweep-1";

/// Fewest sizes. With five, a fit with a constant has too few residuals to be rejected.
pub(super) const SIZES: usize = 6;

/// Least ratio of the largest size to the smallest. Below, n and n log n with a constant are one curve.
pub(super) const SPAN: f64 = 16.0;

/// Errors on either side of a normal interval at 99 %. With 1.6, `n, ramp` at 5 % is not in its set.
pub(super) const NORMAL_99: f64 = 2.5758;

/// Scatter of the neighbours is divided by 1 - this / sizes: few of them underestimate it. With 0, `log^2 n` at 5 %
/// gets a single model; with 8, `sqrt n, six sizes` at 1 % does.
pub(super) const FEW: f64 = 3.0;

/// Residuals of a model that fits, in scatters. With 4, `n / log n` and `n^0.7` at 5 % get a single model.
pub(super) const FIT: f64 = 2.0;

/// How many times larger the residuals of a model that follows may be than those of the best fit. With 2,
/// `n, ramp` at 5 % is not in its set; without, `log n + 30` at 1 % gets two models.
pub(super) const WORSE: f64 = 4.0;

/// Difference of exponents that is compatible without any scatter: caches and lower-order terms. With 0.015,
/// `sort` of the examples lose n log n; with 0.06, n log n at 1 % gets two models.
pub(super) const FLOOR: f64 = 0.03;

/// What is left of a difference that vanishes, as a share. With 0.25, `n^2 + 86 n, six sizes` is not in its set; with
/// 0.8, `n / log n` at 0.3 % gets a single model.
pub(super) const HALF: f64 = 0.5;

/// Slope of ln(time / g) at which a single model is doubted. With 1, `n / log n` and `log^2 n` at 5 % get one.
pub(super) const TREND: f64 = 0.04;

/// Least jump of a local exponent that is a kink. With 0.1, `n^3 + 10 n^2` at 1 % is not in its set.
pub(super) const KINK: f64 = 0.2;

/// The same in errors. With 3, `n / log n` and `log^2 n` at 5 % get a single model.
pub(super) const KINK_ERRORS: f64 = 6.0;

/// Ratio of sizes over which the exponent is taken, at most where there are enough sizes.
pub(super) const DECADE: f64 = 10.0;

/// By how much the exponent alone must exceed a limit where no model is compatible. Without, `n, slow caches`
/// exceeds n.
pub(super) const MARGIN: f64 = 0.25;

/// How much nearer a cache must be than this factor to be named at a kink.
pub(super) const NEAR: f64 = 2.0;
