//! A table in GitHub's Markdown (GitHub Flavored Markdown Spec, 0.29, section 4.10).

use super::{FILE, Sheet};
use crate::escape;
use crate::table::{Grid, grid};
use crate::text::Text;
use crate::tree::say_full_label;

/// A table for each run, and below it what the marks and notes mean.
pub(super) fn markdown(sheets: &[Sheet<'_>]) -> String {
    let mut text = String::new();
    for sheet in sheets {
        if !text.is_empty() {
            text.push('\n');
        }
        if !sheet.name.is_empty() {
            push_code(&mut text, &escape(sheet.name, true));
            text.push_str("\n\n");
        }
        push_grid(&mut text, &grid(sheet.table, &FILE));
    }
    text
}

fn push_grid(text: &mut String, grid: &Grid<'_>) {
    text.push_str("| case |");
    for title in &grid.titles {
        push_cell(text, title);
    }
    text.push_str("\n|---|");
    for _ in &grid.titles {
        text.push_str("--:|");
    }
    text.push('\n');
    for (case, cells) in &grid.rows {
        let mut name = Text::new(&FILE);
        say_full_label(&mut name, case, &FILE);
        text.push_str("| ");
        push_code(text, &name.string);
        text.push_str(" |");
        for cell in cells {
            push_cell(text, cell);
        }
        text.push('\n');
    }
    if !grid.meanings.is_empty() {
        // As it is: nothing in it is Markdown, whatever a name or a reason looks like.
        let fence = fence(&grid.meanings, 3);
        for part in &["\n", &fence, "text\n", &grid.meanings, &fence, "\n"] {
            text.push_str(part);
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
    text.push_str(&fence);
    text.push_str(space);
    push_before(text, name, "|");
    text.push_str(space);
    text.push_str(&fence);
}

/// A cell in which nothing is taken for Markdown or HTML.
#[inline(never)]
fn push_cell(text: &mut String, cell: &str) {
    text.push(' ');
    push_before(text, cell, "\\`*_|<>[]&~#");
    text.push_str(" |");
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
