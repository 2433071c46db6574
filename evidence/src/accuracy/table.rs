use std::fmt;

use examples::landmarks::Truth;

use super::{Accuracy, Figure, Measured};

/// The error that is aimed at: this fraction of the truth or this many cycles, whichever is larger.
const AIM: (f64, f64) = (0.001, 0.02);

/// In Markdown: what ran, a table of the kernels, what it amounts to, and ratios of times, which
/// need no counter of cycles.
impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.about.join(" · "))?;
        writeln!(
            f,
            "| kernel | truth | estimate | interval | error | in cycles | truth inside |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|---|")?;
        for measured in &self.kernels {
            measured.row(f)?;
        }
        self.summary(f)?;
        self.ratios(f)?;
        self.with_inputs(f)?;
        self.sorts(f)
    }
}

impl Measured {
    pub(super) fn name(&self) -> String {
        match self.truth {
            Truth::Nothing => self.kernel.clone(),
            _ => format!("{}_{}", self.kernel, self.copies),
        }
    }

    pub(super) fn truth_text(&self) -> String {
        match self.truth {
            Truth::Cycles(cycles) if cycles.fract() == 0.0 => cycles.to_string(),
            Truth::Cycles(cycles) => format!("{cycles:.4}"),
            Truth::Nothing => "0".to_owned(),
            Truth::Open(why) => format!("({why})"),
        }
    }

    fn row(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} | {} |", self.name(), self.truth_text())?;
        let Some(cycles) = &self.cycles else {
            return writeln!(f, " no cycles on this machine | | | | |");
        };
        match &cycles.estimate {
            Ok(estimate) => write!(f, " {estimate:.4} |")?,
            Err(why) => write!(f, " {why} |")?,
        }
        match (cycles.lower, cycles.upper) {
            (Some(lower), Some(upper)) => write!(f, " {lower:.4} – {upper:.4} |")?,
            (None, Some(upper)) => write!(f, " up to {upper:.4} |")?,
            (_, None) => write!(f, " |")?,
        }
        match (self.error(), self.truth) {
            (Some(error), Truth::Cycles(truth)) => {
                write!(f, " {:+.3} % | {error:+.4} |", 100.0 * error / truth)?;
            }
            (Some(error), _) => write!(f, " | {error:+.4} |")?,
            (None, _) => write!(f, " | |")?,
        }
        match self.inside() {
            Some(true) => writeln!(f, " yes |"),
            Some(false) => writeln!(f, " **no** |"),
            None => writeln!(f, " |"),
        }
    }

    /// Estimate minus truth in cycles, where there are both.
    pub(super) fn error(&self) -> Option<f64> {
        let estimate = *self.cycles.as_ref()?.estimate.as_ref().ok()?;
        match self.truth {
            Truth::Cycles(truth) => Some(estimate - truth),
            Truth::Nothing => Some(estimate),
            Truth::Open(_) => None,
        }
    }

    /// Whether the interval contains the truth, where there are both. An upper bound alone is the
    /// interval from zero to it.
    pub(super) fn inside(&self) -> Option<bool> {
        let cycles = self.cycles.as_ref()?;
        let truth = match self.truth {
            Truth::Cycles(truth) => truth,
            Truth::Nothing => 0.0,
            Truth::Open(_) => return None,
        };
        Some(cycles.lower.unwrap_or(0.0) <= truth && truth <= cycles.upper?)
    }

    /// Whether the error is as small as it is aimed to be.
    pub(super) fn on_aim(&self) -> Option<bool> {
        let Truth::Cycles(truth) = self.truth else {
            return None;
        };
        let (fraction, cycles) = AIM;
        Some(self.error()?.abs() <= (fraction * truth).max(cycles))
    }
}

impl Accuracy {
    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = |answer: fn(&Measured) -> Option<bool>| {
            let answers: Vec<bool> = self.kernels.iter().filter_map(answer).collect();
            (answers.iter().filter(|&&yes| yes).count(), answers.len())
        };
        let (inside, intervals) = tally(Measured::inside);
        let (on_aim, estimates) = tally(Measured::on_aim);
        let (fraction, cycles) = AIM;
        writeln!(f, "\n{inside} of {intervals} intervals contain the truth.")?;
        write!(
            f,
            "{on_aim} of {estimates} estimates are within {} % or {cycles} cycles of it",
            100.0 * fraction
        )?;
        let relative = |measured: &Measured| match measured.truth {
            Truth::Cycles(truth) => Some((measured.error()? / truth).abs()),
            _ => None,
        };
        let errors = self
            .kernels
            .iter()
            .filter_map(|measured| Some((relative(measured)?, measured.name())));
        match errors.max_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((error, name)) => {
                writeln!(f, "; the largest error is {:.3} % ({name}).", 100.0 * error)?;
            }
            None => writeln!(f, ".")?,
        }
        let least = self.waited.iter().copied().reduce(f64::min);
        let most = self.waited.iter().copied().reduce(f64::max);
        if let (Some(least), Some(most)) = (least, most) {
            writeln!(
                f,
                "Another program had the processor for {:.1} to {:.1} % of the time, by {} results.",
                100.0 * least,
                100.0 * most,
                self.waited.len()
            )?;
        }
        Ok(())
    }

    /// `lat` to `add` in the same number of copies: both are carried, so the ratio of the times is
    /// that of the cycles, whatever the core's frequency was if it was the same for both.
    fn ratios(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |kernel: &str| {
            let kernel = kernel.to_owned();
            self.kernels
                .iter()
                .filter(move |measured| measured.kernel == kernel)
        };
        let mut rows = String::new();
        for (lat, add) in named("lat").flat_map(|lat| named("add").map(move |add| (lat, add))) {
            let times = (
                lat.time.as_ref().and_then(Figure::value),
                add.time.as_ref().and_then(Figure::value),
            );
            if let ((Some(lat_time), Some(add_time)), true) = (times, lat.copies == add.copies)
                && let (Truth::Cycles(lat_truth), Truth::Cycles(add_truth)) = (lat.truth, add.truth)
            {
                let (ratio, truth) = (lat_time / add_time, lat_truth / add_truth);
                rows += &format!(
                    "| {} / {} | {truth} | {ratio:.4} | {:+.3} % |\n",
                    lat.name(),
                    add.name(),
                    100.0 * (ratio / truth - 1.0)
                );
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n| ratio of times | truth | measured | error |")?;
        write!(f, "|---|--:|--:|--:|\n{rows}")
    }
}

impl Figure {
    pub(super) fn value(&self) -> Option<f64> {
        self.estimate.as_ref().ok().copied()
    }
}
