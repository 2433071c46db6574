//! How far off the kernels were.

use crate::cells::percent;
use crate::doctor::finding::Said;
use crate::doctor::tree::Known;

/// What a right measurement is off at most: a share, or so many cycles where that is more.
const RIGHT: (f64, f64) = (0.001, 0.02);
/// From here on figures are worse for it.
const NEAR: (f64, f64) = (0.01, 0.05);

/// One kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Cycles that it costs.
    pub(crate) truth: f64,
    pub(crate) shown: Shown,
}

/// What it measured as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    /// Cycles, and the interval.
    Cycles {
        cycles: f64,
        lower: Option<f64>,
        upper: Option<f64>,
    },
    /// Not to be told from nothing.
    BelowResolution,
    /// No figure came out.
    Nothing,
}

/// How a kernel's figure is to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nearness {
    /// Within 0.1 % or 0.02 cycles.
    Right,
    /// Within 1 % or 0.05 cycles.
    Near,
    /// Farther off, or without a figure.
    Wrong,
}

impl Nearness {
    /// The word for it, in text and in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Nearness::Right => "right",
            Nearness::Near => "near",
            Nearness::Wrong => "wrong",
        }
    }
}

impl Row {
    pub(crate) fn verdict(&self) -> Nearness {
        if self.is_within(RIGHT) {
            Nearness::Right
        } else if self.is_within(NEAR) {
            Nearness::Near
        } else {
            Nearness::Wrong
        }
    }

    /// By how many cycles it is off; `None` without a figure.
    pub(crate) fn error(&self) -> Option<f64> {
        match self.shown {
            Shown::Cycles { cycles, .. } => Some(cycles - self.truth),
            Shown::BelowResolution if self.truth == 0.0 => Some(0.0),
            Shown::BelowResolution | Shown::Nothing => None,
        }
    }

    /// Whether it is off by less than a limit: a share, or so many cycles.
    fn is_within(&self, (share, cycles): (f64, f64)) -> bool {
        let allowed = (share * self.truth).max(cycles);
        self.error().is_some_and(|error| error.abs() <= allowed)
    }
}

/// What is said about all of them.
pub(super) fn judged(rows: &[Row]) -> Known<Said> {
    if rows.iter().all(|row| row.shown == Shown::Nothing) {
        return Err("no kernel gave a figure in cycles".to_owned());
    }
    let of = |nearness| rows.iter().filter(move |row| row.verdict() == nearness);
    let count = rows.len();
    let near = of(Nearness::Near).count();
    Ok(match (near, of(Nearness::Wrong).count()) {
        (0, 0) => Said::fine(format!(
            "{count} kernels measure as what they cost, within 0.1 % or 0.02 cycles"
        )),
        (_, 0) => Said::note(
            format!(
                "{near} of {count} kernels are off by {}",
                worst(of(Nearness::Near))
            ),
            "repeat it when the machine is quiet",
        ),
        (_, wrong) => Said::matters(
            format!(
                "{wrong} of {count} kernels are off by {}",
                worst(of(Nearness::Wrong))
            ),
            "other findings may say why; where none does, measure on another machine",
        ),
    })
}

/// `up to 3.1 % (lat_10)`.
fn worst<'r>(rows: impl Iterator<Item = &'r Row>) -> String {
    // One without a figure is worse than any.
    let off = |row: &Row| {
        row.error()
            .map_or(f64::INFINITY, |error| error.abs() / row.truth.max(1.0))
    };
    let worst = rows.max_by(|a, b| off(a).total_cmp(&off(b)));
    match worst.map(|row| (row, off(row))) {
        Some((row, share)) if share.is_finite() => {
            format!("up to {} ({})", percent(share), row.name)
        }
        Some((row, _)) => format!("so much that {} has no figure", row.name),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    fn row(truth: f64, cycles: f64) -> Row {
        Row {
            name: format!("lat_{truth}"),
            truth,
            shown: Shown::Cycles {
                cycles,
                lower: None,
                upper: None,
            },
        }
    }

    fn empty(shown: Shown) -> Row {
        Row {
            name: "empty".to_owned(),
            truth: 0.0,
            shown,
        }
    }

    fn said(rows: &[Row]) -> Said {
        judged(rows).unwrap()
    }

    #[test]
    fn errors_decide() {
        let fine = [
            row(1.0, 1.019),
            row(3_000.0, 3_002.9),
            empty(Shown::BelowResolution),
        ];
        assert_eq!(said(&fine).severity, Severity::Fine);
        assert!(fine.iter().all(|row| row.verdict() == Nearness::Right));
        let noted = said(&[row(1.0, 1.0), row(3_000.0, 3_009.0)]);
        assert_eq!(noted.severity, Severity::Note);
        assert!(
            noted
                .found
                .starts_with("1 of 2 kernels are off by up to 0.3 % (lat_3000)"),
            "{noted:?}"
        );
        let bad = said(&[row(1.0, 1.5), row(3_000.0, 3_009.0)]);
        assert_eq!(bad.severity, Severity::Matters);
        assert!(
            bad.found
                .ends_with("1 of 2 kernels are off by up to 50 % (lat_1)"),
            "{bad:?}"
        );
    }

    #[test]
    fn nothing_made_of_something_and_something_of_nothing() {
        assert_eq!(
            said(&[empty(Shown::Cycles {
                cycles: 0.2,
                lower: None,
                upper: None
            })])
            .severity,
            Severity::Matters
        );
        let lost = Row {
            shown: Shown::BelowResolution,
            ..row(1.0, 0.0)
        };
        let lost = said(&[lost, row(3.0, 3.0)]);
        assert_eq!(lost.severity, Severity::Matters);
        assert!(
            lost.found.contains("so much that lat_1 has no figure"),
            "{lost:?}"
        );
        assert!(judged(&[empty(Shown::Nothing)]).is_err());
    }
}
