//! A gnuplot script with its data (gnuplot 5.0 and later: data blocks).

use tourbillon_record::{Case, Metric};

use super::{FILE, TableData};
use crate::escape;
use crate::pieces::Pieces;
use crate::sweeps::Sweeps;
use crate::table::{Found, found};
use crate::text::{append, push, same};
use crate::tree::case_label;

/// Behind a text that is shown as it is: else `_`, `^`, `@`, `{` and others in it are markup.
const PLAIN: &str = " noenhanced";

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
    /// Whether an earlier one has the same axis.
    joins: bool,
}

/// A script that draws the time per op of all cases, a plot for each axis, with the interval of each.
pub(super) fn gnuplot(sheets: &[TableData<'_>]) -> String {
    let mut text = String::new();
    Plots::default().add_all(&mut text, sheets);
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
    #[inline(never)]
    fn add_all(&mut self, text: &mut String, sheets: &[TableData<'a>]) {
        push(
            text,
            "# time per op in nanoseconds; run it with: gnuplot -p FILE\n",
        );
        for sheet in sheets {
            for found in &found(sheet.table) {
                if let Err(why) = self.add(sheet.name, found) {
                    push(text, "# ");
                    push_field(text, &found.case.id);
                    for part in &[" is left out: ", why, "\n"] {
                        push(text, part);
                    }
                }
            }
        }
        for sheet in sheets {
            let table = sheet.table;
            let sweeps = Sweeps::of(table.cases, table.results, table.throughput, &[]);
            push(text, &sweeps.comments(&FILE));
        }
        push(text, "# case x y dy ylow yhigh\n");
        self.draw(text);
    }

    /// Puts a case where it belongs, or says why it cannot be drawn.
    #[inline(never)]
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
        let (Some(low), Some(high)) = (time.lower, time.upper) else {
            return Err("no interval");
        };
        let (axis, x) = place(found.case);
        let x = match x {
            Some(x) => x,
            None => self.number(found.case),
        };
        let series = self.series(sheet, found.case, axis);
        // Scales by powers where nothing on them is zero or less: sizes are doubled, mostly.
        series.positive &= x > 0.0 && low > 0.0;
        push_field(&mut series.lines, &found.case.id);
        // The farther end of the interval is its half-width.
        let dy = (high - y).max(y - low);
        append(
            &mut series.lines,
            format_args!(" {x} {y} {dy} {low} {high}\n"),
        );
        Ok(())
    }

    /// The series of a case.
    #[inline(never)]
    fn series(&mut self, sheet: &str, case: &Case, axis: &'a str) -> &mut Series<'a> {
        let mut wanted = Series {
            title: String::new(),
            axis,
            lines: String::new(),
            positive: true,
            joins: false,
        };
        push_title(&mut wanted.title, sheet, case, axis);
        let mut at = 0;
        while at < self.all.len() {
            let same_axis = same(self.all[at].axis, axis);
            if same_axis && same(&self.all[at].title, &wanted.title) {
                return &mut self.all[at];
            }
            wanted.joins |= same_axis;
            at += 1;
        }
        self.all.push(wanted);
        &mut self.all[at]
    }

    /// The place of a case that no axis orders, from 1; the same in all runs.
    #[inline(never)]
    fn number(&mut self, case: &'a Case) -> f64 {
        let mut at = 0;
        while at < self.named.len() && !same(&self.named[at].id, &case.id) {
            at += 1;
        }
        if at == self.named.len() {
            self.named.push(case);
        }
        (at + 1) as f64
    }

    /// The data, then a plot for each axis, one below the other.
    #[inline(never)]
    fn draw(&self, text: &mut String) {
        let mut axes = 0;
        for number in 0..self.all.len() {
            let series = &self.all[number];
            append(text, format_args!("$series{number} << END\n"));
            push(text, &series.lines);
            push(text, "END\n");
            axes += usize::from(!series.joins);
        }
        push(text, "set key outside below\nset ylabel 'ns/op'\n");
        if axes > 1 {
            append(text, format_args!("set multiplot layout {axes},1\n"));
        }
        for series in &self.all {
            if !series.joins {
                self.draw_axis(text, series.axis);
            }
        }
        if axes > 1 {
            push(text, "unset multiplot\n");
        }
    }

    #[inline(never)]
    fn draw_axis(&self, text: &mut String, axis: &str) {
        push(text, "unset logscale\n");
        let (style, scale) = if axis.is_empty() {
            self.draw_names(text);
            ("yerrorbars", "set logscale y\n")
        } else {
            push(
                text,
                "set xtics autofreq norotate\nset autoscale x\nset xlabel ",
            );
            push_string(text, axis);
            push(text, PLAIN);
            text.push('\n');
            ("yerrorlines", "set logscale xy\n")
        };
        let mut positive = true;
        for series in &self.all {
            positive &= series.positive || !same(series.axis, axis);
        }
        push(text, if positive { scale } else { "" });
        let mut lead = "plot";
        for number in 0..self.all.len() {
            let series = &self.all[number];
            if same(series.axis, axis) {
                push(text, lead);
                append(
                    text,
                    format_args!(" $series{number} using 2:3:5:6 with {style} title "),
                );
                push_string(text, &series.title);
                push(text, PLAIN);
                lead = ", \\\n   ";
            }
        }
        text.push('\n');
    }

    /// The names of the cases that have no place on an axis, below the plot.
    #[inline(never)]
    fn draw_names(&self, text: &mut String) {
        let cases = self.named.len();
        append(
            text,
            format_args!("set xlabel ''\nset xrange [0.5:{cases}.5]\nset xtics{PLAIN} rotate ("),
        );
        for number in 0..cases {
            push(text, if number == 0 { "" } else { ", " });
            push_tic(text, &case_label(self.named[number], &FILE));
            append(text, format_args!(" {}", number + 1));
        }
        push(text, ")\n");
    }
}

/// The last axis whose value is a number, and the number.
#[inline(never)]
fn place(case: &Case) -> (&str, Option<f64>) {
    let mut place = ("", None);
    for argument in &case.arguments {
        if let Ok(x) = argument.value.parse::<f64>()
            && x.is_finite()
        {
            place = (argument.axis.as_str(), Some(x));
        }
    }
    place
}

/// Run, group, name and the values on the other axes; of cases without an axis, only the run.
#[inline(never)]
fn push_title(title: &mut String, sheet: &str, case: &Case, axis: &str) {
    push(title, sheet);
    if axis.is_empty() {
        return;
    }
    if !same(&case.group, &case.name) {
        say(title, &case.group);
    }
    say(title, &case.name);
    for argument in &case.arguments {
        if !same(&argument.axis, axis) {
            say(title, &argument.value);
        }
    }
}

#[inline(never)]
fn say(title: &mut String, word: &str) {
    if !title.is_empty() && !word.is_empty() {
        title.push('/');
    }
    push(title, word);
}

/// Appends a string of a script, in single quotes: in double ones gnuplot would look for escapes and
/// commands.
fn push_string(script: &mut String, text: &str) {
    push_quoted(script, text, '\'', "''");
}

/// Appends the label of a tic: a string that is a format as well, for the tic's value.
#[inline(never)]
fn push_tic(script: &mut String, text: &str) {
    let mut between = "";
    let mut format = String::new();
    for piece in Pieces::divided(text, b'%') {
        push(&mut format, between);
        push(&mut format, piece);
        between = "%%";
    }
    push_string(script, &format);
}

/// Appends a field of a data block: in double quotes, which it has no way to hold.
fn push_field(data: &mut String, text: &str) {
    push_quoted(data, text, '"', "'");
}

/// Appends a text between quotes, with `instead` for those in it, and without backticks: gnuplot runs
/// what stands between two of them as a command.
#[inline(never)]
fn push_quoted(script: &mut String, text: &str, quote: char, instead: &str) {
    script.push(quote);
    for c in escape(text, true).chars() {
        match c {
            '`' => push(script, "\\u{60}"),
            _ if c == quote => push(script, instead),
            _ => script.push(c),
        }
    }
    script.push(quote);
}
