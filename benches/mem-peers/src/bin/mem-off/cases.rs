//! The figures of each case.

use std::fmt;

use tourbillon_stats::{
    Confidence, Interval, Sample, hodges_lehmann, median, signed_rank_interval,
};

use crate::rounds::Times;

/// Logarithms of the ratios of all rounds.
pub(crate) struct Case {
    pub(crate) name: String,
    plain_ns: Vec<f64>,
    again: Vec<f64>,
    metered: Vec<f64>,
}

/// Adds a round's figures. A case without a figure in one of the three (its code is below the resolution) has
/// none in this round.
pub(crate) fn add(cases: &mut Vec<Case>, plain: Times, again: &Times, metered: &Times) {
    for (name, ns) in plain {
        let (Some(again), Some(metered)) = (again.get(&name), metered.get(&name)) else {
            continue;
        };
        let place = cases.iter().position(|case| case.name == name);
        let place = place.unwrap_or_else(|| {
            cases.push(Case {
                name,
                plain_ns: Vec::new(),
                again: Vec::new(),
                metered: Vec::new(),
            });
            cases.len() - 1
        });
        let case = &mut cases[place];
        case.plain_ns.push(ns);
        case.again.push((again / ns).ln());
        case.metered.push((metered / ns).ln());
    }
}

/// The result of a case.
pub(crate) struct Found {
    pub(crate) plain_ns: f64,
    pub(crate) again: Ratio,
    pub(crate) metered: Ratio,
}

/// A ratio to the plain executable, with its interval.
pub(crate) struct Ratio {
    ratio: f64,
    interval: Interval,
}

impl Case {
    /// `None` with too few rounds for simultaneous intervals of all `cases`.
    pub(crate) fn found(&self, cases: usize) -> Option<Found> {
        // Bonferroni: the error is divided among the cases.
        let confidence = Confidence::new(1.0 - Confidence::P99.error() / cases as f64).ok()?;
        Some(Found {
            plain_ns: median(&Sample::new(self.plain_ns.clone()).ok()?),
            again: Ratio::of(&self.again, confidence)?,
            metered: Ratio::of(&self.metered, confidence)?,
        })
    }
}

impl Ratio {
    fn of(logs: &[f64], confidence: Confidence) -> Option<Self> {
        let sample = Sample::new(logs.to_vec()).ok()?;
        let interval = signed_rank_interval(&sample, confidence).ok()?;
        Some(Self {
            ratio: hodges_lehmann(&sample).exp(),
            interval: Interval {
                lower: interval.lower.exp(),
                upper: interval.upper.exp(),
                confidence: interval.confidence,
            },
        })
    }

    /// Empty if the interval contains 1.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.interval.contains(1.0) {
            ""
        } else if self.ratio > 1.0 {
            "slower"
        } else {
            "faster"
        }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { lower, upper, .. } = self.interval;
        write!(f, "{:.4} ({lower:.4} .. {upper:.4})", self.ratio)
    }
}

/// The ratios over all cases, each case counted once: again, and with the meter.
pub(crate) fn over_all(found: &[Found]) -> Option<(Ratio, Ratio)> {
    let of = |ratio: fn(&Found) -> &Ratio| {
        let logs: Vec<f64> = found.iter().map(|found| ratio(found).ratio.ln()).collect();
        Ratio::of(&logs, Confidence::P99)
    };
    Some((of(|found| &found.again)?, of(|found| &found.metered)?))
}
