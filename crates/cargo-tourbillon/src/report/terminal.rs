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
    ellipsis: &'static str,
    upright: char,
    tick: char,
}

const UNICODE: Glyphs = Glyphs {
    dot: '●',
    line: '─',
    ends: ['├', '┤'],
    ellipsis: "…",
    upright: '│',
    tick: '┴',
};
const ASCII: Glyphs = Glyphs {
    dot: 'o',
    line: '-',
    ends: ['|', '|'],
    ellipsis: "..",
    upright: '|',
    tick: '+',
};

/// Marks of the series of a sweep.
const MARKS: [char; 6] = ['a', 'b', 'c', 'd', 'e', 'f'];

/// The intervals of each group on an axis of their own, then the sweeps.
pub(crate) fn plot(run: &Run, style: &Style) -> String {
    let view = RunView::new("", run, run.launches.clone(), 1);
    let columns = style.width.clamp(Style::NARROWEST, MOST);
    let glyphs = if style.unicode { &UNICODE } else { &ASCII };
    let rows = view.table.rows.iter();
    let texts: Vec<String> = rows
        .map(|row| plain(view.table.text_of(row, "time"), style))
        .collect();
    let mut page = String::new();
    let mut at = 0;
    for group in view
        .cases
        .chunk_by(|one, other| one.case.group == other.case.group)
    {
        let texts = &texts[at..at + group.len()];
        at += group.len();
        intervals(&mut page, group, texts, columns, glyphs, style);
        page.push('\n');
    }
    for sweep in sweeps(&view.cases) {
        picture(&mut page, &sweep, columns, glyphs, style);
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// The text for a terminal that may know ASCII only.
fn plain(text: &str, style: &Style) -> String {
    if style.unicode {
        text.to_owned()
    } else {
        escape(&text.replace('µ', "u"), false)
    }
}

/// A line for each case: name, interval, figure.
fn intervals(
    page: &mut String,
    group: &[CaseView<'_>],
    texts: &[String],
    columns: usize,
    glyphs: &Glyphs,
    style: &Style,
) {
    let labels: Vec<String> = group.iter().map(|case| plain(&case.label, style)).collect();
    let widest = |texts: &[String]| {
        texts
            .iter()
            .map(|text| display_width(text))
            .max()
            .unwrap_or(0)
    };
    let figures = widest(texts).min(columns / 3);
    let names = widest(&labels)
        .min(columns.saturating_sub(figures + LEAST + 4))
        .max(4);
    let room = columns.saturating_sub(names + figures + 4).max(4);
    let ends = group.iter().filter_map(CaseView::interval);
    let scale = Scale::log(ends.flat_map(|(lower, _, upper)| [lower, upper]));
    for ((case, label), text) in group.iter().zip(&labels).zip(texts) {
        let mut cells = vec![' '; room];
        if let Some((lower, estimate, upper)) = case.interval() {
            let [low, middle, high] =
                [lower, estimate, upper].map(|value| cell(&scale, value, room));
            // A record that is not ours may have its ends exchanged.
            let (low, high) = (low.min(high), low.max(high));
            cells[low..=high].fill(glyphs.line);
            cells[low] = glyphs.ends[0];
            cells[high] = glyphs.ends[1];
            cells[middle] = glyphs.dot;
        }
        let bar: String = cells.into_iter().collect();
        let label = padded(&shortened(label, names, glyphs.ellipsis), names);
        let line = format!(
            "{label}  {bar}  {}",
            shortened(text, figures, glyphs.ellipsis)
        );
        page.push_str(line.trim_end());
        page.push('\n');
    }
    let ticks = scale.ticks(4);
    let drawn = group.iter().find(|case| case.interval().is_some());
    if let (Some(case), [first, .., last]) = (drawn, ticks.as_slice()) {
        let mut axis = vec![glyphs.line; room];
        for tick in &ticks {
            axis[cell(&scale, tick.value, room)] = glyphs.tick;
        }
        page.push_str(&format!("{}  ", " ".repeat(names)));
        page.extend(axis);
        page.push('\n');
        let log = if scale.is_log() { ", log axis" } else { "" };
        let [first, last] = [first, last].map(|tick| plain(&case.tick(*tick), style));
        let line = format!("{}  {first} to {last}{log}", " ".repeat(names));
        page.push_str(&shortened(&line, columns, glyphs.ellipsis));
        page.push('\n');
    }
}

fn cell(scale: &Scale, value: f64, cells: usize) -> usize {
    ((scale.position(value) * cells as f64) as usize).min(cells - 1)
}

/// A sweep, both axes logarithmic, a letter for each series.
fn picture(
    page: &mut String,
    sweep: &Sweep<'_, '_>,
    columns: usize,
    glyphs: &Glyphs,
    style: &Style,
) {
    let points = || sweep.series.iter().flat_map(|series| &series.points);
    let Some((_, first)) = points().next() else {
        return;
    };
    let heights = points().filter_map(|(_, case)| Some(case.interval()?.1));
    let (x, y) = (Scale::log(points().map(|(x, _)| *x)), Scale::log(heights));
    let ticks: Vec<(usize, String)> = y
        .ticks(5)
        .into_iter()
        .map(|tick| {
            (
                ROWS - 1 - cell(&y, tick.value, ROWS),
                plain(&first.tick(tick), style),
            )
        })
        .collect();
    let left = ticks
        .iter()
        .map(|(_, label)| display_width(label))
        .max()
        .unwrap_or(0);
    let room = columns.saturating_sub(left + 2).max(LEAST);
    let mut rows = vec![vec![' '; room]; ROWS];
    for (series, mark) in sweep.series.iter().zip(MARKS) {
        for (size, case) in &series.points {
            if let Some((_, estimate, _)) = case.interval() {
                let (across, down) = (cell(&x, *size, room), ROWS - 1 - cell(&y, estimate, ROWS));
                rows[down][across] = match rows[down][across] {
                    ' ' => mark,
                    _ => '*',
                };
            }
        }
    }
    page.push_str(&shortened(
        &plain(&sweep.title, style),
        columns,
        glyphs.ellipsis,
    ));
    page.push('\n');
    for (at, row) in rows.into_iter().enumerate() {
        let label = ticks
            .iter()
            .find(|(row, _)| *row == at)
            .map_or("", |(_, label)| label);
        let blank = " ".repeat(left - display_width(label));
        let cells: String = row.into_iter().collect();
        let line = format!("{blank}{label} {}{cells}", glyphs.upright);
        page.push_str(line.trim_end());
        page.push('\n');
    }
    let rule: String = std::iter::repeat_n(glyphs.line, room).collect();
    page.push_str(&format!("{} {rule}\n", " ".repeat(left)));
    let mut sizes: Vec<f64> = points().map(|(x, _)| *x).collect();
    sizes.sort_by(f64::total_cmp);
    if let (Some(first), Some(last)) = (sizes.first(), sizes.last()) {
        let axis = plain(&sweep.axis(), style);
        let line = format!(
            "{} {axis} from {first} to {last}, log axes",
            " ".repeat(left)
        );
        page.push_str(&shortened(&line, columns, glyphs.ellipsis));
        page.push('\n');
    }
    for (series, mark) in sweep.series.iter().zip(MARKS) {
        let line = format!("{} {mark} {}", " ".repeat(left), plain(&series.name, style));
        page.push_str(&shortened(&line, columns, glyphs.ellipsis));
        page.push('\n');
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
