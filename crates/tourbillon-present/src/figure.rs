//! Measured values as text: the digits that the interval supports, the unit that fits the size.

use tourbillon_record::{
    CaseResult, Metric, OwnMetric, Rough, ScaleUnit, Throughput, ThroughputUnit,
};

use crate::Style;
use crate::number::{exponent, percent_at_most, rounded};

/// A measured value and the half-width of its interval, in one unit.
///
/// The last digit shown is the one of the half-width's first digit (half-width 0.069: hundredths),
/// as metrology writes a value with its uncertainty; so rounding moves the value by at most half
/// of the half-width. An interval that lies unevenly has more digits where the rounded value would be outside of it.
/// There are at most four significant digits, and three where no interval is known; never fewer than the integer part
/// has, nor none at all.
///
/// The unit is chosen after rounding: 999.97 ns is `1.000 µs`.
///
/// # Examples
///
/// ```
/// use tourbillon_present::{Figure, Style};
/// let figure = Figure::new(38_120_000.0, Some(38_010_000.0), Some(38_230_000.0));
/// assert_eq!(figure.time(&Style::default()), "38.1 ms");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The value.
    pub value: f64,
    /// Half-width of its interval; `None` where there is no interval.
    pub half_width: Option<f64>,
    ends: Option<(f64, f64)>,
}

/// The share of a value from which on a half-width says less than both ends.
const MOST_SHARE: f64 = 0.5;

impl Figure {
    /// A value whose interval may lie unevenly around it: the farther end counts.
    pub fn new(value: f64, lower: Option<f64>, upper: Option<f64>) -> Figure {
        let ends = lower.zip(upper);
        let half_width = ends.map(|(lower, upper)| (value - lower).max(upper - value).max(0.0));
        Figure {
            value,
            half_width,
            ends,
        }
    }

    /// A value of this half-width.
    pub const fn within(value: f64, half_width: Option<f64>) -> Figure {
        Figure {
            value,
            half_width,
            ends: None,
        }
    }

    /// The figure of so many.
    #[must_use]
    pub fn times(self, factor: f64) -> Figure {
        Figure {
            value: self.value * factor,
            half_width: self.half_width.map(|half| half * factor),
            ends: self
                .ends
                .map(|(lower, upper)| (lower * factor, upper * factor)),
        }
    }

    /// An exact value: four digits are shown.
    pub const fn exact(value: f64) -> Figure {
        Figure::within(value, Some(0.0))
    }

    /// How far the farther end of its interval is from it, as a share of it, rounded up: `2.2 %`; from half of it on both
    /// ends, rounded outwards, as `shown`: `1.2 … 9.9 ms`. `None` without an interval.
    pub fn spread(&self, shown: impl Fn(Figure) -> String, style: &Style) -> Option<String> {
        let share = self.relative()?;
        match self.ends {
            Some((lower, upper)) if share > MOST_SHARE => {
                let end = |end, up| shown(two_digits(end, up));
                Some(range(&end(lower, false), &end(upper, true), style))
            }
            _ => Some(percent_at_most(share)),
        }
    }

    /// [What its interval is](Figure::spread), to stand behind it: ` ±2.2 %`, ` (1.2 … 9.9 ms)`; nothing without one.
    pub fn plus_minus(&self, shown: impl Fn(Figure) -> String, style: &Style) -> String {
        let sign = style.glyphs().plus_minus;
        match self.spread(shown, style) {
            Some(share) if share.ends_with('%') => format!(" {sign}{share}"),
            Some(ends) => format!(" ({ends})"),
            None => String::new(),
        }
    }

    /// The half-width as a fraction of the value; `None` where there is none.
    pub fn relative(&self) -> Option<f64> {
        let relative = self.half_width? / self.value.abs();
        relative.is_finite().then_some(relative)
    }

    /// A time, the value being nanoseconds: `4.41 ns`, `829 µs`, `38.1 ms`, `2.07 s`.
    pub fn time(&self, style: &Style) -> String {
        self.in_units(if style.unicode { TIMES } else { ASCII_TIMES })
    }

    /// Cycles: `4.41`, `62.1`, `4096`, `136.9 M`.
    pub fn cycles(&self) -> String {
        self.in_units(CYCLES)
    }

    /// A frequency, the value being hertz: `2.600 GHz`.
    pub fn frequency(&self) -> String {
        self.in_units(HERTZ)
    }

