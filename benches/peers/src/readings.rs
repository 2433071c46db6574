//! The core's cycle while a case was measured.

/// What the brackets of one case say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cycle {
    /// Nanoseconds of a cycle: the median of the readings, each weighted by the time it stands for. A reading
    /// that was held up throughout is long by a tenth and more, which a mean would keep.
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
        let mut readings: Vec<(f64, f64)> = brackets
            .iter()
            .flat_map(|line| [(line.before, line.inside), (line.after, line.inside)])
            .collect();
        readings.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (least, most) = (readings.first()?.0, readings.last()?.0);
        (time > 0.0).then(|| Cycle {
            nanos: weighted_median(&readings),
            range: (least, most),
        })
    }
}

/// The value below and above which lies half of the weight, of values with weights in ascending order; between
/// two of them where half lies exactly there.
fn weighted_median(sorted: &[(f64, f64)]) -> f64 {
    let half = sorted.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut below = 0.0;
    for (index, (value, weight)) in sorted.iter().enumerate() {
        below += weight;
        if below > half {
            return *value;
        }
        if below == half && index + 1 < sorted.len() {
            return f64::midpoint(*value, sorted[index + 1].0);
        }
    }
    sorted.last().map_or(f64::NAN, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::Readings;

    #[test]
    fn a_long_bracket_counts_more_than_a_short_one() {
        let text = "a 100 0.5 0.5 7\nb 1 9 9 1\na 300 0.2 0.4 7\n";
        let readings = Readings::read(text).unwrap();
        let cycle = readings.cycle("a", None).unwrap();
        assert_eq!((cycle.nanos, cycle.range), (0.4, (0.2, 0.5)));
        let last = readings.cycle("a", Some(1)).unwrap();
        assert!((last.nanos - 0.3).abs() < 1e-12);
        assert_eq!(last.range, (0.2, 0.4));
        assert_eq!(readings.cycle("c", None), None);
        assert_eq!(readings.spent(), 15.0);
    }

    #[test]
    fn a_reading_that_was_held_up_is_passed_over() {
        let text = "a 100 0.25 0.35 7\na 100 0.25 0.25 7\na 100 0.4 0.25 7\n";
        let readings = Readings::read(text).unwrap();
        let cycle = readings.cycle("a", None).unwrap();
        assert_eq!((cycle.nanos, cycle.range), (0.25, (0.25, 0.4)));
    }

    #[test]
    fn a_torn_line_is_named() {
        let error = Readings::read("a 100 0.5 0.5 7\nb 1").unwrap_err();
        assert_eq!(error, "not a reading: b 1");
    }
}
