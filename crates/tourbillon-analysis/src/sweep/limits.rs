//! The constants of the method. What sets each is a cell of `scripts/sim.sh sweeps`, or a definition.

/// Name and version of the method.
pub const SWEEP_METHOD: &str = "sweep-2";

/// Fewest sizes. Definition: with five, a constant, a factor and a bend leave two residuals.
pub(super) const SIZES: usize = 6;

/// Least ratio of the largest size to the smallest. Definition: below, n and n log n with a constant are one curve.
pub(super) const SPAN: f64 = 16.0;

/// Half-width of a normal interval at 99 %, in standard deviations.
pub(super) const NORMAL_99: f64 = 2.5758;

/// The scatter about the next sizes is multiplied by 1 + this / (sizes - 2), because the median of few deviations is
/// too low: with 0, `n, six sizes by fours` with noise that no launch shows has its exponent covered in 85 %, not 95 %.
pub(super) const FEW: f64 = 3.0;

/// Relative standard deviation of what no model has, as branches and strategies that change with the size: with 0,
/// `log n + 30` with noise that no launch shows loses its model in 3 %; the sorts of the standard library need 0.8 %.
pub(super) const MISFIT: f64 = 0.01;

/// Residuals of a model that fits, in deviations: with 1, `n^2 + 50 n, six sizes` is held within n log n; with 3,
/// `n / log n` at 5 % gets a single model in 55 %.
pub(super) const FIT: f64 = 1.5;

/// Least share of the time that a model has next to a slower one: with 0, `n sqrt n, six sizes` at 5 % gets a single model
/// in half of all sweeps; with 0.5, `n^2 + 13 n log n` loses its own.
pub(super) const LEADS: f64 = 1.0 / 3.0;

/// How many times larger residuals may be than those of the best fit: with 2, `n, slow cache` at 5 % loses its model;
/// with 100, `n^2, six sizes` at 5 % is held within n log n in 5 %.
pub(super) const WORSE: f64 = 4.0;

/// Difference of exponents that is compatible without any scatter: with 0, `n log n - n` at 0.3 % loses its model; with
/// 0.1, `n / log n` gets a single one.
pub(super) const FLOOR: f64 = 0.03;

/// Least jump of a local exponent that is a kink. Definition: 15 % between doubled sizes.
pub(super) const KINK: f64 = 0.2;

/// Intervals of the local exponent that a kink exceeds in addition: with 1, `n / log n` at 5 % gets a single model.
pub(super) const KINK_INTERVALS: f64 = 2.0;

/// Ratio of sizes over which the exponent is taken, at most where there are enough sizes. Definition.
pub(super) const DECADE: f64 = 10.0;

/// What caches may add to an exponent before a limit is exceeded. Definition: more than a factor of log n from 16 on.
pub(super) const CACHES: f64 = 0.25;

/// A cache is next to a kink within this factor. Definition.
pub(super) const NEAR: f64 = 2.0;
