//! A table in GitHub's Markdown (GitHub Flavored Markdown Spec, 0.29, section 4.10).

use crate::style::Style;
use crate::table::{Layout, Parts};
use crate::tree::full_label;
use crate::{TableData, escape};

/// A table for each run, and below it what the marks and notes mean.
pub(super) fn markdown(sheets: &[TableData<'_>]) -> String {
    let tables = sheets.iter().map(|sheet| {
        let table = table(sheet);
        if sheet.name.is_empty() {
            table
        } else {
            format!("{}\n\n{table}", code(&escape(sheet.name, true)))
        }
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn table(sheet: &TableData<'_>) -> String {
    let parts = Parts::of(sheet.table, &Style::FILE);
    let below = |case: &str| {
        (sheet.table.below)(case, &Style::FILE)
            .trim_ascii()
            .to_owned()
    };
    let has_below = parts.order.iter().any(|case| !below(&case.id).is_empty());
    let mut text = titles(&parts.layout, has_below);
    for (case, row) in parts.order.iter().zip(&parts.rows) {
        text += &format!("| {} |", code(&full_label(case, &Style::FILE)));
        // A case without figures has the reason in the first column.
        let mut instead = Some(&row.instead).filter(|why| !why.is_empty());
        let has_figures = instead.is_none();
        for column in shown(&parts.layout) {
            let figure = if has_figures { &*row.cells[column] } else { "" };
            text += &cell(instead.take().map_or(figure, String::as_str));
        }
        if has_below {
            text += &cell(&below(&case.id));
        }
        text.push('\n');
    }
    if !parts.meanings.is_empty() {
        // Lines as they are: nothing in them is Markdown, whatever a name or a reason looks like.
        let fence = fence(&parts.meanings, 3);
        text += &format!("\n{fence}text\n{}{fence}\n", parts.meanings);
    }
    text
}

fn shown(layout: &Layout) -> impl Iterator<Item = usize> {
    (0..layout.columns()).filter(|column| layout.shows(*column))
}

/// The titles of the columns that have a cell, and of what else is below a row.
fn titles(layout: &Layout, has_below: bool) -> String {
    let titles = shown(layout).map(|column| layout.title(column));
    let titles: Vec<_> = titles
        .chain(has_below.then_some("details"))
        .map(cell)
        .collect();
    let rule = "--:|".repeat(titles.len());
    format!("| case |{}\n|---|{rule}\n", titles.concat())
}

/// A name as code: nothing in it except a bar has a meaning.
fn code(name: &str) -> String {
    let fence = fence(name, 1);
    // A space keeps a backtick at an end from lengthening the fence; it is not shown.
    let space = if name.starts_with('`') || name.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{}{space}{fence}", name.replace('|', "\\|"))
}

/// A cell in which nothing is taken for Markdown or HTML.
fn cell(cell: &str) -> String {
    let mut text = " ".to_owned();
    for c in cell.chars() {
        if "\\`*_|<>[]&~#".contains(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text + " |"
}

/// More backticks in a row than the text has.
fn fence(text: &str, least: usize) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let longest = runs.max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}