    /// What is processed in a second when an op takes as many nanoseconds as the value: `3.21 GB/s`,
    /// `17.3 M items/s`. Decimal prefixes. `None` for a time that is not positive.
    pub fn rate(&self, throughput: Throughput) -> Option<String> {
        let value = per_second(self.value, throughput)?;
        let half_width = self.relative().map(|relative| relative * value);
        let units = match throughput.unit {
            ThroughputUnit::Bytes => BYTES,
            ThroughputUnit::Items => ITEMS,
        };
        Some(Figure::within(value, half_width).in_units(units))
    }

    /// The number in a unit that is not one of ours; `None` for a number that has no form in it.
    fn scaled(&self, unit: &ScaleUnit, style: &Style) -> Option<String> {
        let value = unit.of(self.value);
        let half_width = self.half_width.map(|half| {
            if unit.falls && half > 0.0 {
                // As wide in proportion, near enough for its digits.
                half * (value / self.value).abs()
            } else {
                half * (unit.shown / unit.from).abs()
            }
        });
        let figure = Figure::within(value, half_width);
        value
            .is_finite()
            .then(|| figure.with_unit(&unit.unit, style))
    }

    fn with_unit(&self, unit: &str, style: &Style) -> String {
        format!("{} {}", self.number(NUMBERS), style.safe(unit))
    }

    /// The number, with the prefix of a unit if it needs one. Where all launches agree there is no last digit to stop
    /// at: a whole number is shown digit by digit.
    fn number(&self, units: &[Unit]) -> String {
        if self.is_whole() {
            (self.value as i64).to_string()
        } else {
            self.in_units(units)
        }
    }

    fn is_whole(&self) -> bool {
        self.half_width == Some(0.0) && self.value.fract() == 0.0 && self.value.abs() < MOST_WHOLE
    }

    /// The number in the first unit that it is small enough for; in the last one if in none.
    pub(crate) fn in_units(&self, units: &[Unit]) -> String {
        let last = units.len() - 1;
        for (at, unit) in units.iter().enumerate() {
            let value = self.value / unit.size;
            let decimals = self.decimals(unit.size);
            // What would be rounded up to a thousand belongs to the next unit.
            let rounds_to = value.abs() + 0.5 * 10_f64.powi(-decimals);
            if rounds_to < unit.below && decimals <= MOST_DECIMALS {
                return format!("{value:.*}{}", decimals as usize, unit.name);
            }
            if at == last || decimals > MOST_DECIMALS {
                // No measurement is as large or small as this; it is shown, but not at length.
                return format!("{value:.2e}{}", unit.name);
            }
        }
        String::new()
    }

    /// Decimals that the half-width supports when the value is given in a unit of this size.
    fn decimals(&self, size: f64) -> i32 {
        let value = (self.value / size).abs();
        // Rounding to four digits may give the number a digit more.
        let first = exponent(value + 0.5 * 10_f64.powi(exponent(value) - 3));
        let supported = match self.half_width {
            None => 2 - first,
            // A rounding error must not cost a digit.
            Some(half) if half > 0.0 => -exponent(half / size * (1.0 + 1e-9)),
            Some(_) => 3 - first,
        };
        let most = (3 - first).max(0);
        let supported = supported.clamp((-first).max(0), most);
        let is_within = |decimals: &i32| {
            let scale = 10_f64.powi(*decimals);
            let shown = (self.value / size * scale).round() / scale;
            let ends = self
                .ends
                .map(|(lower, upper)| (lower / size)..=(upper / size));
            ends.is_none_or(|ends| ends.contains(&shown))
        };
        (supported..most).find(is_within).unwrap_or(most)
    }
}

/// A time in nanoseconds whose interval is not known, with three digits; empty where there is none.
pub fn known_time(ns: Option<f64>, style: &Style) -> String {
    match ns {
        // "0.00 ns" would claim three digits.
        Some(0.0) => "0 ns".to_owned(),
        Some(value) => Figure::new(value, None, None).time(style),
        None => String::new(),
    }
}

/// What is processed in a second when an op takes this many nanoseconds; `None` for a time that is not positive, or
/// is so short that no number is large enough.
pub fn per_second(ns: f64, throughput: Throughput) -> Option<f64> {
    let rate = (ns > 0.0 && throughput.per_op > 0).then(|| throughput.per_op as f64 * 1e9 / ns);
    rate.filter(|rate| rate.is_finite())
}

