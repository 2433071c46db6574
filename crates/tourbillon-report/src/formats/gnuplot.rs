//! A gnuplot script with its data (gnuplot 5.0 and later: data blocks).

use std::collections::HashMap;

use tourbillon_present::{Style, escape};
use tourbillon_record::{Case, CaseResult, Metric};

use crate::sweeps::Sweeps;
use crate::table::{Found, found};
use crate::tree::case_label;
use crate::{CaseResults, Table, TableData, TableOptions};

/// After a text that is shown as it is: otherwise `_`, `^`, `@`, `{` and others in it are markup.
const PLAIN: &str = " noenhanced";

/// Cases of one function, or of one combination of its other arguments, over the last axis whose values
/// are numbers; or all cases without such an axis, one after the other.
struct Series<'a> {
    /// What distinguishes it from the others: shown in the key.
    title: String,
    /// The axis; empty for cases in the order of the table.
    axis: &'a str,
    /// Its data.
    lines: String,
    /// Whether everything in them is above zero.
    positive: bool,
}

/// What is drawn.
#[derive(Default)]
struct Plots<'a> {
    series: Vec<Series<'a>>,
    /// Places of series, by axis and title.
    places: HashMap<(&'a str, String), usize>,
    /// Places of cases without an axis, by id.
    numbers: HashMap<&'a str, usize>,
    /// Cases without an axis, in the order in which they are below the plot.
    named: Vec<&'a Case>,
}

