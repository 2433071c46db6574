//! What decides a verdict that lacks time: more of it, or another margin.

use tourbillon_analysis::{BLOCKS, differs};
use tourbillon_record::{Undecided, Verdict};

use crate::number::{duration, percent_at_most, trimmed_percent};

/// Most seconds of measuring that are advised, unless as long was measured already. The prediction rests on the width of
/// one interval, so that it may be wrong by a factor of two: of five minutes that is bearable. Hours are no
/// answer where another margin is one at once.
const LONGEST: f64 = 300.0;

/// A difference that may be left open as *same*: to say so of a wider interval, it first has to become narrower.
const SMALL: f64 = 0.05;

/// Distance of a margin from the end of an interval, and of a number of runs from what one predicts: it will be another one
/// next time.
pub const SLACK: f64 = 1.1;

/// Margins between 1 and 10, in whatever unit.
const STEPS: [f64; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];

/// The finest margin that is advised, and the widest one.
const MARGINS: (f64, f64) = (0.000_5, 0.8);

/// What decides a verdict that lacks time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// So many seconds of measuring.
    Time(f64),
    /// A margin within which both are the same, in as long again or in so many seconds.
    Wider {
        /// No difference is larger.
        beyond: f64,
        /// The margin.
        margin: f64,
        /// More time than was measured.
        seconds: Option<f64>,
    },
    /// A margin that the difference exceeds.
    Narrower(f64),
}

impl Remedy {
    /// That of a verdict; `None` where it lacks something else, or no flag can decide it.
    pub fn of(verdict: &Verdict) -> Option<Remedy> {
        if verdict.why != Some(Undecided::Time) {
            return None;
        }
        let most = LONGEST.max(2.0 * verdict.seconds);
        if let Some(seconds) = verdict.seconds_needed.filter(|seconds| *seconds <= most) {
            return Some(Remedy::Time(seconds));
        }
        // A limit is no margin, and that of a run's comparisons is fixed.
        if verdict.limit.is_some() || verdict.method == BLOCKS {
            return None;
        }
        let (lower, upper) = verdict.lower.zip(verdict.upper)?;
        if differs(verdict) {
            let least = (lower - 1.0).max(1.0 / upper - 1.0);
            let margin = step_below(least / SLACK)?;
            return Some(Remedy::Narrower(margin));
        }
        // A margin is as far on either side as a ratio; a difference is a change, as in the row.
        let within_now = (upper - 1.0).max(1.0 / lower - 1.0);
        let beyond = (upper - 1.0).max(1.0 - lower);
        let (middle, half) = ((upper * lower).ln() / 2.0, (upper / lower).ln() / 2.0);
        // Widths shrink with the root of the time.
        let later = (middle.abs() + half * (verdict.seconds / most).sqrt()).exp_m1();
        let (within, seconds) = if within_now > SMALL && verdict.seconds > 0.0 {
            (later, Some(most.ceil()))
        } else {
            (within_now, None)
        };
        let margin = step_above(within * SLACK)?;
        Some(Remedy::Wider {
            beyond,
            margin,
            seconds,
        })
    }

    /// What is known, and the flags.
    pub(super) fn words(self) -> [String; 2] {
        match self {
            Remedy::Time(seconds) => [
                needs_time("a verdict needs about", seconds),
                "raise --time".to_owned(),
            ],
            Remedy::Wider {
                beyond,
                margin,
                seconds,
            } => {
                let advice = match seconds {
                    Some(seconds) => format!("{} --time {seconds}s may decide", flag(margin)),
                    None => format!("for \"same\" within that: {}", flag(margin)),
                };
                [
                    format!("no difference beyond {}", percent_at_most(beyond)),
                    advice,
                ]
            }
            Remedy::Narrower(margin) => [
                "the difference is close to the margin".to_owned(),
                format!("{} may decide", flag(margin)),
            ],
        }
    }

    /// The flags, for commands, whose time is that of all of them: `--margin 3% --time 300s`.
    pub fn flags(self) -> String {
        match self {
            Remedy::Time(seconds) if seconds <= LONGEST => {
                time_flag((seconds * SLACK).min(LONGEST))
            }
            Remedy::Time(seconds) => time_flag(seconds * SLACK),
            Remedy::Wider {
                margin,
                seconds: Some(seconds),
                ..
            } => format!("{} {}", flag(margin), time_flag(seconds)),
            Remedy::Wider { margin, .. } | Remedy::Narrower(margin) => flag(margin),
        }
    }

    /// In a few words, beside an interval.
    pub(super) fn short(self) -> String {
        match self {
            Remedy::Time(seconds) => format!("{} more", duration((seconds * 1e9) as u64)),
            other => other.flags(),
        }
    }

    /// One for both; `None` where they are of different kinds.
    pub fn and(self, other: Remedy) -> Option<Remedy> {
        Some(match (self, other) {
            (Remedy::Time(one), Remedy::Time(other)) => Remedy::Time(one.max(other)),
            (Remedy::Narrower(one), Remedy::Narrower(other)) => Remedy::Narrower(one.min(other)),
            (
                Remedy::Wider {
                    beyond,
                    margin,
                    seconds,
                },
                Remedy::Wider {
                    beyond: other_beyond,
                    margin: other_margin,
                    seconds: other_seconds,
                },
            ) if seconds.is_some() == other_seconds.is_some() => Remedy::Wider {
                beyond: beyond.max(other_beyond),
                margin: margin.max(other_margin),
                seconds: seconds
                    .zip(other_seconds)
                    .map(|(one, other)| one.max(other)),
            },
            _ => return None,
        })
    }
}