/// An upper bound to be shown: two digits, rounded up.
pub fn bound(value: f64) -> Figure {
    two_digits(value, true)
}

fn two_digits(value: f64, up: bool) -> Figure {
    let place = 10_f64.powi(exponent(value) - 1);
    let digits = rounded(value / place, 0, up) * place;
    // The numbers nearest to zero, and to what is no number, have no two digits that are numbers.
    let value = if digits.is_finite() { digits } else { value };
    Figure::within(value, Some(place))
}

/// A figure of a result, such as its estimate or an end of its interval: `17.3 µs`, or `17.3 µs cpu`,
/// `3.20 retries`, `4.10 KiB sent` where it is not wall time. In the result's own units if it has some.
pub fn measured(result: &CaseResult, figure: Figure, style: &Style) -> String {
    if let Some(own) = &result.own {
        let unit = result.units.unit(figure.value);
        let scaled = unit.and_then(|unit| figure.scaled(unit, style));
        return scaled.unwrap_or_else(|| own_figure(own, figure, style));
    }
    match result.metric {
        Metric::Cycles => figure.cycles(),
        Metric::Time => figure.time(style),
        Metric::PeakMemory => figure.in_units(KIBIBYTES),
        Metric::PageFaults => format!("{} faults", figure.cycles()),
        Metric::Switches => format!("{} switches", figure.cycles()),
        metric if metric.is_event() => figure.cycles(),
        metric if metric.is_of_calls() => figure.time(style),
        metric => format!("{} {}", figure.time(style), word(metric)),
    }
}

/// An upper bound of a result: `1.3 µs`, rounded up.
pub fn upper_bound(result: &CaseResult, upper: f64, style: &Style) -> String {
    let scaled = result.units.unit(upper).and_then(|unit| {
        let rises = !unit.falls;
        let shown = rises.then(|| bound(unit.of(upper)));
        Some(shown?.with_unit(&unit.unit, style))
    });
    scaled.unwrap_or_else(|| measured(result, bound(upper), style))
}

/// Both ends of an interval that is too wide for a figure, rounded outwards: `1.0 ns to 11 ns`.
pub fn both_ends(result: &CaseResult, style: &Style) -> Option<String> {
    let end = |end, up| measured(result, two_digits(end, up), style);
    let (lower, upper) = (result.lower?, result.upper?);
    Some(format!("{} to {}", end(lower, false), end(upper, true)))
}

/// A rough estimate and its range: `~ 61 ns` and `39 … 84 ns`; where the range is wider than a factor of two on either
/// side, the range in place of the estimate, of which the upper end is left where it begins at zero. `None` without one.
pub fn rough(result: &CaseResult, style: &Style) -> Option<(String, String)> {
    let Rough {
        estimate,
        lower,
        upper,
    } = result.rough?;
    let end = |end, up| measured(result, two_digits(end, up), style);
    let (from, to) = (end(lower, false), end(upper, true));
    if !result.rough?.is_narrow() {
        let range = if lower > 0.0 {
            let dots = dots(style);
            format!("~ {from} {dots} {to}")
        } else {
            format!("~ < {to}")
        };
        return Some((range, "wide".to_owned()));
    }
    let half_width = Some((upper - lower) / 2.0);
    let estimate = measured(result, Figure::within(estimate, half_width), style);
    Some((format!("~ {estimate}"), range(&from, &to, style)))
}

/// Both ends of a range; one unit is enough where both have the same.
fn range(from: &str, to: &str, style: &Style) -> String {
    let (number, unit) = from.split_once(' ').unwrap_or((from, ""));
    let from = if to.ends_with(unit) { number } else { from };
    format!("{from} {} {to}", dots(style))
}

const fn dots(style: &Style) -> &'static str {
    if style.unicode { "…" } else { ".." }
}

/// The rate of a result, of wall time or in the result's own units: `17.3 M items/s`.
pub fn rate(result: &CaseResult, figure: Figure, style: &Style) -> Option<String> {
    match result.metric {
        Metric::Time => figure.rate(result.throughput?),
        _ => figure.scaled(result.rates.unit(figure.value)?, style),
    }
}

/// The word after figures of CPU time.
pub const fn word(metric: Metric) -> &'static str {
    match metric {
        Metric::CpuTime => "cpu",
        Metric::UserTime => "user",
        Metric::KernelTime => "kernel",
        _ => "",
    }
}

