//! The constants of the method. What sets each is a cell of `scripts/sim.sh sweeps`, or a definition.

/// Name and version of the method.
pub const SWEEP_METHOD: &str = "sweep-1";

/// Fewest sizes. Definition: with five, a constant, a factor and a bend leave two residuals.
pub(super) const SIZES: usize = 6;

/// Least ratio of the largest size to the smallest. Definition: below, n and n log n with a constant are one curve.
pub(super) const SPAN: f64 = 16.0;

/// Half-width of a normal interval at 99 %, in standard deviations.
pub(super) const NORMAL_99: f64 = 2.5758;

/// The scatter about the next sizes is multiplied by 1 + this / (sizes - 2), because the median of few deviations is
/// too low: with 0, `n, six sizes by fours` with noise that no launch shows has its exponent covered in 85 %, not 95 %.
pub(super) const FEW: f64 = 3.0;

/// Residuals of a model that fits, in scatters: with 4, `n / log n` at 5 % gets a single model in 77 %; 2 is what the
/// scatter of six sizes may be off by.
pub(super) const FIT: f64 = 2.0;

/// How many times larger the residuals of a model that follows may be than those of the best fit: with 2,
/// `n, slow cache` at 5 % loses its model; without, `log n + 30` at 1 % gets two.
pub(super) const WORSE: f64 = 4.0;

/// Difference of exponents that is compatible without any scatter. With 0.06, `n, caches` at 1 % gets more than 1.5
/// models; n log n of the standard library's sorts needs 0.02.
pub(super) const FLOOR: f64 = 0.03;

/// What is left of a difference that vanishes, as a share: with 0.25, `n^2 + 50 n, six sizes` is held within n log n;
/// with 0.8, `n / log n` at 1 % gets a single model.
pub(super) const HALF: f64 = 0.5;

/// Slope of ln(time / g) at which a single model is doubted: with 0, `n log n - n` at 1 % gets two models; with 1,
/// `n / log n` at 5 % a single one.
pub(super) const TREND: f64 = 0.04;

/// Least jump of a local exponent that is a kink. Definition: 15 % between doubled sizes.
pub(super) const KINK: f64 = 0.2;

/// Intervals of the local exponent that a kink exceeds in addition: with 1, `n / log n` at 5 % gets a single model.
pub(super) const KINK_INTERVALS: f64 = 2.0;

/// Ratio of sizes over which the exponent is taken, at most where there are enough sizes. Definition.
pub(super) const DECADE: f64 = 10.0;

/// What caches may add to an exponent before a limit is exceeded: with 0.15, `n, caches from 2^14 on` fails n.
pub(super) const CACHES: f64 = 0.25;

/// A cache is next to a kink within this factor. Definition.
pub(super) const NEAR: f64 = 2.0;
