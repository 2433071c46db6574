//! Changes in words that people use.

use tourbillon_record::Verdict;

use crate::Style;
use crate::number::{LARGE, factor, rounded};

/// From this factor on, a change is written as a factor and not in per cent.
const FACTOR: f64 = 2.0;
/// Most decimals of per cent.
const MOST_DECIMALS: f64 = 3.0;

/// How much longer or shorter something takes: `-22 %`, `+3.1 %`, and from a factor of two on `2.7x slower`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The change, with the digits that its interval supports.
    pub text: String,
    /// Its interval, in the same unit; empty where there is none.
    pub interval: String,
}

impl Change {
    /// That of a verdict, from the reference to the case; `None` without a ratio.
    pub fn of(verdict: &Verdict, style: &Style) -> Option<Change> {
        let ratio = verdict.ratio.filter(|ratio| ratio.is_finite())?;
        let ends = verdict.lower.zip(verdict.upper);
        let is_number = verdict.number.is_some();
        let words = if is_number {
            ["more", "less"]
        } else {
            ["slower", "faster"]
        };
        let change = match ends {
            // The larger by the smaller, so that twice and half are both a factor of two.
            Some((lower, _)) if ratio >= FACTOR && lower > 1.0 => of_factor(ratio, ends, words[0]),
            None if ratio >= FACTOR => of_factor(ratio, ends, words[0]),
            Some((_, upper)) if ratio <= 1.0 / FACTOR && upper < 1.0 => {
                let ends = ends.map(|(lower, upper)| (1.0 / upper, 1.0 / lower));
                of_factor(1.0 / ratio, ends, words[1])
            }
            None if ratio <= 1.0 / FACTOR => of_factor(1.0 / ratio, None, words[1]),
            _ => of_share(ratio, ends),
        };
        Some(change.with_glyphs(style))
    }

    /// That of a verdict which is undecided: `between -5 and +30 %`.
    pub fn between(verdict: &Verdict, style: &Style) -> Option<String> {
        let interval = Change::of(verdict, style)?.interval;
        let ends = interval.split_once(" … ");
        let (lower, upper) = ends.or_else(|| interval.split_once(" .. "))?;
        Some(format!("between {lower} and {upper}"))
    }

    /// That of a ratio without an interval.
    pub fn of_ratio(ratio: f64, style: &Style) -> Option<Change> {
        let verdict = Verdict {
            ratio: Some(ratio),
            ..Verdict::default()
        };
        Change::of(&verdict, style)
    }

    /// An exact ratio with two decimals, of ten and more as a factor; in ASCII, as it also stands in messages.
    pub fn exact(ratio: f64) -> String {
        let ascii = Style {
            unicode: false,
            ..Style::default()
        };
        Change::share(ratio, (ratio, ratio), &ascii)
    }

    /// A ratio in per cent, of ten and more as a factor: `-62 %`, `x12`.
    pub fn share(ratio: f64, ends: (f64, f64), style: &Style) -> String {
        let text = if ratio < 10.0 {
            of_share(ratio, Some(ends)).text
        } else {
            format!("x{}", factor(ratio, 0))
        };
        let interval = String::new();
        Change { text, interval }.with_glyphs(style).text
    }

    /// What is written with characters of ASCII, as a terminal shows it.
    fn with_glyphs(mut self, style: &Style) -> Change {
        if style.unicode {
            self.text = self.text.replace('-', "−").replacen('x', "×", 1);
            let interval = self.interval.replace('-', "−").replace("..", "…");
            self.interval = interval.replace('x', "×");
        }
        self
    }
}

/// Decimals that leave the half-width of an interval one digit.
fn decimals(ends: Option<(f64, f64)>, unit: f64, without: usize) -> usize {
    let Some((lower, upper)) = ends else {
        return without;
    };
    let half = (upper - lower) / 2.0 * unit;
    if half <= 0.0 {
        return 2;
    }
    (-half.log10()).ceil().clamp(0.0, 2.0) as usize
}

/// Decimals with which an interval on one side of zero does not seem to contain it, as far as per cent have them.
fn beside_zero((lower, upper): (f64, f64), percent: impl Fn(f64) -> f64) -> usize {
    let nearest = match (percent(lower), percent(upper)) {
        (lower, _) if lower > 0.0 => lower,
        (_, upper) if upper < 0.0 => -upper,
        _ => return 0,
    };
    let needed = (-nearest.log10()).ceil();
    // Closer to zero it is zero.
    if needed <= MOST_DECIMALS {
        needed.max(0.0) as usize
    } else {
        0
    }
}

fn of_share(ratio: f64, ends: Option<(f64, f64)>) -> Change {
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let decimals = decimals(ends, 100.0, 1).max(ends.map_or(0, |ends| beside_zero(ends, percent)));
    // Without a unit: one is enough for both ends. A large ratio has none, and its per cent may be no number.
    let shown = |ratio: f64, round: &dyn Fn(f64) -> f64| {
        if ratio < LARGE {
            (format!("{:+.decimals$}", round(percent(ratio))), " %")
        } else {
            (format!("x{}", factor(ratio, 0)), "")
        }
    };
    let interval = ends.map_or_else(String::new, |(lower, upper)| {
        let (lower, of_lower) = shown(lower, &|end| rounded(end, decimals, false));
        let (upper, unit) = shown(upper, &|end| rounded(end, decimals, true));
        let own = if of_lower == unit { "" } else { of_lower };
        format!("{lower}{own} .. {upper}{unit}")
    });
    let scale = 10_f64.powi(decimals as i32);
    // Adding zero turns a negative zero into zero.
    let (value, unit) = shown(ratio, &|value| (value * scale).round() / scale + 0.0);
    Change {
        text: format!("{value}{unit}"),
        interval,
    }
}