fn own_figure(own: &OwnMetric, figure: Figure, style: &Style) -> String {
    let whole = figure.is_whole();
    let shown = match own.unit.as_str() {
        "ns" if !whole => figure.time(style),
        "bytes" if !whole => figure.in_units(KIBIBYTES),
        unit => {
            let unit = if unit == "bytes" { "B" } else { unit };
            let number = figure.number(CYCLES);
            format!("{number} {}", style.safe(unit))
        }
    };
    if own.name == own.unit {
        shown
    } else {
        format!("{shown} {}", style.safe(&own.name))
    }
}

/// Whole numbers below this are shown digit by digit.
const MOST_WHOLE: f64 = 1e4;

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

const TIMES: &[Unit] = &[
    unit(1.0, 1e3, " ns"),
    unit(1e3, 1e3, " µs"),
    unit(1e6, 1e3, " ms"),
    unit(1e9, LARGEST, " s"),
];
const ASCII_TIMES: &[Unit] = &[
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
const NUMBERS: &[Unit] = &[unit(1.0, LARGEST, "")];
const KIBIBYTES: &[Unit] = &[
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

    #[test]
    fn rates_have_the_digits_of_their_time() {
        let of = |unit, per_op| Throughput { unit, per_op };
        let time = Figure::within(321.0, Some(6.1));
        for (throughput, expected) in [
            (of(ThroughputUnit::Bytes, 800), Some("2.49 GB/s")),
            (of(ThroughputUnit::Items, 100), Some("312 M items/s")),
            (of(ThroughputUnit::Bytes, 0), None),
        ] {
            assert_eq!(time.rate(throughput).as_deref(), expected);
        }
        for ns in [-1.0, f64::NAN, 5e-324] {
            let one = of(ThroughputUnit::Items, 1);
            assert_eq!(Figure::exact(ns).rate(one), None);
        }
    }

    #[test]
    fn no_figure_is_outside_of_its_interval() {
        let style = Style::default();
        for (value, lower, upper, expected) in [
            (1.24e6, 1.22e6, 9.83e6, "1.24 ms (1.2 … 9.9 ms)"),
            (1.48e6, 1.47e6, 1.8e6, "1.5 ms ±22 %"),
            (2.41e6, 2.405e6, 2.6e6, "2.41 ms ±7.9 %"),
            (423e3, 338e3, 7.31e6, "423 µs (330 µs … 7.4 ms)"),
            (8.0, 4.6, 11.4, "8 ns ±43 %"),
            (1.0, 1.0, 1.0, "1.000 ns ±0.01 %"),
            (-1.24, -9.83, -1.22, "-1.24 ns (-9.9 … -1.2 ns)"),
        ] {
            let figure = Figure::new(value, Some(lower), Some(upper));
            let spread = figure.plus_minus(|end| end.time(&style), &style);
            assert_eq!(figure.time(&style) + &spread, expected);
        }
        for value in 1..2000 {
            let value = f64::from(value) / 7.0;
            for (below, above) in [(0.001, 0.9), (0.02, 30.0), (0.4, 0.41), (0.5, 0.01)] {
                let ends = (value * (1.0 - below), value * (1.0 + above));
                let figure = Figure::new(value, Some(ends.0), Some(ends.1));
                let shown: f64 = figure
                    .with_unit("", &style)
                    .trim_end()
                    .parse()
                    .expect("a number");
                assert!((ends.0..=ends.1).contains(&shown), "{shown} {ends:?}");
            }
        }
    }

    #[test]
    fn a_time_that_is_not_known_is_empty() {
        let shown = |ns| known_time(ns, &Style::default());
        assert_eq!(
            [Some(8.361), Some(4e6), Some(0.0), None].map(shown),
            ["8.36 ns", "4.00 ms", "0 ns", ""]
        );
    }

    #[test]
    fn bounds_are_rounded_up() {
        let style = Style::default();
        for (ns, expected) in [
            (0.0481, "0.049 ns"),
            (0.05, "0.050 ns"),
            (0.123, "0.13 ns"),
            (1.01, "1.1 ns"),
            (123.4, "130 ns"),
            (996.0, "1.00 µs"),
        ] {
            assert_eq!(bound(ns).time(&style), expected);
        }
        assert_eq!(bound(0.171).cycles(), "0.18");
        assert_eq!(bound(f64::MAX).time(&style), "1.80e299 s");
        assert_eq!(bound(5e-324).time(&style), "4.94e-324 ns");
    }
}
