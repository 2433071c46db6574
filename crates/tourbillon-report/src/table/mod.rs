//! The table of results.

mod columns;
mod findings;
mod legend;
mod notes;
mod overlap;
mod row;

use tourbillon_record::{Case, CaseResult, Fault, Metric, Throughput};

use crate::escape::{display_width, push_beginning, push_shortened, push_spaces};
use crate::fill::Page;
use crate::style::Ink;
use crate::tree::{heading_is_name, label, place};
use crate::{Ratio, Style, escape};
use columns::{Column, GAP, Layout};
pub(crate) use findings::{Found, found};
use findings::{mixed, named_confidence};
use legend::add_legend;
use notes::add_notes;
use row::Row;

/// The results of a run, a line for each case under its heading, then what the marks and notes
/// mean.
///
/// Columns stand where there is something to show: time per op and the half-width of its interval
/// as a fraction, cycles, throughput, the ratio to the last run. On a narrow terminal they go in
/// the order throughput, cycles, last run, half-width, and a line names those that went; then names
/// are cut in the middle.
///
/// The heading of the half-width names the confidence that was asked for; an interval that does not
/// reach it is marked. A half-width is that of the farther end, rounded up.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The cases in the order in which they are shown within their groups.
    pub cases: &'a [Case],
    /// Their results, in any order; those of other cases are left aside.
    pub results: &'a [CaseResult],
    /// Visits that failed: the first of a case is named where the case has no result.
    pub faults: &'a [Fault],
    /// Launches that were asked for.
    pub launches: u32,
    /// Confidence that was asked for, 0 to 1.
    pub confidence: f64,
    /// What an op of a case processes, by the case's id.
    pub throughput: &'a dyn Fn(&str) -> Option<Throughput>,
    /// The name under which the run was saved that this one is held against; `None` for the last run.
    pub baseline: Option<&'a str>,
    /// This run's figure divided by that one's, by the case's id.
    pub last: &'a dyn Fn(&str) -> Option<Ratio>,
    /// Lines to stand below the row of a case, by its id, each ended: what else was measured of it.
    pub below: &'a dyn Fn(&str, &Style) -> String,
}

impl std::fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("cases", &self.cases.len())
            .field("results", &self.results.len())
            .finish_non_exhaustive()
    }
}

/// What is drawn of a table, whatever the form.
struct Parts<'a> {
    order: Vec<&'a Case>,
    rows: Vec<Row>,
    layout: Layout,
    /// What the marks and notes mean, in lines.
    meanings: String,
}

impl<'a> Parts<'a> {
    #[inline(never)]
    fn of(table: &Table<'a>, style: &Style) -> Parts<'a> {
        let found = found(table);
        let confidence = named_confidence(&found, table.confidence);
        let mixed = mixed(&found);
        let mut order: Vec<&Case> = Vec::with_capacity(found.len());
        for found in &found {
            order.push(found.case);
        }
        let mut rows = Vec::with_capacity(found.len());
        // The first heading shares its line with the titles.
        let mut wanted = 0;
        let mut named = true;
        for (i, found) in found.iter().enumerate() {
            if i == 0 {
                wanted = display_width(&escape(&found.case.group, style.unicode));
            }
            let place = place(&order, i, style);
            if place.heading {
                named = !heading_is_name(&order, i);
            }
            let label = label(found.case, named, style);
            wanted = wanted.max(display_width(place.branch) + display_width(&label));
            rows.push(Row::new(found, label, confidence, mixed, style));
        }
        // One row in something else, and the title says nothing of time.
        let all_times = found
            .iter()
            .all(|found| found.main.is_none() || found.measures(Metric::Time));
        let main = if all_times { "time/op" } else { "per op" };
        let layout = Layout::new(&rows, main, wanted, confidence, table.baseline, style);
        let mut meanings = Page::new(style);
        add_legend(&mut meanings, &found, &layout, confidence, table.baseline);
        add_notes(&mut meanings, &found, table.launches);
        Parts {
            order,
            rows,
            layout,
            meanings: meanings.text,
        }
    }
}

impl Table<'_> {
    /// The lines, each ended; none when there is no case.
    pub fn render(&self, style: &Style) -> String {
        let parts = Parts::of(self, style);
        let mut page = Page::new(style);
        for (i, row) in parts.rows.iter().enumerate() {
            let place = place(&parts.order, i, style);
            if place.heading || i == 0 {
                add_heading(&mut page, &parts.order[i].group, i == 0, &parts.layout);
            }
            add_row(&mut page, row, place.branch, &parts.layout);
            page.text.push_str(&(self.below)(&parts.order[i].id, style));
        }
        if !parts.meanings.is_empty() {
            page.text.push('\n');
            page.text.push_str(&parts.meanings);
        }
        page.text
    }
}

