//! Measured values as text: the digits that the interval supports, the unit that fits the size.

use tourbillon_record::{Metric, Throughput, ThroughputUnit};

use crate::Style;
use crate::number::{exponent, power_of_ten, rounded};
use crate::text::{append, push};

/// A measured value and the half-width of its interval, in one unit.
///
/// The last digit shown is the one of the half-width's first digit (half-width 0.069: hundredths),
/// as metrology writes a value beside its uncertainty; so rounding moves the value by at most half
/// of the half-width. There are at most four significant digits, and three where no interval is
/// known; never fewer than the integer part has, nor none at all.
///
/// The unit is chosen after rounding: 999.97 ns is `1.000 µs`.
///
/// # Examples
///
/// ```
/// use tourbillon_report::{Figure, Style};
/// let figure = Figure::new(38_120_000.0, Some(38_010_000.0), Some(38_230_000.0));
/// assert_eq!(figure.time(&Style::default()), "38.1 ms");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The value.
    pub value: f64,
    /// Half-width of its interval; `None` where there is no interval.
    pub half_width: Option<f64>,
}

impl Figure {
    /// A value whose interval may lie unevenly around it: the farther end counts.
    pub fn new(value: f64, lower: Option<f64>, upper: Option<f64>) -> Figure {
        let half_width = match (lower, upper) {
            (Some(lower), Some(upper)) => Some((value - lower).max(upper - value).max(0.0)),
            _ => None,
        };
        Figure { value, half_width }
    }

    /// A value that is exact as far as anybody is concerned: four digits are shown.
    pub fn exact(value: f64) -> Figure {
        Figure {
            value,
            half_width: Some(0.0),
        }
    }

    /// The half-width as a fraction of the value; `None` where there is none.
    pub fn relative(&self) -> Option<f64> {
        let relative = self.half_width? / self.value.abs();
        relative.is_finite().then_some(relative)
    }

    /// A time, the value being nanoseconds: `4.41 ns`, `829 µs`, `38.1 ms`, `2.07 s`.
    pub fn time(&self, style: &Style) -> String {
        let mut text = String::new();
        self.push_time(&mut text, style);
        text
    }

    /// Appends what [`Figure::time`] says.
    pub(crate) fn push_time(&self, text: &mut String, style: &Style) {
        self.push(text, style.glyphs().times);
    }

    /// Cycles: `4.41`, `62.1`, `4096`, `136.9 M`.
    #[inline]
    pub fn cycles(&self) -> String {
        let mut text = String::new();
        self.push_cycles(&mut text);
        text
    }

    /// Appends cycles: `4.41`, `62.1`, `4096`, `136.9 M`.
    pub(crate) fn push_cycles(&self, text: &mut String) {
        self.push(text, CYCLES);
    }

    /// Appends a frequency, the value being hertz: `2.600 GHz`.
    pub(crate) fn push_frequency(&self, text: &mut String) {
        self.push(text, HERTZ);
    }

    /// Appends what is processed in a second when an op takes as many nanoseconds as the value
    /// says: `3.21 GB/s`, `17.3 M items/s`. Decimal prefixes. Nothing for a time that is not
    /// positive.
    pub(crate) fn push_rate(&self, text: &mut String, throughput: Throughput) {
        if self.value.is_nan() || self.value <= 0.0 || throughput.per_op == 0 {
            return;
        }
        let value = throughput.per_op as f64 * 1e9 / self.value;
        let half_width = self.relative().map(|relative| relative * value);
        let units = match throughput.unit {
            ThroughputUnit::Bytes => BYTES,
            ThroughputUnit::Items => ITEMS,
        };
        Figure { value, half_width }.push(text, units);
    }

