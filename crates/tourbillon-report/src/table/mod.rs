//! The table of results.

mod columns;
mod findings;
mod legend;
mod notes;
mod row;

use tourbillon_record::{Case, CaseResult, Fault, Throughput};

use crate::escape::{display_width, push_beginning, push_shortened, push_spaces};
use crate::fill::Page;
use crate::style::Ink;
use crate::tree::{heading_is_name, label, place};
use crate::{Ratio, Style, escape};
use columns::{GAP, Layout};
use findings::{found, mixed, named_confidence};
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
    /// This run's figure divided by the last one's, by the case's id.
    pub last: &'a dyn Fn(&str) -> Option<Ratio>,
}

impl std::fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("cases", &self.cases.len())
            .field("results", &self.results.len())
            .finish_non_exhaustive()
    }
}

impl Table<'_> {
    /// The lines, each ended; none when there is no case.
    pub fn render(&self, style: &Style) -> String {
        let found = found(self);
        let confidence = named_confidence(&found, self.confidence);
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
        let layout = Layout::new(&rows, wanted, confidence, style);
        let mut page = Page::new(style);
        for (i, row) in rows.iter().enumerate() {
            let place = place(&order, i, style);
            if place.heading || i == 0 {
                add_heading(&mut page, &order[i].group, i == 0, &layout);
            }
            add_row(&mut page, row, place.branch, &layout);
        }
        let mut meanings = Page::new(style);
        add_legend(&mut meanings, &found, &layout, confidence);
        add_notes(&mut meanings, &found, self.launches);
        if !meanings.text.is_empty() {
            page.text.push('\n');
            page.text.push_str(&meanings.text);
        }
        page.text
    }
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
