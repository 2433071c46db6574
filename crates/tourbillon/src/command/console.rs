//! Stdout and stderr: who reads what.

use std::io::{self, IsTerminal, Write};

use tourbillon_os::{is_closed, terminal_width};
use tourbillon_report::Style;

use super::exit::Stop;
use super::flags::{Data, HighArgs};
use crate::contains::contains;
use crate::text::text;

/// Columns where there is no terminal to ask.
const USUAL_WIDTH: usize = 80;

/// Stdout and stderr, and the progress line that has to give way to everything else.
#[derive(Debug)]
pub(crate) struct Console {
    /// How text for people is drawn.
    pub(crate) style: Style,
    data: Data,
    progress: bool,
    drawn: bool,
    /// Whether the reader of stdout has gone, as `head` does: what is left to print is dropped.
    closed: bool,
}

impl Console {
    /// The console as the command line and the terminals want it.
    #[inline(never)]
    pub(crate) fn new(high: &HighArgs) -> Console {
        let (terminal, width) = if high.data != Data::None {
            let stderr = io::stderr();
            (stderr.is_terminal(), terminal_width(&stderr))
        } else {
            let stdout = io::stdout();
            (stdout.is_terminal(), terminal_width(&stdout))
        };
        Console {
            style: Style {
                width: width.map_or(USUAL_WIDTH, usize::from),
                unicode: !terminal || shows_unicode(locale().as_deref()),
                color: high.color,
            },
            data: high.data,
            progress: high.progress,
            drawn: false,
            closed: false,
        }
    }

    /// Text for people: on stdout, or on stderr when stdout carries data.
    ///
    /// # Errors
    ///
    /// When stdout cannot be written; a deaf stderr is none.
    pub(crate) fn people(&mut self, text: &str) -> Result<(), Stop> {
        if self.data != Data::None {
            self.note(text);
            Ok(())
        } else {
            self.stdout(text)
        }
    }

    /// Whether stdout carries the run's lines.
    pub(crate) fn prints_lines(&self) -> bool {
        self.data == Data::Lines
    }

    /// One line of the run, without its line feed; nothing where stdout carries something else.
    ///
    /// # Errors
    ///
    /// When stdout cannot be written.
    pub(crate) fn data(&mut self, line: &str) -> Result<(), Stop> {
        if self.data == Data::Lines {
            self.stdout(&text!("{line}\n"))
        } else {
            Ok(())
        }
    }

    /// Text for stdout. When its reader has gone, the text is dropped: what a run finds, stores and
    /// exits with does not depend on who reads its text.
    ///
    /// # Errors
    ///
    /// When it cannot be written for another reason.
    #[inline(never)]
    pub(crate) fn stdout(&mut self, text: &str) -> Result<(), Stop> {
        self.clear();
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(text.as_bytes());
        match written.and_then(|()| stdout.flush()) {
            Ok(()) => Ok(()),
            Err(error) if is_closed(&error) => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Stop::environment(text!(
                "stdout cannot be written: {error}"
            ))),
        }
    }

    /// Text for stderr, whole lines.
    pub(crate) fn note(&mut self, text: &str) {
        self.clear();
        to_stderr(text);
    }

    /// Whether a progress line is wanted.
    pub(crate) fn shows_progress(&self) -> bool {
        self.progress
    }

    /// Draws the progress line anew; it has no line feed and fits the terminal.
    pub(crate) fn progress(&mut self, line: &str) {
        if self.progress {
            to_stderr(&text!("\r{line}\x1b[K"));
            self.drawn = true;
        }
    }

    /// Takes the progress line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            to_stderr("\r\x1b[K");
        }
    }
}

/// Writes to stderr; there is nobody left to tell when that fails.
pub(crate) fn to_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// What the environment says of the language and characters of people; `None` where nothing.
fn locale() -> Option<String> {
    for name in &["LC_ALL", "LC_CTYPE", "LANG"] {
        if let Ok(value) = std::env::var(name)
            && !value.is_empty()
        {
            return Some(value);
        }
    }
    None
}

/// Whether a terminal in this locale shows more than ASCII. One that does not say is taken for a
/// modern one.
fn shows_unicode(locale: Option<&str>) -> bool {
    let Some(locale) = locale else { return true };
    let locale = locale.to_ascii_lowercase();
    contains(&locale, "utf-8") || contains(&locale, "utf8")
}

#[cfg(test)]
mod tests {
    use super::shows_unicode;

    #[test]
    fn locales() {
        for (locale, expected) in [
            (None, true),
            (Some("en_US.UTF-8"), true),
            (Some("C.utf8"), true),
            (Some("C"), false),
            (Some("POSIX"), false),
            (Some("de_DE.ISO-8859-1"), false),
        ] {
            assert_eq!(shows_unicode(locale), expected, "{locale:?}");
        }
    }
}
