use std::fmt;

use crate::figure::push_time_bound;
use crate::pieces::Pieces;
use crate::style::Ink;
use crate::text::{Text, push};
use crate::wrap::Page;
use crate::{Figure, Style};

/// What is said about one thing that was timed without a harness, in the process that asked.
///
/// [`Display`](fmt::Display) gives one line, however long; [`Timing::render`] breaks it. The time
/// of an iteration is named where it is not that of an op.
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
    /// Time per op in nanoseconds; `None` where it is not distinguishable from an empty loop, or where readings
    /// are too scattered for a figure.
    pub estimate_ns: Option<f64>,
    /// Lower end of the interval, per op, in nanoseconds.
    pub lower_ns: Option<f64>,
    /// Upper end of the interval, or the bound where there is no estimate, per op, in nanoseconds.
    pub upper_ns: Option<f64>,
    /// Confidence of the interval, 0 to 1.
    pub confidence: Option<f64>,
    /// Whether the correction for pauses is larger than what was read.
    pub unreliable: bool,
    /// Whether the program was built for debugging.
    pub debug_build: bool,
    /// Whether a debugger is attached.
    pub debugger: bool,
}

impl Timing<'_> {
    /// The line, broken where the terminal ends, each ended.
    #[inline]
    pub fn render(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        let mut lead = crate::escape(self.name, style.unicode);
        push(&mut lead, ": ");
        self.say(&mut page.line, style);
        page.fill(Ink::Plain, &lead);
        page.text
    }

    /// Says everything but the name.
    #[inline]
    fn say(&self, text: &mut Text, style: &Style) {
        self.say_per_op(text, style);
        self.say_per_iteration(text, style);
        text.item().counted(self.ops, "op");
        if self.iterations != self.ops {
            text.say(", ").counted(self.iterations, "iteration");
        }
        text.say(" in ");
        Figure::exact(self.elapsed_ns).push_time(&mut text.string, style);
        if self.unreliable {
            text.say(" (not reliable: pauses cost more than was read)");
        }
        if self.debug_build {
            text.say(" (debug build)");
        }
        if self.debugger {
            text.say(" (debugger attached)");
        }
    }

    /// `17.31 ns/op ±0.5 % (99.22 %, this process)`, or a bound, or that there is nothing.
    #[inline]
    fn say_per_op(&self, text: &mut Text, style: &Style) {
        let Some(figure) = self.figure() else {
            match self.upper_ns {
                Some(upper) => {
                    push_time_bound(&mut text.string, upper, style);
                    // What cannot be told from an empty loop has no lower end.
                    text.say(match self.lower_ns {
                        None => "/op (below the resolution, this process)",
                        Some(_) => "/op (too scattered for a figure, this process)",
                    });
                }
                None => {
                    text.say("no time per op");
                }
            }
            return;
        };
        figure.push_time(&mut text.string, style);
        text.say("/op");
        if let Some(relative) = figure.relative() {
            text.say(" ").say(style.glyphs().plus_minus);
            text.percent_at_most(relative);
        }
        text.say(" (");
        if let Some(held) = self.confidence {
            text.confidence(held).say(", ");
        }
        text.say("this process)");
    }

    /// `1.731 µs/iteration`, where an iteration is not an op.
    #[inline]
    fn say_per_iteration(&self, text: &mut Text, style: &Style) {
        let Some(mut figure) = self.figure() else {
            return;
        };
        if self.iterations == self.ops || self.iterations == 0 {
            return;
        }
        let ops = self.ops as f64 / self.iterations as f64;
        figure.value *= ops;
        figure.half_width = figure.half_width.map(|half| half * ops);
        figure.push_time(&mut text.item().string, style);
        text.say("/iteration");
    }

    #[inline]
    fn figure(&self) -> Option<Figure> {
        let estimate = self.estimate_ns?;
        Some(Figure::new(estimate, self.lower_ns, self.upper_ns))
    }
}

impl fmt::Display for Timing<'_> {
    /// One line with the characters of a Unicode terminal, without a line feed.
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style::default();
        let mut text = Text::new(&style);
        self.say(&mut text, &style);
        f.write_str(&crate::escape(self.name, style.unicode))?;
        let mut joint = ": ";
        for item in Pieces::of(&text.string) {
            f.write_str(joint)?;
            f.write_str(item)?;
            joint = style.glyphs().separator;
        }
        Ok(())
    }
}
