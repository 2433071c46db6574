//! The line of one-line timing.

use std::fmt;

use tourbillon_present::figure::bound;
use tourbillon_present::number::{confidence, counted};
use tourbillon_present::{Figure, Style, escape};

/// The line of one thing that was timed without a harness, in the calling process. The time of an
/// iteration is shown where it is not that of an op.
///
/// # Examples
///
/// ```
/// let timing = tourbillon_report::Timing {
///     name: "concat",
///     ops: 5_800_000,
///     iterations: 5_800_000,
///     elapsed_ns: 100.4e6,
///     estimate_ns: Some(17.31),
///     lower_ns: Some(17.24),
///     upper_ns: Some(17.38),
///     confidence: Some(0.9922),
///     ..Default::default()
/// };
/// assert_eq!(
///     timing.to_string(),
///     "concat: 17.31 ns/op ±0.5 % (99.22 %, this process) · 5,800,000 ops in 100.4 ms"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing<'a> {
    /// What was timed; not escaped.
    pub name: &'a str,
    /// Ops done while the clock ran.
    pub ops: u64,
    /// Iterations done while the clock ran.
    pub iterations: u64,
    /// Time while the clock ran, in nanoseconds.
    pub elapsed_ns: f64,
    /// Time per op in nanoseconds; `None` where it is not distinguishable from an empty loop, or where
    /// readings are too scattered for a figure.
    pub estimate_ns: Option<f64>,
    /// Lower end of the interval, per op, in nanoseconds.
    pub lower_ns: Option<f64>,
    /// Upper end of the interval, or the bound where there is no estimate, per op, in nanoseconds.
    pub upper_ns: Option<f64>,
    /// Confidence of the interval, 0 to 1.
    pub confidence: Option<f64>,
    /// Whether the correction for pauses is larger than the reading.
    pub unreliable: bool,
    /// Whether the program was built for debugging.
    pub debug_build: bool,
    /// Whether a debugger is attached.
    pub debugger: bool,
}

impl Timing<'_> {
    /// `17.31 ns/op ±0.5 % (99.22 %, this process)`, or a bound.
    fn per_op(&self, style: &Style) -> String {
        let Some(figure) = self.figure() else {
            // What is not distinguishable from an empty loop has no lower end.
            let why = match self.lower_ns {
                None => "below the resolution",
                Some(_) => "too scattered for a figure",
            };
            return match self.upper_ns {
                Some(upper) => format!("< {}/op ({why}, this process)", bound(upper).time(style)),
                None => "no time per op".to_owned(),
            };
        };
        let width = figure.plus_minus(|end| end.time(style), style);
        let held = self
            .confidence
            .map_or_else(String::new, |held| confidence(held) + ", ");
        format!("{}/op{width} ({held}this process)", figure.time(style))
    }

    /// `1.731 µs/iteration`, where an iteration is not an op.
    fn per_iteration(&self, style: &Style) -> Option<String> {
        let figure = self.figure()?;
        if self.iterations == self.ops || self.iterations == 0 {
            return None;
        }
        let ops = self.ops as f64 / self.iterations as f64;
        Some(format!("{}/iteration", figure.times(ops).time(style)))
    }

    fn figure(&self) -> Option<Figure> {
        let estimate = self.estimate_ns?;
        Some(Figure::new(estimate, self.lower_ns, self.upper_ns))
    }
}

impl fmt::Display for Timing<'_> {
    /// One line with the characters of a Unicode terminal, without a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style::default();
        write!(f, "{}: {}", escape(self.name, true), self.per_op(&style))?;
        if let Some(time) = self.per_iteration(&style) {
            write!(f, " · {time}")?;
        }
        write!(f, " · {}", counted(self.ops, "op"))?;
        if self.iterations != self.ops {
            write!(f, ", {}", counted(self.iterations, "iteration"))?;
        }
        write!(f, " in {}", Figure::exact(self.elapsed_ns).time(&style))?;
        for (is_true, what) in [
            (
                self.unreliable,
                "not reliable: pauses cost more than was read",
            ),
            (self.debug_build, "debug build"),
            (self.debugger, "debugger attached"),
        ] {
            if is_true {
                write!(f, " ({what})")?;
            }
        }
        Ok(())
    }
}
