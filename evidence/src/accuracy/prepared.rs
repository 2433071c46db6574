use std::fmt;

use super::{Accuracy, Figure, Measured};

/// The kernel that bodies with something prepared call, and its copies.
const PLAIN: (&str, u64) = ("mov", 10);

impl Accuracy {
    /// What it adds to a kernel that something is prepared for it, or that the clock is stopped.
    pub(super) fn with_inputs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kernel, copies) = PLAIN;
        let mut known = self.kernels.iter();
        let plain = known.find(|known| known.kernel == kernel && known.copies == copies);
        let (Some(plain), bodies) = (plain, self.of_sort(false)) else {
            return Ok(());
        };
        if bodies.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n| next to {kernel}_{copies} | cycles | more | ns | more |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|")?;
        for body in bodies {
            write!(f, "| {} |", body.kernel)?;
            match (value(&body.cycles), value(&plain.cycles)) {
                (Some(own), Some(plain)) => write!(f, " {own:.4} | {:+.4} |", own - plain)?,
                _ => write!(f, " | |")?,
            }
            match (value(&body.time), value(&plain.time)) {
                (Some(own), Some(plain)) => writeln!(f, " {own:.3} | {:+.3} |", own - plain)?,
                _ => writeln!(f, " | |")?,
            }
        }
        Ok(())
    }

    /// One sort whose input is prepared in several ways, and whether the intervals overlap.
    pub(super) fn sorts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = |sort: &Measured| {
            let time = sort.time.as_ref()?;
            Some((value(&sort.time)?, time.lower?, time.upper?))
        };
        let sorts: Vec<_> = self
            .of_sort(true)
            .into_iter()
            .filter_map(|sort| Some((&sort.kernel, ends(sort)?)))
            .collect();
        if sorts.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n| one sort, prepared in several ways | ns | interval | agrees with the others |"
        )?;
        writeln!(f, "|---|--:|--:|---|")?;
        for (name, (estimate, lower, upper)) in &sorts {
            let overlaps = |other: &(f64, f64, f64)| *lower <= other.2 && other.1 <= *upper;
            let agrees = match sorts.iter().all(|(_, other)| overlaps(other)) {
                true => "yes",
                false => "**no**",
            };
            writeln!(
                f,
                "| {name} | {estimate:.1} | {lower:.1} – {upper:.1} | {agrees} |"
            )?;
        }
        Ok(())
    }

    fn of_sort(&self, is_sort: bool) -> Vec<&Measured> {
        let prepared = self.prepared.iter();
        prepared
            .filter(|body| body.kernel.starts_with("sort") == is_sort)
            .collect()
    }
}

fn value(figure: &Option<Figure>) -> Option<f64> {
    figure.as_ref().and_then(Figure::value)
}
