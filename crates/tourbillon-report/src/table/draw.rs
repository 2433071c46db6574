//! Drawing a table: headings, lines, notes, legend.

use tourbillon_record::{Case, Metric};

use super::gather::found;
use super::input::{Compared, Found, Table, named_confidence};
use super::layout::{GAP, Layout, Titles};
use super::legend::Legend;
use super::notes::add_notes;
use super::order::ordered;
use super::requested::requested;
use super::row::Row;
use crate::Style;
use crate::escape::{beginning, display_width, padded, shortened};
use crate::page::Page;
use crate::style::Ink;
use crate::tree::{heading, position};

/// What is drawn of a table, whatever the format.
pub(crate) struct Parts<'a> {
    pub(crate) order: Vec<&'a Case>,
    pub(crate) rows: Vec<Row>,
    pub(crate) layout: Layout,
    /// What the marks and notes mean, in lines.
    pub(crate) meanings: String,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(table: &Table<'a>, style: &Style) -> Parts<'a> {
        let found = found(table);
        let order = ordered(table);
        let confidence = named_confidence(&found, table.confidence);
        let compared = Compared::of(&found);
        let columns = table.options.columns;
        let requested = requested(&found, table);
        let rows = found.iter().zip(&requested).map(|(found, requested)| {
            let mut row = Row::new(found, confidence, compared.mixed(), style);
            row.request(found, columns, requested, style);
            row
        });
        let rows: Vec<Row> = rows.collect();
        // The first heading shares its line with the titles.
        let first = order.first().map(|case| style.safe(&case.group));
        let names = rows.iter().enumerate().map(|(at, row)| {
            display_width(position(&order, at, style).branch) + display_width(&row.label)
        });
        let name = names.chain(first.map(|group| display_width(&group))).max();
        let titles = Titles {
            main: main_title(&found),
            confidence,
            baseline: table.baseline,
            requested: columns,
        };
        let layout = Layout::new(&titles, &rows, name.unwrap_or(0), style);
        let legend = Legend {
            found: &found,
            compared,
            layout: &layout,
            confidence,
            baseline: table.baseline,
            requested: columns,
        };
        let mut page = Page::new(style);
        legend.add(&mut page);
        add_notes(&mut page, &found, table);
        let meanings = page.text;
        Parts {
            order,
            rows,
            layout,
            meanings,
        }
    }
}

/// One row that is not a time, and the title is no longer one of time.
fn main_title(found: &[Found<'_>]) -> &'static str {
    let mut measured = found.iter().filter(|found| found.main.is_some());
    if measured.all(|found| found.measures(Metric::Time)) {
        "time/op"
    } else {
        "per op"
    }
}

impl Table<'_> {
    /// The lines, each ended; none when there is no case.
    pub fn render(&self, style: &Style) -> String {
        let parts = Parts::of(self, style);
        let layout = &parts.layout;
        let mut text = String::new();
        for (at, (case, row)) in parts.order.iter().zip(&parts.rows).enumerate() {
            let position = position(&parts.order, at, style);
            if at == 0 {
                // The first heading shares its line with the titles.
                let group = heading(&case.group, layout.name, style);
                let space = padded("", layout.name - display_width(&group));
                let group = style.paint(Ink::Heading, &group);
                add(&mut text, &format!("{group}{space}{}", layout.titles()));
            } else if position.heading {
                let group = heading(&case.group, style.columns(), style);
                add(&mut text, &style.paint(Ink::Heading, &group));
            }
            add(&mut text, &line(row, position.branch, layout, style));
            text += &(self.below)(&case.id, style);
        }
        if !parts.meanings.is_empty() {
            text.push('\n');
            text += &parts.meanings;
        }
        text
    }
}

fn line(row: &Row, branch: &str, layout: &Layout, style: &Style) -> String {
    let ellipsis = style.glyphs().ellipsis;
    let room = layout.name - display_width(branch);
    let label = padded(&shortened(&row.label, room, ellipsis), room);
    let rest = if row.instead.is_empty() {
        layout.cells(row)
    } else {
        let room = style.columns() - layout.name - GAP;
        let why = beginning(&row.instead, room, ellipsis);
        format!("{:GAP$}{}", "", style.paint(row.ink, &why))
    };
    format!("{}{label}{rest}", style.paint(Ink::Dim, branch))
}

/// Adds a line, unless it is empty.
fn add(text: &mut String, line: &str) {
    let line = line.trim_ascii_end();
    if !line.is_empty() {
        text.push_str(line);
        text.push('\n');
    }
}