    /// Appends the number in the first unit that it is small enough for; in the last one if in
    /// none.
    #[inline(never)]
    pub(crate) fn push(&self, text: &mut String, units: &[Unit]) {
        let mut left = units.len();
        for unit in units {
            left -= 1;
            let value = self.value / unit.size;
            let decimals = self.decimals(unit.size);
            // What would be rounded up to a thousand belongs to the next unit.
            let rounds_to = value.abs() + 0.5 * power_of_ten(-decimals);
            if rounds_to < unit.below && decimals <= MOST_DECIMALS {
                append(text, format_args!("{value:.*}", decimals as usize));
            } else if left == 0 || decimals > MOST_DECIMALS {
                // No measurement is as large or small as this; it is shown, but not at length.
                append(text, format_args!("{value:.2e}"));
            } else {
                continue;
            }
            push(text, unit.name);
            return;
        }
    }

    /// Decimals that the half-width supports when the value is given in a unit of this size.
    #[inline(never)]
    fn decimals(&self, size: f64) -> i32 {
        let value = (self.value / size).abs();
        // Rounding to four digits may give the number a digit more.
        let first = exponent(value + 0.5 * power_of_ten(exponent(value) - 3));
        let supported = match self.half_width {
            None => 2 - first,
            // What is off by rounding only is not to cost a digit more.
            Some(half) if half > 0.0 => -exponent(half / size * (1.0 + 1e-9)),
            Some(_) => 3 - first,
        };
        supported.clamp((-first).max(0), (3 - first).max(0))
    }
}

/// Appends an upper bound of a time in nanoseconds: `< 0.049 ns`.
pub(crate) fn push_time_bound(text: &mut String, ns: f64, style: &Style) {
    push(text, "< ");
    bound(ns).push_time(text, style);
}

/// Appends an upper bound of cycles.
pub(crate) fn push_cycles_bound(text: &mut String, cycles: f64) {
    push(text, "< ");
    bound(cycles).push_cycles(text);
}

/// An upper bound to be shown: two digits, rounded up.
#[inline(never)]
pub(crate) fn bound(value: f64) -> Figure {
    let place = power_of_ten(exponent(value) - 1);
    Figure {
        value: rounded(value / place, 0, true) * place,
        half_width: Some(place),
    }
}

/// A ratio and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// What the ratio compares.
    pub metric: Metric,
    /// The ratio.
    pub estimate: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
}

impl Ratio {
    /// Appends the ratio and its interval, the ends rounded outwards: `1.01 [0.99, 1.03]`. Two
    /// decimals or as many more, up to four, as the interval supports.
    #[inline(never)]
    pub(crate) fn push(&self, text: &mut String) {
        let half_width = (self.upper - self.lower) / 2.0;
        let decimals = if half_width > 0.0 {
            (-exponent(half_width)).clamp(2, 4)
        } else {
            4
        } as usize;
        let lower = rounded(self.lower, decimals, false);
        let upper = rounded(self.upper, decimals, true);
        append(text, format_args!("{:.decimals$} [", self.estimate));
        append(text, format_args!("{lower:.decimals$}, "));
        append(text, format_args!("{upper:.decimals$}]"));
    }
}

/// A unit of a scale.
#[derive(Debug)]
pub(crate) struct Unit {
    /// In the smallest unit of its scale.
    size: f64,
    /// The first number that is too large for it.
    below: f64,
    name: &'static str,
}

const fn unit(size: f64, below: f64, name: &'static str) -> Unit {
    Unit { size, below, name }
}

/// Larger numbers than this of the largest unit are written with an exponent.
const LARGEST: f64 = 1e6;
/// And so are those of the smallest unit that need more decimals.
const MOST_DECIMALS: i32 = 7;

