//! Counts, shares and durations in words.
//!
//! Most are types that are written in place rather than functions that return a `String`: this
//! crate is compiled into every bench binary, and each temporary costs code that drops it.

use std::fmt::{self, Write};

/// Appends formatted text; one function for all callers instead of the same code in each.
#[inline(never)]
pub(crate) fn append(text: &mut String, arguments: fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(arguments);
}

/// A count with commas between the thousands: `1,638,400`.
pub fn count(n: u64) -> String {
    let mut text = String::new();
    append(&mut text, format_args!("{}", Count(n)));
    text
}

/// A stretch of wall time, given in nanoseconds, as people say it: `340 ms`, `7.4 s`, `83 s`,
/// `2 min 05 s`, `1 h 02 min`. Rounded; for what a run takes, not for what is measured.
pub fn duration(ns: u64) -> String {
    let mut text = String::new();
    append(&mut text, format_args!("{}", Duration(ns)));
    text
}

/// Written as [`count`] says.
pub(crate) struct Count(pub(crate) u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1000 {
            return write!(f, "{}", self.0);
        }
        write!(f, "{},{:03}", Count(self.0 / 1000), self.0 % 1000)
    }
}

/// A count with its noun, given in the singular: `1 launch`, `20 launches`.
pub(crate) struct Counted(pub(crate) u64, pub(crate) &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = match self.0 {
            1 => "",
            _ if self.1.ends_with("ch") => "es",
            _ => "s",
        };
        write!(f, "{} {}{ending}", Count(self.0), self.1)
    }
}

/// Written as [`duration`] says.
pub(crate) struct Duration(pub(crate) u64);

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded_to = |unit: u64| self.0 / unit + u64::from(self.0 % unit >= unit / 2);
        let (tenths, seconds) = (rounded_to(100_000_000), rounded_to(1_000_000_000));
        match (rounded_to(1_000_000), tenths, seconds) {
            (ms @ 0..1000, ..) => write!(f, "{ms} ms"),
            (_, 0..100, _) => write!(f, "{}.{} s", tenths / 10, tenths % 10),
            (_, _, 0..100) => write!(f, "{seconds} s"),
            (_, _, 100..3600) => write!(f, "{} min {:02} s", seconds / 60, seconds % 60),
            _ => {
                let minutes = rounded_to(60_000_000_000);
                write!(f, "{} h {:02} min", minutes / 60, minutes % 60)
            }
        }
    }
}

/// A fraction as a percentage to the nearest: `0.2 %`, `1.9 %`, `61 %`.
pub(crate) struct Percent(pub(crate) f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 * 100.0;
        let decimals = usize::from(percent.abs() < 9.95);
        write!(f, "{percent:.decimals$} %")
    }
}

/// A fraction as a percentage that is never smaller than it: `0.04 %`, `0.2 %`, `1.9 %`, `12 %`.
/// The finest that is claimed is 0.01 %.
pub(crate) struct PercentAtMost(pub(crate) f64);

impl fmt::Display for PercentAtMost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", Bound((self.0 * 100.0).max(0.01)))
    }
}

/// Parts per million, rounded up like a percentage: `±0.4 ppm` bounds an error.
pub(crate) struct Ppm(pub(crate) f64);

impl fmt::Display for Ppm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ppm", Bound(self.0.abs()))
    }
}

/// A small positive number rounded up: hundredths below a tenth, tenths below ten, else whole.
struct Bound(f64);

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = match self.0 {
            n if n <= 0.09 + SLACK => 2,
            n if n <= 9.9 + SLACK => 1,
            _ => 0,
        };
        write!(f, "{:.decimals$}", rounded(self.0, decimals, true))
    }
}

/// A confidence as a percentage that is never larger than it: `99 %`, `99.74 %`.
pub(crate) struct Confidence(pub(crate) f64);

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The shortest form of a number with two decimals has two at most.
        write!(f, "{} %", rounded(self.0 * 100.0, 2, false))
    }
}

/// What a decimal fraction read as a binary one may be off by, in its last digit.
const SLACK: f64 = 1e-9;

/// A number rounded up, or down, to so many decimals.
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

fn power_of_ten(power: i32) -> f64 {
    10_f64.powi(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (n, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_638_400, "1,638,400"),
            (5_000_007, "5,000,007"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(count(n), expected);
        }
    }

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(Counted(1, "launch").to_string(), "1 launch");
        assert_eq!(Counted(2_000, "launch").to_string(), "2,000 launches");
        assert_eq!(Counted(0, "case").to_string(), "0 cases");
    }

    #[test]
    fn durations_round_into_the_next_unit() {
        for (ns, expected) in [
            (0, "0 ms"),
            (340_000_000, "340 ms"),
            (999_499_999, "999 ms"),
            (999_500_000, "1.0 s"),
            (7_449_999_999, "7.4 s"),
            (9_950_000_000, "10 s"),
            (99_499_999_999, "99 s"),
            (99_500_000_000, "1 min 40 s"),
            (125_000_000_000, "2 min 05 s"),
            (3_599_499_999_999, "59 min 59 s"),
            (3_599_500_000_000, "1 h 00 min"),
            (3_720_000_000_000, "1 h 02 min"),
            (u64::MAX, "5124095 h 35 min"),
        ] {
            assert_eq!(duration(ns), expected, "{ns}");
        }
    }

    #[test]
    fn percentages_are_rounded() {
        for (fraction, nearest, at_most) in [
            (0.0, "0.0 %", "0.01 %"),
            (0.000_41, "0.0 %", "0.05 %"),
            (0.0009, "0.1 %", "0.09 %"),
            (0.002, "0.2 %", "0.2 %"),
            (0.002_01, "0.2 %", "0.3 %"),
            (0.019, "1.9 %", "1.9 %"),
            (0.099, "9.9 %", "9.9 %"),
            (0.0996, "10 %", "10 %"),
            (0.61, "61 %", "61 %"),
            (1.385, "138 %", "139 %"),
        ] {
            assert_eq!(Percent(fraction).to_string(), nearest, "{fraction}");
            assert_eq!(PercentAtMost(fraction).to_string(), at_most, "{fraction}");
        }
    }

    #[test]
    fn a_confidence_is_not_exaggerated() {
        for (held, expected) in [
            (0.99, "99 %"),
            (0.999, "99.9 %"),
            (0.997_42, "99.74 %"),
            (0.992_187_5, "99.21 %"),
            (0.999_999, "99.99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(Confidence(held).to_string(), expected);
        }
    }

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