fn of_factor(times: f64, ends: Option<(f64, f64)>, word: &str) -> Change {
    let least = usize::from(times < 9.95);
    let decimals = decimals(ends, 1.0, 1).max(least);
    let interval = ends.map_or_else(String::new, |(lower, upper)| {
        let lower = rounded(lower, decimals, false);
        let upper = rounded(upper, decimals, true);
        format!("{} .. {}", factor(lower, decimals), factor(upper, decimals))
    });
    Change {
        text: format!("{}x {word}", factor(times, decimals)),
        interval,
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::ComparedNumber;

    use super::*;

    fn of(ratio: f64, ends: Option<(f64, f64)>) -> (String, String) {
        let verdict = Verdict {
            ratio: Some(ratio),
            lower: ends.map(|(lower, _)| lower),
            upper: ends.map(|(_, upper)| upper),
            ..Verdict::default()
        };
        let change = Change::of(&verdict, &Style::default()).expect("a change");
        (change.text, change.interval)
    }

    #[test]
    fn small_changes_are_in_per_cent_and_large_ones_are_factors() {
        for (ratio, ends, text, interval) in [
            (0.776, (0.756, 0.808), "−22 %", "−25 … −19 %"),
            (1.0312, (1.0283, 1.0338), "+3.1 %", "+2.8 … +3.4 %"),
            (1.00412, (1.00381, 1.00437), "+0.41 %", "+0.38 … +0.44 %"),
            (0.9999, (0.99, 1.01), "0 %", "−1 … +1 %"),
            // Beside zero, however wide.
            (0.99, (0.98, 0.9996), "−1.00 %", "−2.00 … −0.04 %"),
            (1.02, (1.003, 1.04), "+2.0 %", "+0.3 … +4.0 %"),
            (1.02, (1.000_001, 1.04), "+2 %", "+0 … +4 %"),
            (2.7, (2.55, 2.86), "2.7× slower", "2.5 … 2.9"),
            (0.2825, (0.2793, 0.2849), "3.54× faster", "3.51 … 3.59"),
            (0.5, (0.49, 0.51), "2.00× faster", "1.96 … 2.05"),
            (14.3, (12.0, 17.0), "14× slower", "12 … 17"),
            // Which way it goes is not known.
            (2.2, (0.8, 6.0), "+120 %", "−20 … +500 %"),
            (0.4, (0.2, 1.3), "−60 %", "−80 … +30 %"),
        ] {
            let found = of(ratio, Some(ends));
            let text = if text == "0 %" { "+0 %" } else { text };
            assert_eq!(found, (text.to_owned(), interval.to_owned()), "{ratio}");
        }
    }

    /// Those of records in which an estimate is a subnormal number or nearly the largest.
    #[test]
    fn no_change_is_no_number() {
        const MOST: f64 = f64::MAX;
        const LEAST: f64 = 5e-324;
        for (ratio, ends, text, interval) in [
            (MOST, (1e300, MOST), "1.8e308× slower", "1.0e300 … 1.8e308"),
            (MOST, (0.5, MOST), "×1.8e308", "−50 % … ×1.8e308"),
            (
                LEAST,
                (0.0, 1e-9),
                "over 1.7e308× faster",
                "1.0e9 … over 1.7e308",
            ),
            (0.5, (0.0, 0.9), "2.0× faster", "1.1 … over 1.7e308"),
            (1.0, (0.0, MOST), "+0 %", "−100 % … ×1.8e308"),
            (
                1e300,
                (1e300, 1e300),
                "1.0e300× slower",
                "1.0e300 … 1.0e300",
            ),
        ] {
            let found = of(ratio, Some(ends));
            assert_eq!(found, (text.to_owned(), interval.to_owned()), "{ratio}");
        }
        assert_eq!(Change::exact(MOST), "x1.8e308");
    }

    #[test]
    fn what_is_undecided_lies_between_two_changes() {
        let verdict = Verdict {
            ratio: Some(1.1),
            lower: Some(0.953),
            upper: Some(1.29),
            ..Verdict::default()
        };
        let of = |unicode| {
            let style = Style {
                unicode,
                ..Style::default()
            };
            Change::between(&verdict, &style).unwrap_or_default()
        };
        assert_eq!(of(true), "between −5 and +29 %");
        assert_eq!(of(false), "between -5 and +29 %");
        assert_eq!(
            Change::between(&Verdict::default(), &Style::default()),
            None
        );
    }

    #[test]
    fn exact_changes_have_no_interval() {
        assert_eq!(of(1.25, None), ("+25.0 %".to_owned(), String::new()));
        assert_eq!(of(3.0, None), ("3.0× slower".to_owned(), String::new()));
        let number = Verdict {
            ratio: Some(4.0),
            number: Some(ComparedNumber::default()),
            ..Verdict::default()
        };
        let ascii = Style {
            unicode: false,
            ..Style::default()
        };
        let change = Change::of(&number, &ascii).expect("a change");
        assert_eq!(change.text, "4.0x more");
        assert_eq!(Change::of(&Verdict::default(), &ascii), None);
    }
}
