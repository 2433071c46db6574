//! Text on stdout.

/// Prints at once; a reader that has gone is no error, nor one that does not read after a signal.
pub(crate) fn print(text: &str) {
    let _ = tourbillon_os::print(text);
}
