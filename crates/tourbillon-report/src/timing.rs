use std::fmt;

use crate::escape::Safe;
use crate::figure::time_bound;
use crate::fill::{Items, Page};
use crate::number::{Confidence, Counted, PercentAtMost, append};
use crate::style::Ink;
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
    /// Time per op in nanoseconds; `None` where it is not distinguishable from an empty loop.
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
    pub fn render(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        page.fill(Ink::Plain, &self.lead(style), &self.items(style));
        page.text
    }

    fn lead(&self, style: &Style) -> String {
        let mut lead = String::new();
        append(
            &mut lead,
            format_args!("{}: ", Safe(self.name, style.unicode)),
        );
        lead
    }

    fn items(&self, style: &Style) -> Items {
        let mut items = Items::default();
        self.add_per_op(&mut items, style);
        self.add_per_iteration(&mut items, style);
        items.add(format_args!("{}", Counted(self.ops, "op")));
        if self.iterations != self.ops {
            items.append(format_args!(
                " in {}",
                Counted(self.iterations, "iteration")
            ));
        }
        items.append(format_args!(
            " in {}",
            Figure::exact(self.elapsed_ns).time(style)
        ));
        for (holds, remark) in [
            (
                self.unreliable,
                "(not reliable: pauses cost more than was read)",
            ),
            (self.debug_build, "(debug build)"),
            (self.debugger, "(debugger attached)"),
        ] {
            if holds {
                items.append(format_args!(" {remark}"));
            }
        }
        items
    }

    /// `17.31 ns/op ±0.5 % (99.22 %, this process)`, or a bound, or that there is nothing.
    fn add_per_op(&self, items: &mut Items, style: &Style) {
        let Some(estimate) = self.estimate_ns else {
            return match self.upper_ns {
                Some(upper) => items.add(format_args!(
                    "{}/op (below the resolution, this process)",
                    time_bound(upper, style)
                )),
                None => items.add(format_args!("no time per op")),
            };
        };
        let figure = Figure::new(estimate, self.lower_ns, self.upper_ns);
        items.add(format_args!("{}/op", figure.time(style)));
        if let Some(relative) = figure.relative() {
            let plus_minus = style.glyphs().plus_minus;
            items.append(format_args!(" {plus_minus}{}", PercentAtMost(relative)));
        }
        match self.confidence {
            Some(held) => items.append(format_args!(" ({}, this process)", Confidence(held))),
            None => items.append(format_args!(" (this process)")),
        }
    }

    /// `1.731 µs/iteration`, where an iteration is not an op.
    fn add_per_iteration(&self, items: &mut Items, style: &Style) {
        let Some(estimate) = self.estimate_ns else {
            return;
        };
        if self.iterations == self.ops || self.iterations == 0 {
            return;
        }
        let ops = self.ops as f64 / self.iterations as f64;
        let mut figure = Figure::new(estimate, self.lower_ns, self.upper_ns);
        figure.value *= ops;
        figure.half_width = figure.half_width.map(|half| half * ops);
        items.add(format_args!("{}/iteration", figure.time(style)));
    }
}

impl fmt::Display for Timing<'_> {
    /// One line with the characters of a Unicode terminal, without a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style::default();
        f.write_str(&self.items(&style).on_one_line(&self.lead(&style), &style))
    }
}
