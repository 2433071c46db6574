//! Numbers as text.

/// What a decimal fraction read as a binary one may be off by, in its last digit.
const SLACK: f64 = 1e-9;

/// Factors from here on are written with an exponent: no measurement is as large, and a record can have it.
pub(crate) const LARGE: f64 = 1e6;

/// Numbers from 2^53 on are whole.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A number rounded up, or down, to this many decimals.
pub(crate) fn rounded(value: f64, decimals: usize, up: bool) -> f64 {
    let scale = 10_f64.powi(decimals as i32);
    let scaled = value * scale;
    if scaled.abs() >= WHOLE {
        return value;
    }
    let slack = SLACK * scaled.abs().max(1.0);
    let whole = if up {
        (scaled - slack).ceil()
    } else {
        (scaled + slack).floor()
    };
    // Adding zero turns a negative zero into zero.
    whole / scale + 0.0
}

/// The power of ten of a number's first digit: 2 for 829, -3 for 0.0044; 0 for zero and for what is no
/// number.
pub fn exponent(value: f64) -> i32 {
    let value = value.abs();
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    // Logarithms and powers are not exact on every system; a number's shortest text is.
    let text = format!("{value:e}");
    let exponent = text
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok());
    exponent.unwrap_or(0)
}

/// A count with commas between the thousands: `1,638,400`.
pub fn count(n: u64) -> String {
    if n < 1000 {
        n.to_string()
    } else {
        format!("{},{:03}", count(n / 1000), n % 1000)
    }
}

