//! Pictures of characters: intervals below each other, and sweeps.

use tourbillon_compare::{is_comparison, recorded};
use tourbillon_pictures::{Scale, Tick, change_scale, tick_label};
use tourbillon_present::{Block, RATIO, Row, Table};
use tourbillon_record::Run;
use tourbillon_report::{Style, display_width, escape, padded, shortened};

use super::sweep::{Sweep, sweeps};
use super::view::{CaseView, RunView};

/// Rows of a plot of a sweep.
const ROWS: usize = 14;
/// Columns that a picture has at least.
const LEAST: usize = 12;
/// Columns that a picture has at most, whatever the terminal: a longer line is hard to follow.
const MOST: usize = 80;

/// The characters that differ between Unicode and ASCII.
struct Glyphs {
    dot: char,
    line: char,
    ends: [char; 2],
    upright: char,
    tick: char,
}

const UNICODE: Glyphs = Glyphs {
    dot: '●',
    line: '─',
    ends: ['├', '┤'],
    upright: '│',
    tick: '┴',
};
const ASCII: Glyphs = Glyphs {
    dot: 'o',
    line: '-',
    ends: ['|', '|'],
    upright: '|',
    tick: '+',
};

/// Marks of the series of a sweep.
const MARKS: [char; 6] = ['a', 'b', 'c', 'd', 'e', 'f'];

/// Most ticks of an axis.
const TICKS: usize = 8;
/// What a logarithmic axis is called.
const LOG: &str = "log axis";
/// Columns between the labels of two ticks.
const GAP: usize = 2;

/// The intervals of each group on an axis of their own, then the sweeps; of a comparison of builds those of the changes.
pub(crate) fn plot(run: &Run, style: &Style) -> String {
    let mut page = Page {
        text: String::new(),
        columns: style.width.clamp(Style::NARROWEST, MOST),
        glyphs: if style.unicode { &UNICODE } else { &ASCII },
        style,
    };
    if is_comparison(run) {
        for block in &recorded(run, style, false).blocks {
            if let Block::Table(table) = block {
                page.changes(table);
            }
        }
        return page.text;
    }
    let view = RunView::new("", run, run.launches.clone(), 1);
    let rows = view.table.rows.iter();
    let texts: Vec<String> = rows
        .map(|row| page.plain(view.table.text_of(row, "time")))
        .collect();
    let mut texts = texts.as_slice();
    for group in view
        .cases
        .chunk_by(|one, other| one.case.group == other.case.group)
    {
        let (own, others) = texts.split_at(group.len());
        page.intervals(group, own);
        page.line("");
        texts = others;
    }
    for sweep in sweeps(&view.cases) {
        page.sweep(&sweep);
        page.line("");
    }
    page.text.truncate(page.text.trim_end().len());
    page.line("");
    page.text
}

/// The most columns that a text takes.
fn widest<'t>(texts: impl IntoIterator<Item = &'t String>) -> usize {
    let widths = texts.into_iter().map(|text| display_width(text));
    widths.max().unwrap_or(0)
}

/// The labels on one line, each around its place; `None` where two would touch.
fn placed(ticks: &[(usize, String)], room: usize) -> Option<String> {
    let mut line = String::new();
    let mut end = 0;
    for (at, label) in ticks {
        let width = display_width(label);
        let start = at.saturating_sub(width / 2).min(room.checked_sub(width)?);
        let gap = if end == 0 { 0 } else { GAP };
        line += &" ".repeat(start.checked_sub(end).filter(|free| *free >= gap)?);
        line += label;
        end = start + width;
    }
    Some(line)
}

fn cell(scale: &Scale, value: f64, cells: usize) -> usize {
    ((scale.position(value) * cells as f64) as usize).min(cells - 1)
}

/// A row of a picture of intervals.
struct Drawn {
    label: String,
    /// What stands behind it.
    text: String,
    interval: Option<(f64, f64)>,
    centre: Option<f64>,
}

impl Drawn {
    /// A row of a table of changes.
    fn of_change(table: &Table, row: &Row) -> Drawn {
        let number = |key: &str| {
            let place = table.columns.iter().position(|column| column.key == key);
            place.and_then(|place| row.number(place))
        };
        let [ratio, lower, upper, _] = RATIO.map(number);
        let interval = lower.zip(upper);
        let symbol = row.mark.map_or("", |mark| mark.symbol);
        Drawn {
            label: format!("{symbol} {}", row.text(0)),
            text: table.text_of(row, "change").to_owned(),
            // A ratio without an interval would look like one that is known.
            centre: ratio.filter(|_| interval.is_some()),
            interval,
        }
    }
}

/// What is drawn, from top to bottom.
struct Page<'s> {
    text: String,
    columns: usize,
    glyphs: &'static Glyphs,
    style: &'s Style,
}

