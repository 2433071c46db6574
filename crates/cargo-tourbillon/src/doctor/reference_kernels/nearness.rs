//! How near the measurements of the kernels are to their known costs.

use tourbillon_present::number::percent;

use crate::doctor::finding::Assessment;
use crate::doctor::tree::Known;

/// Largest error of a right measurement: a share, or cycles if that is more.
const RIGHT: (f64, f64) = (0.001, 0.02);
/// Largest error that only deserves a note.
const NEAR: (f64, f64) = (0.01, 0.05);

/// One kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KernelRow {
    pub(crate) name: String,
    /// Its cost in cycles.
    pub(crate) truth: f64,
    /// Its measurement.
    pub(crate) shown: Shown,
}

/// The measurement of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    /// Cycles, and their interval.
    Cycles {
        cycles: f64,
        lower: Option<f64>,
        upper: Option<f64>,
    },
    /// Not distinguishable from zero.
    BelowResolution,
    /// No figure.
    Nothing,
}

/// How near a measurement is.
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
    /// Its name in text and JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Nearness::Right => "right",
            Nearness::Near => "near",
            Nearness::Wrong => "wrong",
        }
    }
}

impl KernelRow {
    pub(crate) fn nearness(&self) -> Nearness {
        if self.is_within(RIGHT) {
            Nearness::Right
        } else if self.is_within(NEAR) {
            Nearness::Near
        } else {
            Nearness::Wrong
        }
    }

    /// The error in cycles; `None` without a figure.
    pub(crate) fn error(&self) -> Option<f64> {
        match self.shown {
            Shown::Cycles { cycles, .. } => Some(cycles - self.truth),
            Shown::BelowResolution if self.truth == 0.0 => Some(0.0),
            Shown::BelowResolution | Shown::Nothing => None,
        }
    }

    /// Whether the error is within a limit.
    fn is_within(&self, (share, cycles): (f64, f64)) -> bool {
        let allowed = (share * self.truth).max(cycles);
        self.error().is_some_and(|error| error.abs() <= allowed)
    }
}

/// The assessment of all kernels.
pub(super) fn assess(rows: &[KernelRow]) -> Known<Assessment> {
    if rows.iter().all(|row| row.shown == Shown::Nothing) {
        return Err("no kernel gave a figure in cycles".to_owned());
    }
    let of = |nearness| rows.iter().filter(move |row| row.nearness() == nearness);
    let count = rows.len();
    let near = of(Nearness::Near).count();
    Ok(match (near, of(Nearness::Wrong).count()) {
        (0, 0) => Assessment::fine(format!(
            "{count} kernels measure within 0.1 % or 0.02 cycles of their cost"
        )),
        (_, 0) => {
            let worst = worst(of(Nearness::Near));
            let found = format!("{near} of {count} kernels off{worst}");
            Assessment::note(found, "repeat it when the machine is quiet")
        }
        (_, wrong) => {
            let worst = worst(of(Nearness::Wrong));
            let found = format!("{wrong} of {count} kernels off{worst}");
            let remedy = "other findings may explain it; otherwise measure on another machine";
            Assessment::matters(found, remedy)
        }
    })
}

/// `up to 3.1 % (lat_10)`.
fn worst<'r>(rows: impl Iterator<Item = &'r KernelRow>) -> String {
    // A kernel without a figure is worst.
    let off = |row: &KernelRow| {
        row.error()
            .map_or(f64::INFINITY, |error| error.abs() / row.truth.max(1.0))
    };
    let Some(row) = rows.max_by(|a, b| off(a).total_cmp(&off(b))) else {
        return String::new();
    };
    match off(row) {
        share if share.is_finite() => format!(", by up to {} ({})", percent(share), row.name),
        _ => format!(": {} has no figure", row.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    fn row(truth: f64, cycles: f64) -> KernelRow {
        KernelRow {
            name: format!("lat_{truth}"),
            truth,
            shown: Shown::Cycles {
                cycles,
                lower: None,
                upper: None,
            },
        }
    }

    fn empty(shown: Shown) -> KernelRow {
        KernelRow {
            name: "empty".to_owned(),
            truth: 0.0,
            shown,
        }
    }

    fn assessed(rows: &[KernelRow]) -> Assessment {
        assess(rows).unwrap()
    }

    #[test]
    fn errors_decide() {
        let fine = [
            row(1.0, 1.019),
            row(3_000.0, 3_002.9),
            empty(Shown::BelowResolution),
        ];
        assert_eq!(assessed(&fine).severity, Severity::Fine);
        assert!(fine.iter().all(|row| row.nearness() == Nearness::Right));
        let noted = assessed(&[row(1.0, 1.0), row(3_000.0, 3_009.0)]);
        assert_eq!(noted.severity, Severity::Note);
        assert!(
            noted
                .found
                .starts_with("1 of 2 kernels off, by up to 0.3 % (lat_3000)"),
            "{noted:?}"
        );
        let bad = assessed(&[row(1.0, 1.5), row(3_000.0, 3_009.0)]);
        assert_eq!(bad.severity, Severity::Matters);
        assert!(
            bad.found
                .ends_with("1 of 2 kernels off, by up to 50 % (lat_1)"),
            "{bad:?}"
        );
    }

    #[test]
    fn nothing_made_of_something_and_something_of_nothing() {
        assert_eq!(
            assessed(&[empty(Shown::Cycles {
                cycles: 0.2,
                lower: None,
                upper: None
            })])
            .severity,
            Severity::Matters
        );
        let lost = KernelRow {
            shown: Shown::BelowResolution,
            ..row(1.0, 0.0)
        };
        let lost = assessed(&[lost, row(3.0, 3.0)]);
        assert_eq!(lost.severity, Severity::Matters);
        assert!(
            lost.found
                .contains("1 of 2 kernels off: lat_1 has no figure"),
            "{lost:?}"
        );
        assert!(assess(&[empty(Shown::Nothing)]).is_err());
    }
}