/// A count with its noun, given in the singular: `1 launch`, `20 launches`.
pub fn counted(n: impl TryInto<u64>, noun: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    let ending = match n {
        1 => "",
        _ if noun.ends_with("ch") || noun.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", count(n))
}

/// Wall time, given in nanoseconds, for people: `340 ms`, `7.4 s`, `83 s`, `2 min 05 s`, `1 h 02 min`.
/// Rounded; for what a run takes, not for what is measured.
pub fn duration(ns: u64) -> String {
    let rounded_to = |unit: u64| ns / unit + u64::from(ns % unit >= unit / 2);
    let seconds = rounded_to(1_000_000_000);
    let minutes = rounded_to(60_000_000_000);
    if rounded_to(1_000_000) < 1000 {
        format!("{} ms", rounded_to(1_000_000))
    } else if rounded_to(100_000_000) < 100 {
        format!("{:.1} s", rounded_to(100_000_000) as f64 / 10.0)
    } else if seconds < 100 {
        format!("{seconds} s")
    } else if seconds < 3600 {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    } else {
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    }
}

/// The size of a cache: `48 KiB`, `36 MiB`.
pub fn kibibytes(kibibytes: u64) -> String {
    match kibibytes % 1024 {
        0 if kibibytes > 0 => format!("{} MiB", kibibytes / 1024),
        _ => format!("{kibibytes} KiB"),
    }
}

/// A time as a clock has it, in minutes and seconds: `0:07`, `12:05`.
pub fn minutes(ns: u64) -> String {
    let seconds = ns / 1_000_000_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A number with so many decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// A number with its sign and so many decimals.
pub fn signed(value: f64, decimals: usize) -> String {
    format!("{value:+.decimals$}")
}

/// A factor with so many decimals: `2.7`; a large one with an exponent: `1.8e300`. No quotient of two numbers has to be a
/// number: then it is larger than all.
pub fn factor(factor: f64, decimals: usize) -> String {
    if !factor.is_finite() {
        // The largest one is 1.797e308.
        return "over 1.7e308".to_owned();
    }
    if factor < LARGE {
        format!("{factor:.decimals$}")
    } else {
        format!("{factor:.1e}")
    }
}

/// An interval with so many decimals: `[0.212, 0.214]`.
pub fn interval((lower, upper): (f64, f64), decimals: usize) -> String {
    format!("[{lower:.decimals$}, {upper:.decimals$}]")
}

/// A number and its interval with so many decimals: `0.213 [0.212, 0.214]`.
pub fn with_interval(value: f64, ends: (f64, f64), decimals: usize) -> String {
    format!("{value:.decimals$} {}", interval(ends, decimals))
}

/// A number for programs with so many digits: `1.2346e3`.
pub fn digits(value: f64, digits: usize) -> String {
    let decimals = digits.saturating_sub(1);
    format!("{value:.decimals$e}")
}

/// A fraction as a percentage to the nearest: `0.02 %`, `3.1 %`, `61 %`; from ten times on as a factor, `79 x`.
pub fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    if percent > 999.0 {
        return factor(fraction, 0) + " x";
    }
    if percent > 0.0 && percent < 0.005 {
        return "<0.01 %".to_owned();
    }
    let decimals = match percent.abs() {
        0.0 => 0,
        ..0.095 => 2,
        ..9.95 => 1,
        _ => 0,
    };
    format!("{percent:.decimals$} %")
}

/// A fraction as a percentage without trailing zeros: `1 %`, `99.9 %`.
pub fn trimmed_percent(fraction: f64) -> String {
    trimmed(fraction * 100.0) + " %"
}

/// A number with four decimals at most, without trailing zeros.
pub fn trimmed(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A fraction as a percentage that is never smaller than it: `0.04 %`, `0.2 %`, `1.9 %`, `12 %`. The
/// finest that is claimed is 0.01 %, and what is large is a factor: `1.8e300 x`.
pub fn percent_at_most(fraction: f64) -> String {
    if fraction >= LARGE {
        // Two digits, rounded up.
        let place = 10_f64.powi(exponent(fraction) - 1);
        let whole = (fraction / place).ceil() * place;
        return factor(whole, 0) + " x";
    }
    at_most((fraction * 100.0).max(0.01)) + " %"
}

/// Parts per million, rounded up like a percentage: `±0.4 ppm` bounds an error.
pub fn ppm(ppm: f64) -> String {
    at_most(ppm.abs()) + " ppm"
}

/// A deviation in parts per million with two digits: `-0.012 ppm`, `31 ppm`.
pub fn deviation(ppm: f64) -> String {
    let decimals = match ppm.abs() {
        ..0.0995 => 3,
        ..0.995 => 2,
        ..9.95 => 1,
        _ => 0,
    };
    format!("{ppm:.decimals$} ppm")
}

/// A small positive number rounded up: hundredths below a tenth, tenths below ten, else whole.
fn at_most(value: f64) -> String {
    let decimals = if value <= 0.09 + SLACK {
        2
    } else {
        usize::from(value <= 9.9 + SLACK)
    };
    format!("{:.decimals$}", rounded(value, decimals, true))
}

/// A confidence as a percentage that is never larger than it: `99 %`, `99.74 %`.
pub fn confidence(held: f64) -> String {
    // The shortest form of a number with two decimals has two at most.
    format!("{} %", rounded(held * 100.0, 2, false))
}

/// `writes up to 12 bytes per op`, or `writes a byte in 512 ops` where there is less than one.
pub fn per_op(verb: &str, up_to: &str, per_op: f64, noun: &str) -> String {
    if per_op < 0.75 {
        let ops = (1.0 / per_op).round().max(1.0);
        format!("{verb} {up_to}a {noun} in {ops} ops")
    } else {
        let nouns = counted(per_op.round() as u64, noun);
        format!("{verb} {up_to}{nouns} per op")
    }
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

    #[test]
    fn intervals_have_the_decimals_of_their_number() {
        assert_eq!(with_interval(1.0, (0.5, 1.25), 2), "1.00 [0.50, 1.25]");
        assert_eq!([signed(0.5, 1), fixed(-0.5, 0)], ["+0.5", "-0"]);
        assert_eq!(rounded(1.7e308, 2, true), 1.7e308);
        assert_eq!(rounded(f64::MAX, 0, false), f64::MAX);
        assert_eq!([factor(9.96, 1), factor(2e6, 1)], ["10.0", "2.0e6"]);
        assert_eq!(digits(1_234.56, 5), "1.2346e3");
        assert_eq!(
            [7, 725].map(|s| minutes(s * 1_000_000_000)),
            ["0:07", "12:05"]
        );
    }

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
        for (n, noun, expected) in [
            (1_usize, "launch", "1 launch"),
            (2_000, "launch", "2,000 launches"),
            (0, "case", "0 cases"),
        ] {
            assert_eq!(counted(n, noun), expected);
        }
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
            (0.0, "0 %", "0.01 %"),
            (0.000_41, "0.04 %", "0.05 %"),
            (0.0009, "0.09 %", "0.09 %"),
            (0.002, "0.2 %", "0.2 %"),
            (0.002_01, "0.2 %", "0.3 %"),
            (0.019, "1.9 %", "1.9 %"),
            (0.099, "9.9 %", "9.9 %"),
            (0.0996, "10 %", "10 %"),
            (0.61, "61 %", "61 %"),
            (1.385, "138 %", "139 %"),
            (61.0, "61 x", "6100 %"),
            (1.234e9, "1.2e9 x", "1.3e9 x"),
            (9.91e12, "9.9e12 x", "1.0e13 x"),
            (1.72e308, "1.7e308 x", "over 1.7e308 x"),
            (f64::INFINITY, "over 1.7e308 x", "over 1.7e308 x"),
        ] {
            assert_eq!(percent(fraction), nearest, "{fraction}");
            assert_eq!(percent_at_most(fraction), at_most, "{fraction}");
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
            assert_eq!(confidence(held), expected);
        }
    }
}