pub(crate) const TIMES: &[Unit] = &[
    unit(1.0, 1e3, " ns"),
    unit(1e3, 1e3, " µs"),
    unit(1e6, 1e3, " ms"),
    unit(1e9, LARGEST, " s"),
];
pub(crate) const ASCII_TIMES: &[Unit] = &[
    unit(1.0, 1e3, " ns"),
    unit(1e3, 1e3, " us"),
    unit(1e6, 1e3, " ms"),
    unit(1e9, LARGEST, " s"),
];
const CYCLES: &[Unit] = &[
    unit(1.0, 1e4, ""),
    unit(1e3, 1e3, " k"),
    unit(1e6, 1e3, " M"),
    unit(1e9, 1e3, " G"),
    unit(1e12, LARGEST, " T"),
];
/// What has a unit of its own.
pub(crate) const AMOUNTS: &[Unit] = CYCLES;
pub(crate) const KIBIBYTES: &[Unit] = &[
    unit(1.0, 1024.0, " B"),
    unit(1024.0, 1024.0, " KiB"),
    unit(1_048_576.0, 1024.0, " MiB"),
    unit(1_073_741_824.0, LARGEST, " GiB"),
];
const HERTZ: &[Unit] = &[
    unit(1.0, 1e3, " Hz"),
    unit(1e3, 1e3, " kHz"),
    unit(1e6, 1e3, " MHz"),
    unit(1e9, LARGEST, " GHz"),
];
const BYTES: &[Unit] = &[
    unit(1.0, 1e3, " B/s"),
    unit(1e3, 1e3, " kB/s"),
    unit(1e6, 1e3, " MB/s"),
    unit(1e9, 1e3, " GB/s"),
    unit(1e12, LARGEST, " TB/s"),
];
const ITEMS: &[Unit] = &[
    unit(1.0, 1e3, " items/s"),
    unit(1e3, 1e3, " k items/s"),
    unit(1e6, 1e3, " M items/s"),
    unit(1e9, LARGEST, " G items/s"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(push: impl FnOnce(&mut String)) -> String {
        let mut text = String::new();
        push(&mut text);
        text
    }

    fn time(value: f64, half_width: Option<f64>) -> String {
        Figure { value, half_width }.time(&Style::default())
    }

    #[test]
    fn digits_stop_where_the_interval_does() {
        for (value, half_width, expected) in [
            (4.4123, 0.0088, "4.412 ns"),
            (4.4123, 0.012, "4.41 ns"),
            (4.4123, 0.0999, "4.41 ns"),
            (4.4123, 0.1, "4.4 ns"),
            (4.4123, 1.0, "4 ns"),
            // Never more than four digits, nor fewer than the integer part has, nor none.
            (17.312_34, 1e-9, "17.31 ns"),
            (829_412.0, 300_000.0, "829 µs"),
            (0.3, 2.0, "0.3 ns"),
            (0.024_12, 0.0003, "0.0241 ns"),
        ] {
            assert_eq!(
                time(value, Some(half_width)),
                expected,
                "{value} {half_width}"
            );
        }
    }

    #[test]
    fn three_digits_without_an_interval_and_four_when_exact() {
        assert_eq!(time(4.4123, None), "4.41 ns");
        assert_eq!(time(829_412.0, None), "829 µs");
        assert_eq!(time(4.4123, Some(0.0)), "4.412 ns");
    }

    #[test]
    fn rounding_moves_a_value_by_half_of_the_half_width_at_most() {
        let mut value = 1.0;
        while value < 900.0 {
            for relative in [0.0011, 0.004, 0.0099, 0.01, 0.05, 0.3] {
                let half_width = value * relative;
                let text = time(value, Some(half_width));
                let shown: f64 = text.trim_end_matches(" ns").parse().unwrap();
                // Four digits are all there are: of 1000 the last one is 0.1 %.
                let finest = 0.5e-3 * 10_f64.powi(exponent(value));
                assert!(
                    (shown - value).abs() <= (half_width / 2.0).max(finest) * 1.000_001,
                    "{value} ± {half_width} is shown as {text}"
                );
            }
            value *= 1.037;
        }
    }

    #[test]
    fn the_unit_is_chosen_after_rounding() {
        for (value, half_width, expected) in [
            (999.4, 1.0, "999 ns"),
            (999.97, 0.1, "1.000 µs"),
            (999_999.9, 0.1, "1.000 ms"),
            (9.999_96, 1e-9, "10.00 ns"),
            (2.07e9, 3e6, "2.070 s"),
            (3.2e12, 1e9, "3200 s"),
            (-0.31, 0.04, "-0.31 ns"),
        ] {
            assert_eq!(time(value, Some(half_width)), expected);
        }
    }

    #[test]
    fn cycles_have_prefixes() {
        for (value, half_width, expected) in [
            (15.83, 0.03, "15.83"),
            (4096.3, 2.0, "4096"),
            (9999.7, 0.1, "10.00 k"),
            (12_345.0, 200.0, "12.3 k"),
            (136.9e6, 0.4e6, "136.9 M"),
            (2.98e6, 0.02e6, "2.98 M"),
            (7.5e14, 1e13, "750 T"),
        ] {
            assert_eq!(
                pushed(|text| Figure {
                    value,
                    half_width: Some(half_width)
                }
                .push_cycles(text)),
                expected
            );
        }
    }

    #[test]
    fn rates_have_the_digits_of_their_time() {
        let of = |unit, per_op| Throughput { unit, per_op };
        let time = Figure {
            value: 321.0,
            half_width: Some(6.1),
        };
        for (throughput, expected) in [
            (of(ThroughputUnit::Bytes, 800), "2.49 GB/s"),
            (of(ThroughputUnit::Items, 100), "312 M items/s"),
            (of(ThroughputUnit::Bytes, 0), ""),
        ] {
            assert_eq!(pushed(|text| time.push_rate(text, throughput)), expected);
        }
        for ns in [-1.0, f64::NAN] {
            let one = of(ThroughputUnit::Items, 1);
            assert_eq!(pushed(|text| Figure::exact(ns).push_rate(text, one)), "");
        }
    }

    #[test]
    fn bounds_are_rounded_up() {
        let style = Style::default();
        for (ns, expected) in [
            (0.0481, "< 0.049 ns"),
            (0.05, "< 0.050 ns"),
            (0.123, "< 0.13 ns"),
            (1.01, "< 1.1 ns"),
            (123.4, "< 130 ns"),
            (996.0, "< 1.00 µs"),
        ] {
            assert_eq!(pushed(|text| push_time_bound(text, ns, &style)), expected);
        }
        assert_eq!(pushed(|text| push_cycles_bound(text, 0.171)), "< 0.18");
    }

    #[test]
    fn the_farther_end_counts() {
        let figure = Figure::new(10.0, Some(9.9), Some(10.4));
        assert!((figure.relative().unwrap() - 0.04).abs() < 1e-12);
        let figure = Figure::new(10.0, Some(9.5), Some(10.1));
        assert!((figure.relative().unwrap() - 0.05).abs() < 1e-12);
        assert_eq!(Figure::new(10.0, Some(9.9), None).half_width, None);
    }

    #[test]
    fn ends_of_ratios_are_rounded_outwards() {
        let text = |estimate, lower, upper| {
            let ratio = Ratio {
                metric: Metric::Cycles,
                estimate,
                lower,
                upper,
            };
            pushed(|text| ratio.push(text))
        };
        assert_eq!(text(1.0112, 0.9931, 1.0288), "1.01 [0.99, 1.03]");
        assert_eq!(text(1.0112, 1.0101, 1.0119), "1.0112 [1.0101, 1.0119]");
        assert_eq!(text(1.0112, 1.0067, 1.0161), "1.011 [1.006, 1.017]");
        assert_eq!(text(12.3, 8.1, 17.0), "12.30 [8.10, 17.00]");
    }

    #[test]
    fn ascii_has_no_micro_sign() {
        let style = Style {
            unicode: false,
            ..Style::default()
        };
        assert_eq!(Figure::exact(1234.0).time(&style), "1.234 us");
    }
}