/// How long it takes until a verdict is found: `a verdict needs about 20 s of measuring`.
pub fn needs_time(what: &str, seconds: f64) -> String {
    let needed = duration((seconds * 1e9) as u64);
    format!("{what} {needed} of measuring")
}

/// So many seconds at least, as a number that people type.
fn time_flag(seconds: f64) -> String {
    format!("--time {}s", round_above(seconds))
}

/// A whole number that is not smaller, with one digit or with two.
pub fn round_above(least: f64) -> u64 {
    let mut decade = 1.0;
    while decade * 10.0 < least {
        decade *= 10.0;
    }
    let steps = STEPS.map(|step| step * decade);
    let found = steps
        .into_iter()
        .find(|step| *step >= least && step.fract() == 0.0);
    found.unwrap_or(decade * 10.0) as u64
}

fn flag(margin: f64) -> String {
    format!("--margin {}", trimmed_percent(margin).replace(' ', ""))
}

/// The steps from the least to the widest margin.
fn steps() -> impl DoubleEndedIterator<Item = f64> {
    let decades = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1];
    let all = decades.map(|decade| STEPS.map(|step| step * decade));
    let is_margin = |step: &f64| (MARGINS.0..=MARGINS.1).contains(step);
    all.concat().into_iter().filter(is_margin)
}

fn step_above(least: f64) -> Option<f64> {
    steps().find(|step| *step >= least)
}

fn step_below(most: f64) -> Option<f64> {
    steps().rfind(|step| *step <= most)
}

#[cfg(test)]
mod tests {
    use tourbillon_analysis::Design;
    use tourbillon_record::Finding;

    use super::*;

    /// Measured for two seconds.
    fn open(ends: (f64, f64), seconds_needed: Option<f64>) -> Verdict {
        Verdict {
            finding: Finding::Undecided,
            why: Some(Undecided::Time),
            lower: Some(ends.0),
            upper: Some(ends.1),
            margin: 0.01,
            seconds: 2.0,
            seconds_needed,
            method: Design::Commands.method().to_owned(),
            ..Verdict::default()
        }
    }

    #[test]
    fn flags_can_be_typed() {
        for (least, expected) in [
            (0.2, 1),
            (1.0, 1),
            (1.2, 2),
            (2.2, 3),
            (9.0, 10),
            (11.0, 15),
            (41.8, 50),
            (300.0, 300),
            (330.1, 400),
        ] {
            assert_eq!(round_above(least), expected, "{least}");
        }
        let flags = |verdict: &Verdict| Remedy::of(verdict).map(Remedy::flags);
        let ends = (0.992, 1.012);
        let of = |flags: &str| Some(flags.to_owned());
        assert_eq!(flags(&open(ends, Some(38.0))), of("--time 50s"));
        assert_eq!(flags(&open(ends, Some(290.0))), of("--time 300s"));
        assert_eq!(flags(&open(ends, None)), of("--margin 1.5%"));
        let wide = open((0.87, 1.18), Some(2_580.0));
        assert_eq!(flags(&wide), of("--margin 3% --time 300s"));
    }

    fn words(verdict: &Verdict) -> String {
        let remedy = Remedy::of(verdict).expect("a remedy");
        format!("{} | {}", remedy.words().join("; "), remedy.short())
    }

    #[test]
    fn minutes_are_advised_and_hours_are_not() {
        let ends = (0.992, 1.012);
        assert_eq!(
            words(&open(ends, Some(40.0))),
            "a verdict needs about 40 s of measuring; raise --time | 40 s more"
        );
        let within =
            "no difference beyond 1.2 %; for \"same\" within that: --margin 1.5% | --margin 1.5%";
        for seconds in [Some(301.0), Some(114_720.0), None] {
            assert_eq!(words(&open(ends, seconds)), within, "{seconds:?}");
        }
        // The change of the row, though a margin has to be wider on the faster side.
        let remedy = words(&open((0.881, 1.08), None));
        assert!(remedy.contains("beyond 12 %; --margin"), "{remedy}");
        let long = Verdict {
            seconds: 3_600.0,
            ..open(ends, Some(7_200.0))
        };
        assert_eq!(Remedy::of(&long), Some(Remedy::Time(7_200.0)));
    }

    #[test]
    fn a_wide_interval_needs_minutes_and_a_margin() {
        assert_eq!(
            words(&open((0.87, 1.18), Some(2_580.0))),
            "no difference beyond 18 %; --margin 3% --time 300s may decide | --margin 3% --time 300s"
        );
    }

    #[test]
    fn a_known_direction_needs_a_margin_below_the_difference() {
        let close =
            "the difference is close to the margin; --margin 0.25% may decide | --margin 0.25%";
        assert_eq!(words(&open((1.003, 1.015), None)), close);
        assert_eq!(words(&open((0.985, 0.997), Some(1e6))), close);
        // Finer than measuring is.
        assert_eq!(Remedy::of(&open((1.000_3, 1.02), None)), None);
    }

    #[test]
    fn what_no_flag_decides_has_no_remedy() {
        let of_run = Verdict {
            method: BLOCKS.to_owned(),
            ..open((0.99, 1.02), None)
        };
        assert_eq!(Remedy::of(&of_run), None);
        let limit = Verdict {
            limit: Some(1.0),
            ..open((0.99, 1.02), None)
        };
        assert_eq!(Remedy::of(&limit), None);
        let few = Verdict {
            why: Some(Undecided::TooFew),
            ..open((0.99, 1.02), None)
        };
        assert_eq!(Remedy::of(&few), None);
    }
}
