//! What a figure is beside an earlier one that was not measured together with it.

use tourbillon_record::{CaseResult, ComparedNumber, Metric, Verdict};

use crate::Style;
use crate::change::Change;

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
    /// A figure divided by an earlier one, with the interval of the quotient of any two values in the two intervals;
    /// `None` where one of them is not known to hold for other processes.
    pub fn of(now: &CaseResult, then: &CaseResult) -> Option<Ratio> {
        let metric = now.metric;
        let (now, then) = (now.across_processes()?, then.across_processes()?);
        let [estimate, lower, upper] = [now[0] / then[0], now[1] / then[2], now[2] / then[1]];
        let sound = lower <= estimate && estimate <= upper && lower > 0.0 && upper.is_finite();
        sound.then_some(Ratio {
            metric,
            estimate,
            lower,
            upper,
        })
    }

    /// Whether the interval holds no change.
    pub fn may_be_none(&self) -> bool {
        self.lower <= 1.0 && self.upper >= 1.0
    }

    /// As a change: `-62 %`, `+3.1 %`, `x12`; a sign of equality where the interval holds 1.
    pub fn text(&self, style: &Style) -> String {
        if self.may_be_none() {
            return equality(style);
        }
        Change::share(self.estimate, (self.lower, self.upper), style)
    }

    /// In the words of a comparison: `-62 %`, `2.7x slower`; a sign of equality where the interval holds 1.
    pub fn in_words(&self, style: &Style) -> String {
        if self.may_be_none() {
            return equality(style);
        }
        let verdict = Verdict {
            ratio: Some(self.estimate),
            lower: Some(self.lower),
            upper: Some(self.upper),
            number: (self.metric == Metric::Own).then(ComparedNumber::default),
            ..Verdict::default()
        };
        Change::of(&verdict, style).map_or_else(String::new, |change| change.text)
    }
}

/// The sign of what intervals do not tell apart.
fn equality(style: &Style) -> String {
    if style.unicode { "≈" } else { "=" }.to_owned()
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Absence, Scope};

    use super::*;

    fn result(estimate: f64, lower: f64, upper: f64) -> CaseResult {
        CaseResult {
            case: "p/t::a".to_owned(),
            estimate: Ok(estimate),
            lower: Some(lower),
            upper: Some(upper),
            scope: Scope::Processes,
            ..CaseResult::default()
        }
    }

    #[test]
    fn the_interval_of_a_quotient_holds_all_quotients() {
        let ratio = Ratio::of(&result(8.0, 6.0, 10.0), &result(4.0, 2.0, 5.0));
        let expected = Ratio {
            metric: Metric::Time,
            estimate: 2.0,
            lower: 1.2,
            upper: 5.0,
        };
        assert_eq!(ratio, Some(expected));
    }

    #[test]
    fn figures_unknown_on_one_side_have_no_quotient() {
        let whole = result(8.0, 6.0, 10.0);
        let with = |change: fn(&mut CaseResult)| {
            let mut changed = whole.clone();
            change(&mut changed);
            changed
        };
        for changed in [
            with(|result| result.estimate = Err(Absence::BelowResolution)),
            with(|result| result.lower = None),
            with(|result| result.upper = None),
            with(|result| result.scope = Scope::Process),
            with(|result| result.lower = Some(0.0)),
            with(|result| result.upper = Some(f64::INFINITY)),
        ] {
            assert_eq!(Ratio::of(&changed, &whole), None, "{changed:?}");
            assert_eq!(Ratio::of(&whole, &changed), None, "{changed:?}");
        }
    }

    #[test]
    fn twice_as_much_is_a_factor_in_words_and_a_share_beside_a_figure() {
        let style = Style::default();
        let of = |metric, now, then| {
            let with = |estimate: f64| CaseResult {
                metric,
                ..result(estimate, 0.98 * estimate, 1.02 * estimate)
            };
            let ratio = Ratio::of(&with(now), &with(then)).expect("a ratio");
            (ratio.text(&style), ratio.in_words(&style))
        };
        for (metric, now, then, text, words) in [
            (Metric::Time, 27.0, 10.0, "+170 %", "2.7× slower"),
            (Metric::Time, 10.0, 36.0, "−72 %", "3.6× faster"),
            (Metric::Own, 120.0, 10.0, "×12", "12.0× more"),
            (Metric::Time, 38.0, 40.0, "−5 %", "−5 %"),
            (Metric::Time, 40.1, 40.0, "≈", "≈"),
        ] {
            let expected = (text.to_owned(), words.to_owned());
            assert_eq!(of(metric, now, then), expected, "{now} {then}");
        }
    }
}
