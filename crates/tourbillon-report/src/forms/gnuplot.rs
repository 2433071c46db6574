//! A gnuplot script with its data (gnuplot 5.0 and later: data blocks).

use tourbillon_record::Case;

use super::{FILE, Sheet, half_width};
use crate::escape;
use crate::table::{Found, found};
use crate::text::append;
use crate::tree::case_label;

/// Cases of one function, or of one combination of its other arguments, over the last axis whose
/// values are numbers; or all cases that no axis orders, one after the other.
struct Series<'a> {
    /// What tells it from the others: shown beside its line.
    title: String,
    /// The axis; empty for cases in the order of the table.
    axis: &'a str,
    points: Vec<Point<'a>>,
}

struct Point<'a> {
    case: &'a Case,
    x: f64,
    /// Estimate, half-width, lower and upper end, in nanoseconds per op.
    figures: [f64; 4],
}

/// A script that draws the time per op of all cases, a plot for each axis, with the interval of each.
pub(super) fn gnuplot(sheets: &[Sheet<'_>]) -> String {
    let mut text = "# time per op in nanoseconds; run it with: gnuplot -p FILE\n".to_owned();
    let mut plots = Plots::default();
    for sheet in sheets {
        for found in &found(sheet.table) {
            if let Err(why) = plots.add(sheet.name, found) {
                let id = quoted(&found.case.id);
                append(&mut text, format_args!("# {id} is left out: {why}\n"));
            }
        }
    }
    text.push_str("# case x y dy ylow yhigh\n");
    for (number, series) in plots.all.iter().enumerate() {
        append(&mut text, format_args!("$series{number} << END\n"));
        for Point { case, x, figures } in &series.points {
            let [y, dy, low, high] = figures;
            let id = quoted(&case.id);
            append(&mut text, format_args!("{id} {x} {y} {dy} {low} {high}\n"));
        }
        text.push_str("END\n");
    }
    plots.draw(&mut text);
    text
}

/// What is drawn.
#[derive(Default)]
struct Plots<'a> {
    all: Vec<Series<'a>>,
    /// Cases that no axis orders, in the order in which they stand below the plot.
    named: Vec<&'a Case>,
}

impl<'a> Plots<'a> {
    /// Puts a case where it belongs, or says why it cannot be drawn.
    fn add(&mut self, sheet: &str, found: &Found<'a>) -> Result<(), &'static str> {
        let time = found.time.ok_or("no result")?;
        let y = time.estimate.map_err(|absence| absence.name())?;
        let (Some(dy), Some(low), Some(high)) = (half_width(time), time.lower, time.upper) else {
            return Err("no interval");
        };
        let case = found.case;
        let (axis, x) = place(case);
        let x = x.unwrap_or_else(|| self.number(case));
        let title = title(sheet, case, axis);
        let mut at = 0;
        while at < self.all.len() && (self.all[at].axis != axis || self.all[at].title != title) {
            at += 1;
        }
        if at == self.all.len() {
            self.all.push(Series {
                title,
                axis,
                points: Vec::new(),
            });
        }
        self.all[at].points.push(Point {
            case,
            x,
            figures: [y, dy, low, high],
        });
        Ok(())
    }

    /// The place of a case that no axis orders, from 1; the same in all runs.
    fn number(&mut self, case: &'a Case) -> f64 {
        let mut at = 0;
        while at < self.named.len() && self.named[at].id != case.id {
            at += 1;
        }
        if at == self.named.len() {
            self.named.push(case);
        }
        (at + 1) as f64
    }

    /// A plot for each axis, one below the other.
    fn draw(&self, text: &mut String) {
        let mut axes: Vec<&str> = Vec::new();
        for series in &self.all {
            if !axes.contains(&series.axis) {
                axes.push(series.axis);
            }
        }
        text.push_str("set termoption noenhanced\nset key outside below\nset ylabel \"ns/op\"\n");
        if axes.len() > 1 {
            append(
                text,
                format_args!("set multiplot layout {},1\n", axes.len()),
            );
        }
        for axis in &axes {
            self.draw_axis(text, axis);
        }
        if axes.len() > 1 {
            text.push_str("unset multiplot\n");
        }
    }

    fn draw_axis(&self, text: &mut String, axis: &str) {
        // Scales by powers where nothing on them is zero or less: sizes are doubled, mostly.
        let mut positive = true;
        let mut plot = String::new();
        for (number, series) in self.all.iter().enumerate() {
            if series.axis != axis {
                continue;
            }
            for point in &series.points {
                positive &= point.x > 0.0 && point.figures[2] > 0.0;
            }
            let before = if plot.is_empty() { "plot" } else { ", \\\n   " };
            let title = match series.title.as_str() {
                "" => "notitle".to_owned(),
                title => format!("title {}", string(title)),
            };
            append(
                &mut plot,
                format_args!("{before} $series{number} using 2:3:5:6 with yerrorlines {title}"),
            );
        }
        text.push_str("unset logscale\n");
        if axis.is_empty() {
            text.push_str("set xlabel \"\"\nset xtics rotate (");
            for (at, case) in self.named.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                let label = string(&case_label(case, &FILE));
                append(text, format_args!("{comma}{label} {}", at + 1));
            }
            text.push_str(")\n");
        } else {
            append(
                text,
                format_args!("set xtics autofreq norotate\nset xlabel {}\n", string(axis)),
            );
        }
        if positive {
            let scales = if axis.is_empty() { "y" } else { "xy" };
            append(text, format_args!("set logscale {scales}\n"));
        }
        append(text, format_args!("{plot}\n"));
    }
}

/// The last axis whose value is a number, and the number.
fn place(case: &Case) -> (&str, Option<f64>) {
    for argument in case.arguments.iter().rev() {
        if let Ok(x) = argument.value.parse::<f64>()
            && x.is_finite()
        {
            return (&argument.axis, Some(x));
        }
    }
    ("", None)
}

/// Run, group, name and the values on the other axes; of cases without an axis, only the run.
fn title(sheet: &str, case: &Case, axis: &str) -> String {
    let mut title = sheet.to_owned();
    if axis.is_empty() {
        return title;
    }
    let mut say = |word: &str| {
        if !word.is_empty() {
            title.push_str(if title.is_empty() { "" } else { "/" });
            title.push_str(word);
        }
    };
    if case.group != case.name {
        say(&case.group);
    }
    say(&case.name);
    // The axis that is drawn is the last one of its name.
    for argument in &case.arguments {
        if argument.axis != axis {
            say(&argument.value);
        }
    }
    title
}

/// A string of a script, in single quotes: in double ones gnuplot would look for escapes and commands.
fn string(text: &str) -> String {
    format!("'{}'", tame(text).replace('\'', "''"))
}

/// A field of a data block: in double quotes, which it has no way to hold.
fn quoted(text: &str) -> String {
    format!("\"{}\"", tame(text).replace('"', "'"))
}

/// An escaped text without backticks: gnuplot runs what stands between two of them as a command.
fn tame(text: &str) -> String {
    escape(text, true).replace('`', "\\u{60}")
}
