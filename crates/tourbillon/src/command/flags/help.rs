//! `--help`: a text that is drawn from the table of flags by a test, so that no program has to do it.

use crate::text::{append, owned};

/// Drawn by the test `the_text_is_what_the_table_says`.
const TEXT: &str = include_str!("help.txt");

/// What stands in it for the name of the program.
const PROGRAM: &str = "PROGRAM";

/// Where that stands; found while compiling.
const AT: usize = {
    let (text, name) = (TEXT.as_bytes(), PROGRAM.as_bytes());
    let (mut at, mut matched) = (0, 0);
    while matched < name.len() {
        matched = if text[at] == name[matched] {
            matched + 1
        } else {
            0
        };
        at += 1;
    }
    at - name.len()
};

/// The help text, with a line break at its end.
pub(crate) fn help(program: &str) -> String {
    let mut help = owned(&TEXT[..AT]);
    append(&mut help, program);
    append(&mut help, &TEXT[AT + PROGRAM.len()..]);
    help
}

#[cfg(test)]
mod tests;
