//! A table in GitHub's Markdown (GitHub Flavored Markdown Spec, 0.29, section 4.10).

use tourbillon_record::Case;

use super::{FILE, TableData};
use crate::table::{COLUMNS, Layout, Parts, Row};
use crate::text::{Text, push};
use crate::tree::say_full_label;
use crate::{Table, escape};

/// A table for each run, and below it what the marks and notes mean.
pub(super) fn markdown(sheets: &[TableData<'_>]) -> String {
    let mut text = String::new();
    for sheet in sheets {
        if !text.is_empty() {
            text.push('\n');
        }
        if !sheet.name.is_empty() {
            push_code(&mut text, &escape(sheet.name, true));
            push(&mut text, "\n\n");
        }
        push_table(&mut text, sheet.table, &Parts::of(sheet.table, &FILE));
    }
    text
}

#[inline(never)]
fn push_table(text: &mut String, table: &Table<'_>, parts: &Parts<'_>) {
    let mut below = false;
    for case in &parts.order {
        below |= !(table.below)(&case.id, &FILE).trim_ascii().is_empty();
    }
    push_titles(text, &parts.layout, below);
    for at in 0..parts.order.len() {
        push_row(text, parts.order[at], &parts.row(at, &FILE), &parts.layout);
        if below {
            let cell = (table.below)(&parts.order[at].id, &FILE);
            push_cell(text, cell.trim_ascii());
        }
        text.push('\n');
    }
    if !parts.meanings.is_empty() {
        push_block(text, &parts.meanings);
    }
}

/// Lines as they are: nothing in them is Markdown, whatever a name or a reason looks like.
#[inline(never)]
fn push_block(text: &mut String, lines: &str) {
    let fence = fence(lines, 3);
    for part in &["\n", &fence, "text\n", lines, &fence, "\n"] {
        push(text, part);
    }
}

/// The titles of the columns that have a cell, and of what else stands below a row.
#[inline(never)]
fn push_titles(text: &mut String, layout: &Layout, below: bool) {
    let mut columns = usize::from(below);
    push(text, "| case |");
    for column in 0..COLUMNS {
        if layout.shows(column) {
            push_cell(text, layout.title(column));
            columns += 1;
        }
    }
    if below {
        push_cell(text, "memory");
    }
    push(text, "\n|---|");
    for _ in 0..columns {
        push(text, "--:|");
    }
    text.push('\n');
}

/// A case with its cells; one without figures has the reason in the first.
#[inline(never)]
fn push_row(text: &mut String, case: &Case, row: &Row, layout: &Layout) {
    let mut name = Text::new(&FILE);
    say_full_label(&mut name, case);
    push(text, "| ");
    push_code(text, &name.string);
    push(text, " |");
    let mut why = row.instead();
    for column in 0..COLUMNS {
        if layout.shows(column) {
            push_cell(
                text,
                if why.is_empty() {
                    row.cell(column)
                } else {
                    why
                },
            );
            why = "";
        }
    }
}

/// A name as code: nothing in it but a bar means anything.
#[inline(never)]
fn push_code(text: &mut String, name: &str) {
    let fence = fence(name, 1);
    // A space keeps a backtick at an end from lengthening the fence; it is not shown.
    let ends = name.as_bytes().first() == Some(&b'`') || name.as_bytes().last() == Some(&b'`');
    let space = if ends { " " } else { "" };
    push(text, &fence);
    push(text, space);
    push_before(text, name, "|");
    push(text, space);
    push(text, &fence);
}

/// A cell in which nothing is taken for Markdown or HTML.
#[inline(never)]
fn push_cell(text: &mut String, cell: &str) {
    text.push(' ');
    push_before(text, cell, "\\`*_|<>[]&~#");
    push(text, " |");
}

/// Appends a text with a backslash before each of these signs, which are ASCII.
#[inline(never)]
fn push_before(text: &mut String, other: &str, signs: &str) {
    for c in other.chars() {
        for sign in signs.as_bytes() {
            if u32::from(c) == u32::from(*sign) {
                text.push('\\');
            }
        }
        text.push(c);
    }
}

/// More backticks in a row than the text has.
#[inline(never)]
fn fence(text: &str, least: usize) -> String {
    let (mut fence, mut run) = (String::new(), 0);
    for _ in 0..least {
        fence.push('`');
    }
    for byte in text.as_bytes() {
        run = if *byte == b'`' { run + 1 } else { 0 };
        if run >= fence.len() {
            fence.push('`');
        }
    }
    fence
}
