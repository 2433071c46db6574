//! `--help`: a text that is drawn from the table of flags by a test, so that no program has to do it.

/// Drawn by the test `the_text_is_what_the_table_says`.
const TEXT: &str = include_str!("help.txt");

/// The help text, with a line break at its end.
pub(crate) fn help(program: &str) -> String {
    TEXT.replacen("PROGRAM", program, 1)
}

#[cfg(test)]
mod tests;
