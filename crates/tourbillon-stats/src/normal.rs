//! Density and upper tail of the standard normal distribution, from additions, products and
//! quotients only: the exponential function differs in the last bits between platforms.

/// Density at `z >= 0`; 0 from 37.7 on.
pub(crate) fn density(z: f64) -> f64 {
    /// 1 / sqrt(2 pi).
    const AT_ZERO: f64 = 0.398_942_280_401_432_7;

    // exp(z^2 / 2): the series for the fraction, whose remainder after 20 terms is 1e-20, times e
    // for each whole. Each product is off by half of EPSILON: the error grows with z^2 / 2.
    let exponent = z * z / 2.0;
    let whole = exponent.min(1_000.0).trunc();
    let (mut term, mut power) = (1.0, 1.0);
    for k in 1..=20_u32 {
        term *= (exponent - whole) / f64::from(k);
        power += term;
    }
    for _ in 0..whole as u32 {
        power *= std::f64::consts::E;
    }
    AT_ZERO / power
}

/// Probability of a value above `z >= 0`; relative error below 1e-12 where it is not 0.
///
/// Below 3, Marsaglia's series, "Evaluating the normal distribution", Journal of Statistical
/// Software 11(4) (2004), p. 2; above, where the series cancels, Laplace's continued fraction
/// (Abramowitz and Stegun, 26.2.14).
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_stats::upper_tail(0.0), 0.5);
/// assert!((tourbillon_stats::upper_tail(1.96) - 0.025).abs() < 1e-4);
/// ```
pub fn upper_tail(z: f64) -> f64 {
    if z < 3.0 {
        // z + z^3 / 3 + z^5 / (3 5) + ..; the remainder after 45 terms is 1e-26 at z = 3.
        let (mut term, mut sum) = (z, z);
        for k in 1..=45_u32 {
            term *= z * z / f64::from(2 * k + 1);
            sum += term;
        }
        0.5 - density(z) * sum
    } else {
        // 1 / (z + 1 / (z + 2 / (z + 3 / ..))); after 60 terms the remainder is below 1e-16 at z = 3.
        let mut below = z;
        for k in (1..=60_u32).rev() {
            below = z + f64::from(k) / below;
        }
        density(z) / below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tail_agrees_with_tables() {
        // Approximate by nature; the figures are erfc(z / sqrt 2) / 2 to 16 digits.
        let table = [
            (0.0, 0.5),
            (0.1, 0.460_172_162_722_971),
            (1.0, 0.158_655_253_931_457_07),
            (1.959_963_984_540_054, 0.025_000_000_000_000_02),
            (3.0, 1.349_898_031_630_095_7e-3),
            (2.9999, 1.350_341_282_954_924_8e-3),
            (4.0, 3.167_124_183_311_996_5e-5),
            (5.0, 2.866_515_718_791_946e-7),
            (6.0, 9.865_876_450_377_012e-10),
            (8.0, 6.220_960_574_271_819e-16),
            (15.0, 3.670_966_199_312_859_4e-51),
            (30.0, 4.906_713_927_148_764e-198),
        ];
        for (z, tail) in table {
            let found = upper_tail(z);
            assert!((found / tail - 1.0).abs() < 1e-12, "z = {z}: {found:e}");
        }
    }

    #[test]
    fn tail_falls_across_the_seam() {
        let mut before = 0.500_000_1;
        for step in 0..3_000 {
            let tail = upper_tail(f64::from(step) / 100.0);
            assert!(tail < before, "step {step}");
            before = tail;
        }
    }

    #[test]
    fn the_tail_is_what_the_density_sums_up_to() {
        // Approximate: Simpson's rule with steps of 1/1024, whose error is below 1e-12.
        let h = 1.0 / 1024.0;
        let at = |step: u32| density(f64::from(step) * h);
        for end in [512_u32, 2048, 4096, 6144] {
            let inner: f64 = (1..end)
                .map(|i| at(i) * if i % 2 == 1 { 4.0 } else { 2.0 })
                .sum();
            let area = h / 3.0 * (at(0) + inner + at(end));
            assert!((0.5 - area - upper_tail(f64::from(end) * h)).abs() < 1e-12);
        }
    }
}