impl Page<'_> {
    /// The text for a terminal that may know ASCII only.
    fn plain(&self, text: &str) -> String {
        if self.style.unicode {
            text.to_owned()
        } else {
            let ascii = [('µ', "u"), ('−', "-"), ('×', "x")];
            let replaced = |text: String, (own, ascii)| text.replace(own, ascii);
            escape(&ascii.into_iter().fold(text.to_owned(), replaced), false)
        }
    }

    fn cut(&self, text: &str, columns: usize) -> String {
        shortened(text, columns, self.style.glyphs().ellipsis)
    }

    /// Adds a line as it is.
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Adds a line of words below a picture whose names take so many columns, no wider than the page.
    fn words(&mut self, names: usize, words: &str) {
        let line = format!("{}{words}", " ".repeat(names));
        self.text += &self.cut(&line, self.columns);
        self.text.push('\n');
    }

    /// A line for each case of a group: name, interval, figure.
    fn intervals(&mut self, group: &[CaseView<'_>], texts: &[String]) {
        let rows = group.iter().zip(texts).map(|(case, text)| Drawn {
            label: self.plain(&case.label),
            text: text.clone(),
            interval: case.interval(),
            centre: case.centre(),
        });
        let rows: Vec<Drawn> = rows.collect();
        let ends = group.iter().filter_map(CaseView::interval);
        let scale = Scale::log(ends.flat_map(|(lower, upper)| [lower, upper]));
        let drawn = group.iter().find(|case| case.interval().is_some());
        let label = |tick: Tick| drawn.map_or_else(String::new, |case| case.tick(tick));
        self.rows(&rows, &scale, &label);
    }

    /// A line for each row of a comparison: name, interval of the change, change.
    fn changes(&mut self, table: &Table) {
        let rows = table.rows.iter().filter(|row| !row.is_folded);
        let rows: Vec<Drawn> = rows
            .map(|row| Drawn::of_change(table, row))
            .map(|row| Drawn {
                label: self.plain(&row.label),
                text: self.plain(&row.text),
                ..row
            })
            .collect();
        let ends = rows.iter().filter_map(|row| row.interval);
        let scale = change_scale(ends.flat_map(|(lower, upper)| [lower, upper]));
        self.rows(&rows, &scale, &|tick| tick_label(tick.value, false));
        if let Some(folded) = &table.folded {
            self.words(0, folded);
        }
    }

    /// A line for each row, and the axis below them.
    fn rows(&mut self, rows: &[Drawn], scale: &Scale, label: &dyn Fn(Tick) -> String) {
        let glyphs = self.glyphs;
        let figures = widest(rows.iter().map(|row| &row.text)).min(self.columns / 3);
        let names = widest(rows.iter().map(|row| &row.label))
            .min(self.columns.saturating_sub(figures + LEAST + 4))
            .max(4);
        let room = self.columns.saturating_sub(names + figures + 4).max(4);
        for row in rows {
            let mut cells = vec![' '; room];
            if let Some((lower, upper)) = row.interval {
                let [low, high] = [lower, upper].map(|value| cell(scale, value, room));
                // A record that is not ours may have its ends exchanged.
                let (low, high) = (low.min(high), low.max(high));
                cells[low..=high].fill(glyphs.line);
                cells[low] = glyphs.ends[0];
                cells[high] = glyphs.ends[1];
            }
            if let Some(centre) = row.centre {
                cells[cell(scale, centre, room)] = glyphs.dot;
            }
            let bar = String::from_iter(cells);
            let name = padded(&self.cut(&row.label, names), names);
            self.line(&format!("{name}  {bar}  {}", self.cut(&row.text, figures)));
        }
        if rows.iter().any(|row| row.interval.is_some()) {
            self.axis(names, room, scale, label);
        }
    }

    /// An axis with as many labelled ticks as have room.
    fn axis(&mut self, names: usize, room: usize, scale: &Scale, label: &dyn Fn(Tick) -> String) {
        let label = |tick: Tick| (cell(scale, tick.value, room), self.plain(&label(tick)));
        let sets = (2..=TICKS).rev();
        let mut sets = sets.map(|most| scale.ticks(most).into_iter().map(label).collect());
        let ticks: Option<Vec<(usize, String)>> =
            sets.find(|ticks: &Vec<_>| !ticks.is_empty() && placed(ticks, room).is_some());
        let Some((ticks, labels)) =
            ticks.and_then(|ticks| placed(&ticks, room).map(|labels| (ticks, labels)))
        else {
            return;
        };
        let mut axis = vec![self.glyphs.line; room];
        for (at, _) in &ticks {
            axis[*at] = self.glyphs.tick;
        }
        let kind = match scale.is_log() {
            true if names >= LOG.len() => LOG,
            true => "log",
            false => "",
        };
        self.line(&format!(
            "{}  {}",
            padded("", names),
            String::from_iter(axis)
        ));
        self.line(&format!("{}  {labels}", padded(kind, names)));
    }

    /// A sweep, both axes logarithmic, a letter for each series.
    fn sweep(&mut self, sweep: &Sweep<'_, '_>) {
        let points = || sweep.series.iter().flat_map(|series| &series.points);
        let Some((_, first)) = points().next() else {
            return;
        };
        let heights: Vec<f64> = points().filter_map(|(_, case)| case.centre()).collect();
        if heights.len() < 2 {
            return;
        }
        let (x, y) = (Scale::log(points().map(|(x, _)| *x)), Scale::log(heights));
        let down = |value: f64| ROWS - 1 - cell(&y, value, ROWS);
        let mut labels = vec![String::new(); ROWS];
        // Of several at a place the lowest.
        for tick in y.ticks(5).iter().rev() {
            labels[down(tick.value)] = self.plain(&first.tick(*tick));
        }
        let left = widest(&labels);
        let room = self.columns.saturating_sub(left + 2).max(LEAST);
        let mut rows = vec![vec![' '; room]; ROWS];
        for (series, mark) in sweep.series.iter().zip(MARKS) {
            for (size, estimate) in series.centres() {
                let place = &mut rows[down(estimate)][cell(&x, size, room)];
                *place = if *place == ' ' { mark } else { '*' };
            }
        }
        self.words(0, &self.plain(&sweep.title));
        for (label, row) in labels.iter().zip(rows) {
            let blank = " ".repeat(left - display_width(label));
            let cells = String::from_iter(row);
            self.line(&format!("{blank}{label} {}{cells}", self.glyphs.upright));
        }
        let rule = String::from_iter(std::iter::repeat_n(self.glyphs.line, room));
        self.line(&format!("{} {rule}", " ".repeat(left)));
        let mut sizes: Vec<f64> = points().map(|(x, _)| *x).collect();
        sizes.sort_by(f64::total_cmp);
        if let (Some(first), Some(last)) = (sizes.first(), sizes.last()) {
            let axis = self.plain(&sweep.axis());
            self.words(left, &format!(" {axis} from {first} to {last}, log axes"));
        }
        for (series, mark) in sweep.series.iter().zip(MARKS) {
            let name = self.plain(&series.name);
            self.words(left, &format!(" {mark} {name}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Argument, Case, CaseResult, Metric};

    use super::*;

    /// Interval and estimate of a record that is not ours.
    fn record([lower, estimate, upper]: [f64; 3]) -> Run {
        let cases = ["1", "2", "3"].map(|size| Case {
            id: format!("p/t::add[n={size}]"),
            name: "add".to_owned(),
            arguments: vec![Argument {
                axis: "n".to_owned(),
                value: size.to_owned(),
            }],
            ..Case::default()
        });
        let results = cases.each_ref().map(|case| CaseResult {
            estimate: Ok(estimate),
            lower: Some(lower),
            upper: Some(upper),
            ..CaseResult::without_figures(&case.id, Metric::Time, "")
        });
        Run {
            cases: cases.into(),
            results: results.into(),
            ..Run::default()
        }
    }

    #[test]
    fn an_axis_has_labels_over_its_whole_range() {
        let mut run = record([29.0, 29.7, 30.0]);
        run.results[1].estimate = Ok(2350.0);
        (run.results[1].lower, run.results[1].upper) = (Some(2300.0), Some(2400.0));
        for width in [60, 80, 120] {
            let plot = plot(&run, &Style::of_width(width));
            for label in ["100 ns", "1 µs"] {
                assert!(plot.contains(label), "{width}: {plot}");
            }
        }
    }

    #[test]
    fn labels_do_not_touch() {
        let ticks = |places: &[usize]| {
            let ticks = places.iter().map(|at| (*at, format!("{at} ns")));
            placed(&ticks.collect::<Vec<_>>(), 20)
        };
        assert_eq!(ticks(&[1, 10]).as_deref(), Some("1 ns    10 ns"));
        assert_eq!(ticks(&[10, 19]).as_deref(), Some("        10 ns  19 ns"));
        assert_eq!(ticks(&[1, 6]), None);
        assert_eq!(placed(&[(0, "wide".to_owned())], 3), None);
    }

    #[test]
    fn every_finite_figure_is_drawn() {
        let odd = [
            f64::MIN,
            -1.0,
            0.0,
            5e-324,
            1e-300,
            1.0,
            2.0,
            1e300,
            f64::MAX,
        ];
        let style = Style::default();
        for lower in odd {
            for figures in odd.iter().flat_map(|one| odd.map(|two| [lower, *one, two])) {
                let plot = plot(&record(figures), &style);
                assert!(plot.contains('●'), "{figures:?}: {plot}");
            }
        }
    }
}
