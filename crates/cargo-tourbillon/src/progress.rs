//! The progress line.

use std::io::{self, IsTerminal};

use crate::exit::say;

/// One line on stderr that the next one replaces; nothing if stderr is not a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: bool,
    terminal: bool,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress {
            shown: false,
            terminal: io::stderr().is_terminal(),
        }
    }

    /// Shows what is being read.
    pub(crate) fn show(&mut self, what: &str) {
        self.say(&format!("reading {what}"));
    }

    /// Shows a line.
    pub(crate) fn say(&mut self, what: &str) {
        if self.terminal {
            crate::exit::say(&format!("\r\x1b[K{what}"));
            self.shown = true;
        }
    }

    /// Erases the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            say("\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