/// A script that draws the time per op of all cases, a plot for each axis, with the interval of each.
pub(super) fn gnuplot(sheets: &[TableData<'_>]) -> String {
    let mut text = "# time per op in nanoseconds; run it with: gnuplot -p FILE\n".to_owned();
    let mut plots = Plots::default();
    for sheet in sheets {
        // Lines join cases in the order of the source, which is that of their sizes.
        let table = Table {
            options: TableOptions::default(),
            ..*sheet.table
        };
        let results = CaseResults::of(sheet.table.results);
        for found in &found(&table) {
            if let Err(why) = plots.add_time(sheet.name, found) {
                text += &format!("# {} is not drawn: {why}\n", field(&found.case.id));
            }
            for result in results.case(&found.case.id) {
                if result.metric.share().is_some() {
                    // One without an interval has its reason below the row of the table.
                    let _ = plots.add(sheet.name, found.case, result);
                }
            }
        }
    }
    for sheet in sheets {
        let table = sheet.table;
        let sweeps = Sweeps::of(table.cases, table.results, &[]);
        text += &sweeps.comments(&Style::FILE);
    }
    text + "# case x y dy ylow yhigh\n" + &plots.script()
}

impl<'a> Plots<'a> {
    /// Adds the time of a case; `Err` is why it cannot be drawn.
    fn add_time(&mut self, sheet: &str, found: &Found<'a>) -> Result<(), &'static str> {
        let time = found.main.ok_or("no result")?;
        if !found.measures(Metric::Time) {
            return Err("not measured in wall time");
        }
        self.add(sheet, found.case, time)
    }

    /// Adds a time of a case, or a percentile of its single calls, to its series.
    fn add(
        &mut self,
        sheet: &str,
        case: &'a Case,
        result: &CaseResult,
    ) -> Result<(), &'static str> {
        let y = result.estimate.map_err(|absence| absence.name())?;
        let (low, high) = result.lower.zip(result.upper).ok_or("no interval")?;
        let (axis, x) = match axis_value(case) {
            Some(found) => found,
            None => ("", self.number(case)),
        };
        let mut title = title(sheet, case, axis);
        if result.metric.share().is_some() {
            let space = if title.is_empty() { "" } else { " " };
            title += &format!("{space}{}", result.metric.name());
        }
        let key = (axis, title.clone());
        let at = *self.places.entry(key).or_insert_with(|| {
            self.series.push(Series {
                title,
                axis,
                lines: String::new(),
                positive: true,
            });
            self.series.len() - 1
        });
        let series = &mut self.series[at];
        // Logarithmic scales where nothing on them is zero or less: sizes are doubled, mostly.
        series.positive &= x > 0.0 && low > 0.0;
        // The farther end of the interval is its half-width.
        let dy = (high - y).max(y - low);
        let case = field(&case.id);
        series.lines += &format!("{case} {x} {y} {dy} {low} {high}\n");
        Ok(())
    }

    /// The position of a case without an axis, from 1; the same in all runs.
    fn number(&mut self, case: &'a Case) -> f64 {
        let at = *self.numbers.entry(&case.id).or_insert_with(|| {
            self.named.push(case);
            self.named.len() - 1
        });
        (at + 1) as f64
    }

    /// The data, then a plot for each axis, one below the other.
    fn script(&self) -> String {
        let mut text = String::new();
        // Of each axis its series, each with its number.
        let mut axes: Vec<Vec<(usize, &Series<'_>)>> = Vec::new();
        let mut places = HashMap::new();
        for (number, series) in self.series.iter().enumerate() {
            text += &format!("$series{number} << END\n{}END\n", series.lines);
            let place = *places.entry(series.axis).or_insert_with(|| {
                axes.push(Vec::new());
                axes.len() - 1
            });
            axes[place].push((number, series));
        }
        text += "set key outside below\nset ylabel 'ns/op'\n";
        if axes.len() > 1 {
            text += &format!("set multiplot layout {},1\n", axes.len());
        }
        for series in &axes {
            text += &self.plot(series);
        }
        if axes.len() > 1 {
            text += "unset multiplot\n";
        }
        text
    }

    /// The plot of the series of one axis.
    fn plot(&self, series: &[(usize, &Series<'_>)]) -> String {
        let axis = series.first().map_or("", |(_, first)| first.axis);
        let (style, scale, setup) = if axis.is_empty() {
            ("yerrorbars", "set logscale y\n", self.names())
        } else {
            let axis = string(axis);
            let setup =
                format!("set xtics autofreq norotate\nset autoscale x\nset xlabel {axis}{PLAIN}\n");
            ("yerrorlines", "set logscale xy\n", setup)
        };
        let positive = series.iter().all(|(_, series)| series.positive);
        let scale = if positive { scale } else { "" };
        let lines = series.iter().map(|(number, series)| {
            let title = string(&series.title);
            format!(" $series{number} using 2:3:5:6 with {style} title {title}{PLAIN}")
        });
        let plot = lines.collect::<Vec<_>>().join(", \\\n   ");
        format!("unset logscale\n{setup}{scale}plot{plot}\n")
    }

    /// The names of the cases without an axis, below the plot.
    fn names(&self) -> String {
        let cases = self.named.len();
        let tics = self.named.iter().enumerate().map(|(at, case)| {
            // The label of a tic is a format as well, for the tic's value.
            let label = case_label(case, &Style::FILE).replace('%', "%%");
            format!("{} {}", string(&label), at + 1)
        });
        let names = tics.collect::<Vec<_>>().join(", ");
        format!("set xlabel ''\nset xrange [0.5:{cases}.5]\nset xtics{PLAIN} rotate ({names})\n")
    }
}

/// The last axis whose value is a number, and the number.
fn axis_value(case: &Case) -> Option<(&str, f64)> {
    let values = case.arguments.iter().rev().filter_map(|argument| {
        let x: f64 = argument.value.parse().ok()?;
        Some((&*argument.axis, x))
    });
    values.into_iter().find(|(_, x)| x.is_finite())
}

/// Run, group, name and the values on the other axes; of cases without an axis, only the run.
fn title(sheet: &str, case: &Case, axis: &str) -> String {
    if axis.is_empty() {
        return sheet.to_owned();
    }
    let group = if case.group == case.name {
        ""
    } else {
        &case.group
    };
    let others = case
        .arguments
        .iter()
        .filter(|argument| argument.axis != axis);
    let mut words = vec![sheet, group, &case.name];
    words.extend(others.map(|argument| argument.value.as_str()));
    words.retain(|word| !word.is_empty());
    words.join("/")
}

/// A string of a script, in single quotes: in double ones gnuplot would look for escapes and commands.
fn string(text: &str) -> String {
    format!("'{}'", safe(text).replace('\'', "''"))
}

/// A field of a data block: in double quotes, which it has no way to hold.
fn field(text: &str) -> String {
    format!("\"{}\"", safe(text).replace('"', "'"))
}

/// An escaped text without backticks: gnuplot runs what is between two of them as a command.
fn safe(text: &str) -> String {
    escape(text, true).replace('`', "\\u{60}")
}
