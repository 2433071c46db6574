//! Text on stdout.

use std::io::{self, Write};

/// Prints at once; a reader that has gone is no error.
pub(crate) fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
}
