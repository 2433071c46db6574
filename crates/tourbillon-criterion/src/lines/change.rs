//! The lines of a change.

use tourbillon_criterion_files::Estimate;

use super::paint::{COLUMN, Paint, ends};
use crate::change::{Change, Verdict};
use crate::values::percent;

/// The lines of a change, of its time and, if `has_rate`, of the rate.
pub(super) fn lines(of: &Change, has_rate: bool, paint: Paint) -> String {
    let margin = " ".repeat(COLUMN);
    let times = Estimate {
        point: of.estimate,
        lower: of.lower,
        upper: of.upper,
        confidence: 1.0 - of.error,
        standard_error: 0.0,
    };
    // The interval holds all changes whose p-value is above its error.
    let p = if of.verdict == Verdict::NotDetected {
        format!(" (p > {:.3})\n", (of.error * 1e3 + 1e-9).floor() / 1e3)
    } else {
        let rounded_up = (of.error * 100.0 - 1e-9).ceil().max(1.0);
        format!(" (p < {:.2})\n", rounded_up / 100.0)
    };
    let line = |title, of: &Estimate| paint.three(title, ends(of, percent));
    let mut text = if has_rate {
        let rate = |time: f64| of.work() / (1.0 + time) - 1.0;
        let rates = Estimate {
            point: rate(of.estimate),
            lower: rate(of.upper),
            upper: rate(of.lower),
            ..times
        };
        format!(
            "{}change:\n{margin}{}{p}{margin}{}",
            " ".repeat(COLUMN - "change:".len()),
            line("time:   ", &times).trim_end(),
            line("thrpt:  ", &rates)
        )
    } else {
        format!("{margin}{}{p}", line("change: ", &times).trim_end())
    };
    text += &margin;
    text += &match of.verdict {
        Verdict::Improved => format!("Performance has {}.\n", paint.paint("32", "improved")),
        Verdict::Regressed => format!("Performance has {}.\n", paint.paint("31", "regressed")),
        Verdict::BelowThreshold => "Change within noise threshold.\n".to_owned(),
        Verdict::NotDetected => "No change in performance detected.\n".to_owned(),
    };
    if let Some(differs) = of.throughput_differs() {
        let subject = of.subject();
        text += &format!("{margin}The verdict is on the {subject}: {differs}.\n");
    }
    text
}
