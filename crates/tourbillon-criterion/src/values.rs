//! Numbers with their units, as criterion prints them.

use tourbillon_record::{Absence, CaseResult};
use tourbillon_report::escape;

use crate::measurement::{Measurement, WallTime, short};

/// A number in the unit of a result: `1.2345 µs`.
pub(crate) fn value(result: &CaseResult, number: f64) -> String {
    if is_time(result) {
        WallTime.formatter().format_value(number)
    } else {
        format!("{:>6} {}", short(number), escape(result.unit(), true))
    }
}

/// Why there is no figure.
pub(crate) fn without_figure(result: &CaseResult) -> String {
    let why = match result.estimate {
        Ok(_) | Err(Absence::Failed) => "failed",
        Err(Absence::BelowResolution) => match result.upper {
            Some(upper) => {
                return format!("< {} (below the resolution)", value(result, upper).trim());
            }
            None => "below the resolution",
        },
        Err(Absence::MachineBusy) => "machine too busy",
        Err(Absence::TooScattered) => "too scattered",
        Err(Absence::NotReached) => "not reached",
        Err(Absence::ClocksDisagree) => "clocks disagree",
        Err(Absence::CallsTooShort | Absence::TooFewCalls) => "calls too short or too few",
    };
    format!("no figure: {why}")
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

/// The nearest whole number, with commas between thousands.
pub(crate) fn integer(number: f64) -> String {
    let digits = format!("{:.0}", number.max(0.0));
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Metric, OwnMetric};

    use super::*;

    #[test]
    fn numbers_are_those_of_criterion() {
        for (number, text) in [
            (0.4, "0"),
            (999.6, "1,000"),
            (1_234_567.0, "1,234,567"),
            (-1.0, "0"),
        ] {
            assert_eq!(integer(number), text);
        }
        assert_eq!(percent(0.012_345), "+1.2345%");
        assert_eq!(percent(-0.5), "\u{2212}50.000%");
        let own = CaseResult {
            metric: Metric::Own,
            own: Some(OwnMetric {
                name: "sent".to_owned(),
                unit: "bytes".to_owned(),
            }),
            ..CaseResult::default()
        };
        assert_eq!(value(&own, 48.0), "48.000 bytes");
        assert_eq!(value(&CaseResult::default(), 48.0), "48.000 ns");
    }
}
