//! Figures in the unit of what was measured, with the word that tells it from wall time.

use tourbillon_record::OwnMetric;
use tourbillon_record::{CaseResult, Metric};

use crate::figure::{AMOUNTS, KIBIBYTES};
use crate::text::Text;
use crate::{Figure, Style};

/// Whole numbers below this are shown digit by digit.
const MOST_WHOLE: f64 = 1e4;

/// The word that stands behind figures of a metric, where it is a time of processors.
pub(crate) const fn word(metric: Metric) -> &'static str {
    match metric {
        Metric::CpuTime => "cpu",
        Metric::UserTime => "user",
        Metric::KernelTime => "kernel",
        _ => "",
    }
}

/// A figure of a result, such as its estimate or an end of its interval: `17.3 µs`, or `17.3 µs cpu`,
/// `3.20 retries`, `4.10 KiB sent` where it is no wall time.
#[inline]
pub fn measured(result: &CaseResult, figure: Figure, style: &Style) -> String {
    let mut text = Text::new(style);
    if result.metric == Metric::Cycles {
        figure.push_cycles(&mut text.string);
    } else {
        say(&mut text, result, figure, style);
    }
    text.string
}

/// Says what [`measured`] returns, of what a case is measured in.
#[inline(never)]
pub(crate) fn say(text: &mut Text, result: &CaseResult, figure: Figure, style: &Style) {
    if let Some(own) = &result.own {
        say_own(text, own, figure, style);
        return;
    }
    figure.push_time(&mut text.string, style);
    if result.metric != Metric::Time {
        text.say(" ").say(word(result.metric));
    }
}

fn say_own(text: &mut Text, own: &OwnMetric, figure: Figure, style: &Style) {
    // Where all launches agree there is no last digit to stop at.
    let whole = figure.half_width == Some(0.0)
        && figure.value.fract() == 0.0
        && figure.value.abs() < MOST_WHOLE;
    match own.unit.as_str() {
        "ns" if !whole => figure.push_time(&mut text.string, style),
        "bytes" if !whole => figure.push(&mut text.string, KIBIBYTES),
        unit => {
            if whole {
                text.signed(figure.value as i64);
            } else {
                figure.push(&mut text.string, AMOUNTS);
            }
            text.say(" ").safe(if unit == "bytes" { "B" } else { unit });
        }
    }
    if own.name != own.unit {
        text.say(" ").safe(&own.name);
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{OwnMetric, Scope};

    use super::*;

    fn shown(metric: Metric, own: Option<(&str, &str)>, value: f64) -> String {
        let result = CaseResult {
            case: "c".to_owned(),
            metric,
            own: own.map(|(name, unit)| OwnMetric {
                name: name.to_owned(),
                unit: unit.to_owned(),
            }),
            estimate: Ok(value),
            lower: None,
            upper: None,
            confidence: None,
            scope: Scope::Processes,
            systematic: 0.0,
            launches: 20,
            samples: 40,
            mean: None,
            stddev: None,
            mad: None,
            fixed_cost: None,
            first_call: None,
            resolution: None,
            ops: 1,
            iterations: 1,
            elapsed_ns: 0.0,
            method: String::new(),
            notes: Vec::new(),
            unknown: String::new(),
        };
        measured(&result, Figure::exact(value), &Style::default())
    }

    #[test]
    fn only_wall_time_goes_without_a_word() {
        for (metric, expected) in [
            (Metric::Time, "1.234 µs"),
            (Metric::CpuTime, "1.234 µs cpu"),
            (Metric::UserTime, "1.234 µs user"),
            (Metric::KernelTime, "1.234 µs kernel"),
            (Metric::Cycles, "1234"),
        ] {
            assert_eq!(shown(metric, None, 1234.0), expected);
        }
    }

    #[test]
    fn own_metrics_have_their_unit_and_their_name() {
        for (name, unit, value, expected) in [
            ("retries", "retries", 3.2, "3.200 retries"),
            ("retries", "retries", 0.0, "0 retries"),
            ("retries", "retries", 3.0, "3 retries"),
            ("pause", "ns", 0.0, "0 ns pause"),
            ("frames", "frames", 123_456.0, "123.5 k frames"),
            ("sent", "bytes", 4_096.0, "4096 B sent"),
            ("sent", "bytes", 40_960.0, "40.00 KiB sent"),
            ("sent", "bytes", 1_000.5, "1000 B sent"),
            (
                "kernel of the device",
                "ns",
                1_234.0,
                "1234 ns kernel of the device",
            ),
            ("energy", "m\nJ", 7.5, "7.500 m\\nJ energy"),
        ] {
            assert_eq!(shown(Metric::Own, Some((name, unit)), value), expected);
        }
    }
}
