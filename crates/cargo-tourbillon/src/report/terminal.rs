//! Pictures of characters: intervals below each other, and sweeps.

use tourbillon_pictures::Scale;
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

/// The intervals of each group on an axis of their own, then the sweeps.
pub(crate) fn plot(run: &Run, style: &Style) -> String {
    let view = RunView::new("", run, run.launches.clone(), 1);
    let mut page = Page {
        text: String::new(),
        columns: style.width.clamp(Style::NARROWEST, MOST),
        glyphs: if style.unicode { &UNICODE } else { &ASCII },
        style,
    };
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

fn cell(scale: &Scale, value: f64, cells: usize) -> usize {
    ((scale.position(value) * cells as f64) as usize).min(cells - 1)
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
            escape(&text.replace('µ', "u"), false)
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

    /// A line for each case: name, interval, figure.
    fn intervals(&mut self, group: &[CaseView<'_>], texts: &[String]) {
        let glyphs = self.glyphs;
        let labels: Vec<String> = group.iter().map(|case| self.plain(&case.label)).collect();
        let figures = widest(texts).min(self.columns / 3);
        let names = widest(&labels)
            .min(self.columns.saturating_sub(figures + LEAST + 4))
            .max(4);
        let room = self.columns.saturating_sub(names + figures + 4).max(4);
        let ends = group.iter().filter_map(CaseView::interval);
        let scale = Scale::log(ends.flat_map(|(lower, upper)| [lower, upper]));
        for ((case, label), text) in group.iter().zip(&labels).zip(texts) {
            let mut cells = vec![' '; room];
            if let Some((lower, upper)) = case.interval() {
                let [low, high] = [lower, upper].map(|value| cell(&scale, value, room));
                // A record that is not ours may have its ends exchanged.
                let (low, high) = (low.min(high), low.max(high));
                cells[low..=high].fill(glyphs.line);
                cells[low] = glyphs.ends[0];
                cells[high] = glyphs.ends[1];
            }
            if let Some(estimate) = case.centre() {
                cells[cell(&scale, estimate, room)] = glyphs.dot;
            }
            let bar = String::from_iter(cells);
            let label = padded(&self.cut(label, names), names);
            self.line(&format!("{label}  {bar}  {}", self.cut(text, figures)));
        }
        let ticks = scale.ticks(4);
        let drawn = group.iter().find(|case| case.interval().is_some());
        if let (Some(case), [first, .., last]) = (drawn, ticks.as_slice()) {
            let mut axis = vec![glyphs.line; room];
            for tick in &ticks {
                axis[cell(&scale, tick.value, room)] = glyphs.tick;
            }
            let axis = String::from_iter(axis);
            self.line(&format!("{}  {axis}", " ".repeat(names)));
            let log = if scale.is_log() { ", log axis" } else { "" };
            let [first, last] = [first, last].map(|tick| self.plain(&case.tick(*tick)));
            self.words(names, &format!("  {first} to {last}{log}"));
        }
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
