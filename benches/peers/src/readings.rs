//! The core's cycle while a case was measured.

/// What the brackets of one case say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cycle {
    /// Nanoseconds of a cycle: the mean of the readings, each weighted by the time it stands for.
    pub(crate) nanos: f64,
    /// The least and the largest reading.
    pub(crate) range: (f64, f64),
}

/// One line that a bracket wrote.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    case: &'a str,
    inside: f64,
    before: f64,
    after: f64,
    spent: f64,
}

/// What the brackets of one run of a harness wrote.
#[derive(Debug)]
pub(crate) struct Readings<'a> {
    lines: Vec<Line<'a>>,
}

impl<'a> Readings<'a> {
    /// Reads the lines.
    ///
    /// # Errors
    ///
    /// Shows the line that is not understood.
    pub(crate) fn read(text: &'a str) -> Result<Self, String> {
        let read = |line: &'a str| {
            let mut words = line.split_whitespace();
            let case = words.next()?;
            let mut number = || words.next()?.parse().ok();
            Some(Line {
                case,
                inside: number()?,
                before: number()?,
                after: number()?,
                spent: number()?,
            })
        };
        let lines: Result<_, _> = text
            .lines()
            .map(|line| read(line).ok_or_else(|| format!("not a reading: {line}")))
            .collect();
        Ok(Self { lines: lines? })
    }

    /// Nanoseconds that all readings took.
    pub(crate) fn spent(&self) -> f64 {
        self.lines.iter().map(|line| line.spent).sum()
    }

    /// The cycle during a case, from the last so many brackets or all of them.
    pub(crate) fn cycle(&self, case: &str, last: Option<usize>) -> Option<Cycle> {
        let brackets: Vec<_> = self.lines.iter().filter(|line| line.case == case).collect();
        let brackets = &brackets[brackets.len().saturating_sub(last.unwrap_or(usize::MAX))..];
        let time: f64 = brackets.iter().map(|line| line.inside).sum();
        let weighted = brackets
            .iter()
            .map(|line| (line.before + line.after) / 2.0 * line.inside);
        let readings = || brackets.iter().flat_map(|line| [line.before, line.after]);
        (time > 0.0).then(|| Cycle {
            nanos: weighted.sum::<f64>() / time,
            range: (
                readings().fold(f64::INFINITY, f64::min),
                readings().fold(0.0, f64::max),
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Cycle, Readings};

    #[test]
    fn a_long_bracket_counts_more_than_a_short_one() {
        let text = "a 100 0.5 0.5 7\nb 1 9 9 1\na 300 0.2 0.4 7\n";
        let readings = Readings::read(text).unwrap();
        let cycle = readings.cycle("a", None).unwrap();
        assert!((cycle.nanos - 0.35).abs() < 1e-12);
        assert_eq!(cycle.range, (0.2, 0.5));
        let last = readings.cycle("a", Some(1));
        assert!(matches!(
            last,
            Some(Cycle {
                range: (0.2, 0.4),
                ..
            })
        ));
        assert_eq!(readings.cycle("c", None), None);
        assert_eq!(readings.spent(), 15.0);
    }

    #[test]
    fn a_torn_line_is_named() {
        let error = Readings::read("a 100 0.5 0.5 7\nb 1").unwrap_err();
        assert_eq!(error, "not a reading: b 1");
    }
}
