//! The table of results.

mod columns;
mod findings;
mod legend;
mod names;
mod notes;
mod overlap;
mod remarks;
mod removed;
mod row;

use tourbillon_record::{Case, CaseResult, Fault, Metric, Throughput};

use crate::escape::{display_width, push_beginning, push_shortened, push_spaces};
use crate::style::Ink;
use crate::text::{push, trimmed};
use crate::tree::{self, grouped, place};
use crate::wrap::Page;
use crate::{Ratio, Style, escape};
use columns::GAP;
pub(crate) use columns::{COLUMNS, Layout};
use findings::{Compared, named_confidence};
pub(crate) use findings::{Found, found};
use legend::Legend;
use notes::add_notes;
pub use remarks::Remark;
pub(crate) use remarks::remarks;
use removed::name_removed;
pub(crate) use row::Row;

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
pub(crate) struct Parts<'a> {
    pub(crate) order: Vec<&'a Case>,
    found: Vec<Found<'a>>,
    /// The confidence of the heading.
    confidence: f64,
    compared: Compared,
    pub(crate) layout: Layout,
    /// What the marks and notes mean, in lines.
    pub(crate) meanings: String,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(table: &Table<'a>, style: &Style) -> Parts<'a> {
        let found = found(table);
        let confidence = named_confidence(&found, table.confidence);
        let mut parts = Parts {
            order: grouped(table.cases),
            confidence,
            compared: Compared::of(&found),
            layout: Layout::new(main_title(&found), confidence, table.baseline, style),
            found,
            meanings: String::new(),
        };
        parts.lay_out(style);
        parts.explain(table, style);
        parts
    }

    /// What is known about the cases, in the order of their rows.
    pub(crate) fn found(&self) -> &[Found<'a>] {
        &self.found
    }

    /// The line of a case.
    pub(crate) fn row(&self, at: usize, style: &Style) -> Row {
        Row::new(
            &self.found[at],
            self.confidence,
            self.compared.mixed(),
            style,
        )
    }

    #[inline(never)]
    fn lay_out(&mut self, style: &Style) {
        // The first heading shares its line with the titles.
        let mut wanted = match self.order.first() {
            Some(first) => display_width(&escape(&first.group, style.unicode)),
            None => 0,
        };
        for at in 0..self.order.len() {
            let row = self.row(at, style);
            let branch = place(&self.order, at, style).branch;
            wanted = wanted.max(display_width(branch) + display_width(row.label()));
            self.layout.widen(&row);
        }
        self.layout.divide(wanted, style);
    }

    #[inline(never)]
    fn explain(&mut self, table: &Table<'_>, style: &Style) {
        let mut page = Page::new(style);
        let legend = Legend {
            found: &self.found,
            compared: self.compared,
            layout: &self.layout,
            confidence: self.confidence,
            baseline: table.baseline,
        };
        legend.add(&mut page);
        name_removed(&mut page, &self.found);
        add_notes(&mut page, &self.found, table.launches);
        self.meanings = page.text;
    }
}

/// One row in something else, and the title says nothing of time.
#[inline(never)]
fn main_title(found: &[Found<'_>]) -> &'static str {
    for found in found {
        if found.main.is_some() && !found.measures(Metric::Time) {
            return "per op";
        }
    }
    "time/op"
}

impl Table<'_> {
    /// The lines, each ended; none when there is no case.
    pub fn render(&self, style: &Style) -> String {
        let mut text = String::new();
        self.draw(&mut text, &Parts::of(self, style), style);
        text
    }

    fn draw(&self, text: &mut String, parts: &Parts<'_>, style: &Style) {
        for at in 0..parts.order.len() {
            let place = place(&parts.order, at, style);
            let case = parts.order[at];
            if place.heading || at == 0 {
                push_heading(text, &case.group, at == 0, &parts.layout, style);
            }
            push_row(
                text,
                &parts.row(at, style),
                place.branch,
                &parts.layout,
                style,
            );
            push(text, &(self.below)(&case.id, style));
        }
        if !parts.meanings.is_empty() {
            text.push('\n');
            push(text, &parts.meanings);
        }
    }
}

/// A group's name; the first line bears the columns' titles too.
#[inline(never)]
fn push_heading(text: &mut String, group: &str, first: bool, layout: &Layout, style: &Style) {
    let start = text.len();
    let room = if first { layout.name } else { style.columns() };
    let width = tree::push_heading(text, group, room, style);
    if first {
        push_spaces(text, layout.name - width);
        layout.push_titles(text);
    }
    end(text, start);
}

#[inline(never)]
fn push_row(text: &mut String, row: &Row, branch: &str, layout: &Layout, style: &Style) {
    let start = text.len();
    let ellipsis = style.glyphs().ellipsis;
    let room = layout.name - display_width(branch);
    style.paint(text, Ink::Dim, branch);
    let label = text.len();
    push_shortened(text, row.label(), room, ellipsis);
    push_spaces(text, room - display_width(&text[label..]));
    if row.instead().is_empty() {
        layout.push_cells(text, row);
    } else {
        let mut why = String::new();
        let room = style.columns() - layout.name - GAP;
        push_beginning(&mut why, row.instead(), room, ellipsis);
        push_spaces(text, GAP);
        style.paint(text, row.ink, &why);
    }
    end(text, start);
}

/// Ends the line that starts there; one without anything on it is left out.
#[inline(never)]
fn end(text: &mut String, start: usize) {
    let length = trimmed(&text[start..]).len();
    text.truncate(start + length);
    if length > 0 {
        text.push('\n');
    }
}
