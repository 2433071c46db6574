//! Stdout, stderr, and how far a run is.

use std::env;
use std::io::{self, IsTerminal};
use std::mem::replace;

use tourbillon_os::{follow_escapes, is_closed, print, terminal_height, terminal_width};
use tourbillon_report::{Style, escape_commands, escape_json, escape_page};

use super::exit::{Stop, draw, to_stderr};
use crate::args::{Data, HighArgs};
use crate::values::shows_unicode;

/// Columns where there is no terminal to ask.
const USUAL_WIDTH: usize = 80;

/// Stdout and stderr, and how far a run is, which is removed before any other output.
#[derive(Debug)]
pub struct Console {
    /// How text is drawn.
    pub style: Style,
    /// How progress is drawn, on the terminal of stderr.
    pub progress_style: Style,
    data: Data,
    progress: bool,
    /// Lines of progress that are on the terminal.
    drawn: usize,
    /// Whether stdout is a terminal.
    is_terminal: bool,
    /// Whether the reader of stdout has gone, as `head` does: the rest of the output is dropped.
    closed: bool,
}

impl Console {
    /// The console for a command line.
    pub fn new(high: &HighArgs) -> Console {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let (terminal, width, escapes) = if high.data == Data::None {
            let width = terminal_width(&stdout);
            (stdout.is_terminal(), width, follow_escapes(&stdout))
        } else {
            let width = terminal_width(&stderr);
            (stderr.is_terminal(), width, follow_escapes(&stderr))
        };
        let style = Style {
            width: width.map_or(USUAL_WIDTH, usize::from),
            unicode: !terminal || shows_unicode(|name| env::var(name).ok()),
            color: high.color && escapes,
            wide_tables: false,
        };
        Console {
            progress_style: Style {
                width: terminal_width(&stderr).map_or(USUAL_WIDTH, usize::from),
                ..style
            },
            style,
            data: high.data,
            progress: high.progress && follow_escapes(&stderr),
            drawn: 0,
            is_terminal: stdout.is_terminal(),
            closed: false,
        }
    }

    /// Text: on stdout, or on stderr when stdout carries data. What a terminal obeys is [escaped](escape_page), except
    /// colours, and [what a runner of jobs obeys](escape_commands).
    ///
    /// # Errors
    ///
    /// When stdout cannot be written; an error of stderr is none.
    pub fn text(&mut self, text: &str) -> Result<(), Stop> {
        let text = escape_commands(escape_page(text));
        if self.data == Data::None {
            return self.put(&text);
        }
        self.clear();
        draw(&text);
        Ok(())
    }

    /// Whether stdout carries the run's lines.
    pub fn prints_lines(&self) -> bool {
        self.data == Data::Lines
    }

    /// One line of the run, without its line feed, in [JSON](escape_json); nothing where stdout carries other output.
    ///
    /// # Errors
    ///
    /// When stdout cannot be written.
    pub fn data(&mut self, line: &str) -> Result<(), Stop> {
        if self.prints_lines() {
            self.put(&escape_json(format!("{line}\n")))?;
        }
        Ok(())
    }

    /// Text for stdout, for a terminal [escaped](escape_page). When its reader has gone, the text is dropped: results,
    /// record and exit code do not depend on who reads the text.
    ///
    /// # Errors
    ///
    /// When it cannot be written for another reason.
    pub fn stdout(&mut self, text: &str) -> Result<(), Stop> {
        if self.is_terminal {
            return self.put(&escape_page(text));
        }
        self.put(text)
    }

    fn put(&mut self, text: &str) -> Result<(), Stop> {
        self.clear();
        if self.closed {
            return Ok(());
        }
        match print(text) {
            // After a signal the reader did not read: results are stored, and the program ends.
            Err(error) if is_closed(&error) || error.kind() == io::ErrorKind::TimedOut => {
                self.closed = true;
            }
            Err(error) => {
                return Err(Stop::environment(format!(
                    "cannot write to stdout: {error}"
                )));
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Text for stderr, whole lines.
    pub fn note(&mut self, text: &str) {
        self.clear();
        to_stderr(text);
    }

    /// Whether progress is wanted.
    pub fn shows_progress(&self) -> bool {
        self.progress
    }

    /// How many lines of progress the terminal has room for.
    pub fn progress_lines(&self) -> usize {
        terminal_height(&io::stderr()).map_or(1, usize::from)
    }

    /// Draws lines of progress in place of those before; they have no line feed and fit the terminal.
    pub fn progress(&mut self, lines: &[String]) {
        if self.progress {
            let first = self.first_line();
            draw(&format!("{first}{}\x1b[K\x1b[J", lines.join("\x1b[K\r\n")));
            self.drawn = lines.len();
        }
    }

    /// Removes them.
    pub fn clear(&mut self) {
        let first = self.first_line();
        if replace(&mut self.drawn, 0) > 0 {
            draw(&format!("{first}\x1b[J"));
        }
    }

    /// What moves the cursor to the first line of progress.
    fn first_line(&self) -> String {
        match self.drawn {
            0 | 1 => "\r".to_owned(),
            lines => format!("\r\x1b[{}A", lines - 1),
        }
    }
}