/// A table as its cells, for forms that have lines of their own to draw.
pub(crate) struct Grid<'a> {
    /// Of the columns to the right of the name.
    pub(crate) titles: Vec<String>,
    /// The cases with their cells; one without figures has the reason in the first.
    pub(crate) rows: Vec<(&'a Case, Vec<String>)>,
    /// What the marks and notes mean, in lines.
    pub(crate) meanings: String,
}

/// The cells of the columns that have any.
pub(crate) fn grid<'a>(table: &Table<'a>, style: &Style) -> Grid<'a> {
    let parts = Parts::of(table, style);
    let mut grid = Grid {
        titles: Vec::new(),
        rows: Vec::with_capacity(parts.rows.len()),
        meanings: parts.meanings,
    };
    for case in parts.order {
        grid.rows.push((case, Vec::new()));
    }
    for column in &Column::ALL {
        if !parts.layout.shows(*column) {
            continue;
        }
        let first = grid.titles.is_empty();
        grid.titles
            .push(parts.layout.title(*column as usize).to_owned());
        for (at, row) in parts.rows.iter().enumerate() {
            let cell = match row.instead.string.as_str() {
                why if first && !why.is_empty() => why,
                _ => row.cell(*column as usize),
            };
            grid.rows[at].1.push(cell.to_owned());
        }
    }
    let mut more = false;
    for (case, cells) in &mut grid.rows {
        let below = (table.below)(&case.id, style).trim_ascii().to_owned();
        more |= !below.is_empty();
        cells.push(below);
    }
    grid.titles.push("memory".to_owned());
    if !more {
        grid.titles.pop();
        for (_, cells) in &mut grid.rows {
            cells.pop();
        }
    }
    grid
}

/// A group's name; the first line bears the columns' titles too.
fn add_heading(page: &mut Page<'_>, group: &str, first: bool, layout: &Layout) {
    let style = page.style;
    let room = if first { layout.name } else { style.columns() };
    let mut name = String::new();
    push_shortened(
        &mut name,
        &escape(group, style.unicode),
        room,
        style.glyphs().ellipsis,
    );
    let mut line = String::new();
    style.paint(&mut line, Ink::Heading, &name);
    if first {
        push_spaces(&mut line, layout.name - display_width(&name));
        layout.push_titles(&mut line);
    }
    end(page, &line);
}

fn add_row(page: &mut Page<'_>, row: &Row, branch: &str, layout: &Layout) {
    let style = page.style;
    let ellipsis = style.glyphs().ellipsis;
    let room = layout.name - display_width(branch);
    let mut label = String::new();
    push_shortened(&mut label, &row.label, room, ellipsis);
    let pad = room - display_width(&label);
    push_spaces(&mut label, pad);
    let mut line = String::new();
    style.paint(&mut line, Ink::Dim, branch);
    line.push_str(&label);
    if row.instead.string.is_empty() {
        layout.push_cells(&mut line, row);
    } else {
        let mut why = String::new();
        let room = style.columns() - layout.name - GAP;
        push_beginning(&mut why, &row.instead.string, room, ellipsis);
        push_spaces(&mut line, GAP);
        style.paint(&mut line, row.ink, &why);
    }
    end(page, &line);
}

/// Ends a line; one without anything on it is left out.
fn end(page: &mut Page<'_>, line: &str) {
    let line = line.trim_ascii_end();
    if !line.is_empty() {
        page.text.push_str(line);
        page.text.push('\n');
    }
}
