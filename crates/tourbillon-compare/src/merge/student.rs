//! Quantiles of Student's t distribution, from additions, products, quotients and square roots only: other functions
//! differ in the last bits between platforms.

use std::f64::consts::{FRAC_2_PI, PI};

/// The value that the magnitude of t exceeds with a probability of `error`, 0 < `error` < 1, with `freedom` degrees
/// of freedom, at least one.
///
/// For errors above 1e-12; the probability is off by 1e-15.
pub(crate) fn two_sided(freedom: u32, error: f64) -> f64 {
    let (mut below, mut above) = (0.0, 1.0);
    while within(freedom, above) < 1.0 - error {
        above *= 2.0;
    }
    loop {
        let middle = below + (above - below) / 2.0;
        if middle <= below || middle >= above {
            return above;
        }
        if within(freedom, middle) < 1.0 - error {
            below = middle;
        } else {
            above = middle;
        }
    }
}

/// Probability of a magnitude of at most `t >= 0` (Abramowitz and Stegun, 26.7.3 and 26.7.4).
fn within(freedom: u32, t: f64) -> f64 {
    let n = f64::from(freedom);
    // Of the angle whose tangent is t / sqrt(n).
    let hypotenuse = (n + t * t).sqrt();
    let (sine, cosine) = (t / hypotenuse, n.sqrt() / hypotenuse);
    let is_even = freedom.is_multiple_of(2);
    let terms = if is_even {
        freedom / 2
    } else {
        (freedom - 1) / 2
    };
    let (mut term, mut sum) = (1.0, 0.0);
    for j in 1..=terms {
        sum += term;
        let twice = f64::from(2 * j);
        term *= cosine * cosine;
        term *= if is_even {
            (twice - 1.0) / twice
        } else {
            twice / (twice + 1.0)
        };
    }
    if is_even {
        sine * sum
    } else {
        FRAC_2_PI * (arctangent(t / n.sqrt()) + sine * cosine * sum)
    }
}

/// The angle with the tangent `x >= 0`.
fn arctangent(x: f64) -> f64 {
    if x > 1.0 {
        return PI / 2.0 - arctangent(1.0 / x);
    }
    // Half the angle, three times: at most pi / 32, where 16 terms leave a remainder below 1e-32.
    let mut x = x;
    for _ in 0..3 {
        x /= 1.0 + (1.0 + x * x).sqrt();
    }
    let (mut power, mut sum) = (x, 0.0);
    for k in 0..16_u32 {
        sum += power / f64::from(2 * k + 1);
        power *= -x * x;
    }
    8.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_tables() {
        // Approximate: Abramowitz and Stegun, table 26.10, and tables with more digits.
        for (freedom, error, t) in [
            (1, 0.05, 12.706_204_74),
            (1, 0.01, 63.656_741_16),
            (2, 0.05, 4.302_652_73),
            (3, 0.01, 5.840_909_31),
            (4, 0.01, 4.604_094_87),
            (4, 0.001, 8.610_301_58),
            (5, 0.05, 2.570_581_84),
            (7, 0.01, 3.499_483_30),
            (10, 0.05, 2.228_138_85),
            (19, 0.01, 2.860_934_61),
            (30, 0.05, 2.042_272_46),
            (120, 0.01, 2.617_421_15),
        ] {
            let found = two_sided(freedom, error);
            assert!(
                (found / t - 1.0).abs() < 1e-8,
                "{freedom}, {error}: {found}"
            );
        }
    }

    #[test]
    fn the_angle_is_that_of_the_tangent() {
        for (x, angle) in [
            (0.0, 0.0),
            (1.0, PI / 4.0),
            (3.0_f64.sqrt(), PI / 3.0),
            (1.0 / 3.0_f64.sqrt(), PI / 6.0),
            (1e9, PI / 2.0 - 1e-9),
        ] {
            assert!((arctangent(x) - angle).abs() < 1e-15, "{x}");
        }
    }

    #[test]
    fn with_many_degrees_it_is_normal() {
        // Approximate: the remainder is of the order of 1 / freedom.
        assert!((two_sided(100_000, 0.01) - 2.575_829_3).abs() < 1e-4);
    }
}
