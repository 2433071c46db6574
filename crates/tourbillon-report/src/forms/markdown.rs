//! A table in GitHub's Markdown (GitHub Flavored Markdown Spec, 0.29, section 4.10).

use super::{FILE, Sheet};
use crate::escape;
use crate::table::{Grid, grid};
use crate::text::append;
use crate::tree::case_label;

/// A table for each run, and below it what the marks and notes mean.
pub(super) fn markdown(sheets: &[Sheet<'_>]) -> String {
    let mut text = String::new();
    for sheet in sheets {
        if !text.is_empty() {
            text.push('\n');
        }
        if !sheet.name.is_empty() {
            push_code(&mut text, sheet.name);
            text.push_str("\n\n");
        }
        push_grid(&mut text, &grid(sheet.table, &FILE));
    }
    text
}

fn push_grid(text: &mut String, grid: &Grid<'_>) {
    text.push_str("| case |");
    let mut rule = "|---|".to_owned();
    for title in &grid.titles {
        append(text, format_args!(" {title} |"));
        rule.push_str("--:|");
    }
    append(text, format_args!("\n{rule}\n"));
    for (case, cells) in &grid.rows {
        let mut name = String::new();
        if !case.group.is_empty() && case.group != case.name {
            append(&mut name, format_args!("{}/", case.group));
        }
        name.push_str(&case_label(case, &FILE));
        text.push_str("| ");
        push_code(text, &name);
        text.push_str(" |");
        for cell in cells {
            text.push(' ');
            push_escaped(text, cell);
            text.push_str(" |");
        }
        text.push('\n');
    }
    if !grid.meanings.is_empty() {
        // As it is: nothing in it is Markdown, whatever a name or a reason looks like.
        let fence = fence(&grid.meanings, 3);
        append(
            text,
            format_args!("\n{fence}text\n{}{fence}\n", grid.meanings),
        );
    }
}

/// A name as code: nothing in it but a bar means anything.
fn push_code(text: &mut String, name: &str) {
    let name = escape(name, true).replace('|', "\\|");
    let fence = fence(&name, 1);
    // A space keeps a backtick at an end from lengthening the fence; it is not shown.
    let space = if name.starts_with('`') || name.ends_with('`') {
        " "
    } else {
        ""
    };
    append(text, format_args!("{fence}{space}{name}{space}{fence}"));
}

/// Text in which nothing is taken for Markdown or HTML.
fn push_escaped(text: &mut String, cell: &str) {
    for c in cell.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '&' | '~' | '#'
        ) {
            text.push('\\');
        }
        text.push(c);
    }
}

/// More backticks in a row than the text has.
fn fence(text: &str, least: usize) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(least.max(longest + 1))
}
