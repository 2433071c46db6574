use crate::figure::{ASCII_TIMES, TIMES, Unit};
use crate::text::push;

/// How wide, and with which characters and colours, text is drawn.
///
/// # Examples
///
/// ```
/// let style = tourbillon_report::Style { width: 120, ..Default::default() };
/// assert!(style.unicode && !style.color);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal. Less than [`Style::NARROWEST`] is taken as that.
    pub width: usize,
    /// Whether characters beyond ASCII may be used; if not, those of the data are escaped.
    pub unicode: bool,
    /// Whether to colour with ANSI sequences.
    pub color: bool,
}

impl Default for Style {
    /// 80 columns, Unicode, no colour.
    fn default() -> Style {
        Style {
            width: 80,
            unicode: true,
            color: false,
        }
    }
}

/// What a stretch of text is, for colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Heading,
    Dim,
    Note,
    Failure,
}

/// The characters that differ between Unicode and ASCII.
pub(crate) struct Glyphs {
    pub(crate) tee: &'static str,
    pub(crate) corner: &'static str,
    /// Between the items of a line.
    pub(crate) separator: &'static str,
    pub(crate) ellipsis: &'static str,
    pub(crate) plus_minus: &'static str,
    pub(crate) times: &'static [Unit],
}

const UNICODE: Glyphs = Glyphs {
    tee: "├─ ",
    corner: "╰─ ",
    separator: " · ",
    ellipsis: "…",
    plus_minus: "±",
    times: TIMES,
};
const ASCII: Glyphs = Glyphs {
    tee: "|- ",
    corner: "`- ",
    separator: " | ",
    ellipsis: "..",
    plus_minus: "+-",
    times: ASCII_TIMES,
};

impl Style {
    /// The narrowest width that is honoured: a name and a time still fit.
    pub const NARROWEST: usize = 24;

    pub(crate) fn columns(&self) -> usize {
        self.width.max(Style::NARROWEST)
    }

    pub(crate) fn glyphs(&self) -> &'static Glyphs {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    /// Appends a stretch of one line in its colour.
    #[inline(never)]
    pub(crate) fn paint(&self, text: &mut String, ink: Ink, stretch: &str) {
        let code = match ink {
            Ink::Plain => "",
            Ink::Heading => "\x1b[1m",
            Ink::Dim => "\x1b[2m",
            Ink::Note => "\x1b[33m",
            Ink::Failure => "\x1b[31m",
        };
        if !self.color || code.is_empty() || stretch.is_empty() {
            push(text, stretch);
            return;
        }
        push(text, code);
        push(text, stretch);
        push(text, "\x1b[0m");
    }
}
