//! Numbers with their units, as criterion prints them.

use tourbillon_record::{Absence, CaseResult, Scale};
use tourbillon_report::escape;

use crate::amount::Amount;

/// Units, each with the value from which on it is used.
type Units = [(f64, &'static str)];

const TIMES: &Units = &[
    (1e-3, "ps"),
    (1.0, "ns"),
    (1e3, "µs"),
    (1e6, "ms"),
    (1e9, "s"),
];
const BITS: &Units = &[(1.0, "  b/s"), (1e3, "Kb/s"), (1e6, "Mb/s"), (1e9, "Gb/s")];
const BYTES: &Units = &[
    (1.0, "  B/s"),
    (1024.0, "KiB/s"),
    (1024.0 * 1024.0, "MiB/s"),
    (1024.0 * 1024.0 * 1024.0, "GiB/s"),
];
const DECIMAL_BYTES: &Units = &[(1.0, "  B/s"), (1e3, "KB/s"), (1e6, "MB/s"), (1e9, "GB/s")];
const ELEMENTS: &Units = &[
    (1.0, " elem/s"),
    (1e3, "Kelem/s"),
    (1e6, "Melem/s"),
    (1e9, "Gelem/s"),
];

/// The largest unit that is not above a value, else the first.
fn unit_of(units: &Units, value: f64) -> (f64, &'static str) {
    let fitting = units.iter().rev().find(|(from, _)| value >= *from);
    *fitting.unwrap_or(&units[0])
}

/// A unit for times, and its nanoseconds.
pub(crate) fn time_unit(ns: f64) -> (f64, &'static str) {
    unit_of(TIMES, ns)
}

/// The rate of iterations that take `ns` each; of elements, where there are elements and bytes.
pub(crate) fn per_second(amount: Amount, ns: f64) -> f64 {
    let (Amount::Bits(count)
    | Amount::Bytes(count)
    | Amount::BytesDecimal(count)
    | Amount::Elements(count)
    | Amount::ElementsAndBytes {
        elements: count, ..
    }) = amount;
    count as f64 * 1e9 / ns
}

/// A unit for rates of iterations that take `ns` each, and what it is a second.
pub(crate) fn rate_unit(amount: Amount, ns: f64) -> (f64, &'static str) {
    let units = match amount {
        Amount::Bits(_) => BITS,
        Amount::Bytes(_) => BYTES,
        Amount::BytesDecimal(_) => DECIMAL_BYTES,
        Amount::Elements(_) | Amount::ElementsAndBytes { .. } => ELEMENTS,
    };
    unit_of(units, per_second(amount, ns))
}

/// A rate: `1.2345 Melem/s`.
pub(crate) fn rate(amount: Amount, ns: f64) -> String {
    let (divisor, unit) = rate_unit(amount, ns);
    format!("{:>6} {unit}", short(per_second(amount, ns) / divisor))
}

/// A number in about five digits.
pub(crate) fn short(value: f64) -> String {
    let decimals = match value {
        _ if value < 10.0 => 4,
        _ if value < 100.0 => 3,
        _ if value < 1_000.0 => 2,
        _ if value < 10_000.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// A number in the unit of a result: `1.2345 µs`.
pub(crate) fn value(result: &CaseResult, number: f64) -> String {
    if is_time(result) {
        let (divisor, unit) = time_unit(number);
        format!("{:>6} {unit}", short(number / divisor))
    } else {
        let shown = show(&result.units, number, number);
        shown.unwrap_or_else(|| format!("{:>6} {}", short(number), escape(result.unit(), true)))
    }
}

/// A number of a result whose size is `typical`, both in the unit of files; `None` without a unit for it.
pub(crate) fn show(scale: &Scale, typical: f64, number: f64) -> Option<String> {
    let unit = scale.unit(typical)?;
    let name = escape(&unit.unit, true);
    Some(format!("{:>6} {name}", short(unit.of(number))))
}

/// What stands in place of the three times: a rough estimate, a bound, or why there is none.
pub(crate) fn without_figure(result: &CaseResult) -> String {
    let Some(absence) = result.estimate.err() else {
        return "no figure".to_owned();
    };
    let why = why_absent(absence);
    let shown = |number| value(result, number).trim().to_owned();
    if let Some(rough) = result.rough {
        let (lower, upper) = (shown(rough.lower), shown(rough.upper));
        return if rough.is_narrow() {
            format!(
                "~ [{lower} {} {upper}] (rough: {why})",
                shown(rough.estimate)
            )
        } else {
            format!("~ [{lower} {upper}] (wide: {why})")
        };
    }
    match (absence, result.lower, result.upper) {
        (Absence::BelowResolution, _, Some(upper)) => format!("< {} ({why})", shown(upper)),
        (Absence::TooScattered, Some(lower), Some(upper)) => {
            format!("no figure: {why}, {} to {}", shown(lower), shown(upper))
        }
        _ => format!("no figure: {why}"),
    }
}

/// Why there is no figure.
pub(crate) fn why_absent(absence: Absence) -> &'static str {
    match absence {
        Absence::Failed => "failed",
        Absence::BelowResolution => "below the resolution",
        Absence::MachineBusy => "machine too busy",
        Absence::TooScattered => "too scattered",
        Absence::NotReached => "not reached",
        Absence::ClocksDisagree => "clocks disagree",
        Absence::CallsTooShort | Absence::TooFewCalls => "calls too short or too few",
    }
}

/// Whether a result is in nanoseconds.
pub(crate) fn is_time(result: &CaseResult) -> bool {
    result.unit() == "ns"
}

/// A relative change: `+1.2345%`, with the sign U+2212 for less.
pub(crate) fn percent(change: f64) -> String {
    let percent = change * 100.0;
    let sign = if percent < 0.0 { '\u{2212}' } else { '+' };
    format!("{sign}{}%", short(percent.abs()))
}

/// Fewest and most decimals of a [`decimal`]: the standard library's `#[bench]` has had two since 2024, and a number
/// that is smaller has as many as show two digits of it.
const DECIMALS: (i32, i32) = (2, 12);

/// A number with commas between thousands and decimals, as lines of `bencher` have it.
pub(crate) fn decimal(number: f64) -> String {
    let (fewest, most) = DECIMALS;
    let decimals = if number > 0.0 {
        (1 - number.log10().floor() as i32).clamp(fewest, most)
    } else {
        fewest
    };
    let digits = format!("{:.*}", decimals as usize, number.max(0.0));
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + "." + fraction
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Metric, OwnMetric};

    use super::*;

    #[test]
    fn numbers_are_those_of_criterion() {
        for (number, text) in [
            (0.4, "0.40"),
            (0.012_34, "0.012"),
            (1e-20, "0.000000000000"),
            (999.996, "1,000.00"),
            (1_234_567.0, "1,234,567.00"),
            (0.0, "0.00"),
            (-1.0, "0.00"),
        ] {
            assert_eq!(decimal(number), text);
        }
        assert_eq!(percent(0.012_345), "+1.2345%");
        assert_eq!(percent(-0.5), "\u{2212}50.000%");
        let own = CaseResult {
            metric: Metric::Own,
            own: Some(OwnMetric {
                name: "sent".to_owned(),
                unit: "bytes".to_owned(),
                ..OwnMetric::default()
            }),
            ..CaseResult::default()
        };
        assert_eq!(value(&own, 48.0), "48.000 bytes");
        assert_eq!(value(&CaseResult::default(), 48.0), "48.000 ns");
    }
}
