//! A gnuplot script with its data (gnuplot 5.0 and later: data blocks).

use tourbillon_record::{Case, Metric};

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
    /// Its data.
    lines: String,
    /// Whether everything in them is above zero.
    positive: bool,
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
        let Some(time) = found.main else {
            return Err("no result");
        };
        if !found.measures(Metric::Time) {
            return Err("not measured in wall time");
        }
        let y = match time.estimate {
            Ok(y) => y,
            Err(absence) => return Err(absence.name()),
        };
        let (Some(dy), Some(low), Some(high)) = (half_width(time), time.lower, time.upper) else {
            return Err("no interval");
        };
        let case = found.case;
        let (axis, x) = place(case);
        let x = match x {
            Some(x) => x,
            None => self.number(case),
        };
        let title = title(sheet, case, axis);
        let mut at = 0;
        while at < self.all.len() && (self.all[at].axis != axis || self.all[at].title != title) {
            at += 1;
        }
        if at == self.all.len() {
            self.all.push(Series {
                title,
                axis,
                lines: String::new(),
                positive: true,
            });
        }
        let series = &mut self.all[at];
        // Scales by powers where nothing on them is zero or less: sizes are doubled, mostly.
        series.positive &= x > 0.0 && low > 0.0;
        let id = quoted(&case.id);
        append(
            &mut series.lines,
            format_args!("{id} {x} {y} {dy} {low} {high}\n"),
        );
        Ok(())
    }

    /// The place of a case that no axis orders, from 1; the same in all runs.
    #[inline(never)]
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

    /// The data, then a plot for each axis, one below the other.
    fn draw(&self, text: &mut String) {
        let mut axes: Vec<&str> = Vec::new();
        for (number, series) in self.all.iter().enumerate() {
            append(text, format_args!("$series{number} << END\n"));
            text.push_str(&series.lines);
            text.push_str("END\n");
            if !axes.contains(&series.axis) {
                axes.push(series.axis);
            }
        }
        text.push_str("set termoption noenhanced\nset key outside below\nset ylabel 'ns/op'\n");
        let several = axes.len() > 1;
        if several {
            append(
                text,
                format_args!("set multiplot layout {},1\n", axes.len()),
            );
        }
        for axis in &axes {
            self.draw_axis(text, axis);
        }
        if several {
            text.push_str("unset multiplot\n");
        }
    }

    fn draw_axis(&self, text: &mut String, axis: &str) {
        let mut positive = true;
        let mut plot = String::new();
        let style = if axis.is_empty() {
            "yerrorbars"
        } else {
            "yerrorlines"
        };
        for (number, series) in self.all.iter().enumerate() {
            if series.axis == axis {
                positive &= series.positive;
                plot.push_str(if plot.is_empty() { "plot" } else { ", \\\n   " });
                let title = string(&series.title);
                append(
                    &mut plot,
                    format_args!(" $series{number} using 2:3:5:6 with {style} title {title}"),
                );
            }
        }
        text.push_str("unset logscale\n");
        if axis.is_empty() {
            self.draw_names(text);
            text.push_str(if positive { "set logscale y\n" } else { "" });
        } else {
            let axis = string(axis);
            append(
                text,
                format_args!("set xtics autofreq norotate\nset autoscale x\nset xlabel {axis}\n"),
            );
            text.push_str(if positive { "set logscale xy\n" } else { "" });
        }
        text.push_str(&plot);
        text.push('\n');
    }

    /// The names of the cases that have no place on an axis, below the plot.
    fn draw_names(&self, text: &mut String) {
        append(
            text,
            format_args!(
                "set xlabel ''\nset xrange [0.5:{}.5]\nset xtics rotate (",
                self.named.len()
            ),
        );
        let mut number = 0;
        for case in &self.named {
            text.push_str(if number == 0 { "" } else { ", " });
            number += 1;
            let label = string(&case_label(case, &FILE));
            append(text, format_args!("{label} {number}"));
        }
        text.push_str(")\n");
    }
}

/// The last axis whose value is a number, and the number.
#[inline(never)]
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
#[inline(never)]
fn title(sheet: &str, case: &Case, axis: &str) -> String {
    let mut title = sheet.to_owned();
    if axis.is_empty() {
        return title;
    }
    if case.group != case.name {
        say(&mut title, &case.group);
    }
    say(&mut title, &case.name);
    for argument in &case.arguments {
        if argument.axis != axis {
            say(&mut title, &argument.value);
        }
    }
    title
}

#[inline(never)]
fn say(title: &mut String, word: &str) {
    if !title.is_empty() && !word.is_empty() {
        title.push('/');
    }
    title.push_str(word);
}

/// A string of a script, in single quotes: in double ones gnuplot would look for escapes and commands.
#[inline(never)]
fn string(text: &str) -> String {
    let mut quoted = "'".to_owned();
    for c in escape(text, true).chars() {
        push_tame(&mut quoted, c);
        if c == '\'' {
            quoted.push(c);
        }
    }
    quoted.push('\'');
    quoted
}

/// A field of a data block: in double quotes, which it has no way to hold.
#[inline(never)]
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in escape(text, true).chars() {
        push_tame(&mut quoted, if c == '"' { '\'' } else { c });
    }
    quoted.push('"');
    quoted
}

/// Appends a character, but no backtick: gnuplot runs what stands between two of them as a command.
#[inline(never)]
fn push_tame(text: &mut String, c: char) {
    match c {
        '`' => text.push_str("\\u{60}"),
        _ => text.push(c),
    }
}
