//! Decimal digits of numbers.

/// What a decimal fraction read as a binary one may be off by, in its last digit.
pub(crate) const SLACK: f64 = 1e-9;

/// A number rounded up, or down, to so many decimals.
#[inline(never)]
pub(crate) fn rounded(value: f64, decimals: usize, up: bool) -> f64 {
    let scale = power_of_ten(decimals as i32);
    let scaled = value * scale;
    let slack = SLACK * scaled.abs().max(1.0);
    let whole = if up {
        (scaled - slack).ceil()
    } else {
        (scaled + slack).floor()
    };
    // Adding zero turns a negative zero into zero.
    whole / scale + 0.0
}

/// The power of ten of a number's first digit: 2 for 829, -3 for 0.0044; 0 for zero and for what
/// is no number.
#[inline(never)]
pub(crate) fn exponent(value: f64) -> i32 {
    let value = value.abs();
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    // The logarithm of a power of ten may come out on either side of the whole number.
    let near = value.log10().floor() as i32;
    if value < power_of_ten(near) {
        near - 1
    } else if value >= power_of_ten(near + 1) {
        near + 1
    } else {
        near
    }
}

/// Ten to this power.
// One copy: inlined, it is a loop in each place.
#[inline(never)]
pub(crate) fn power_of_ten(power: i32) -> f64 {
    10_f64.powi(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_powers_of_ten_are_exact() {
        for power in -15..=15 {
            let exact: f64 = format!("1e{power}").parse().unwrap();
            assert_eq!(exponent(exact), power);
            assert_eq!(exponent(exact * 9.999), power);
            assert_eq!(exponent(-exact * 1.001), power);
        }
        for none in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(exponent(none), 0);
        }
    }
}
