//! The style of a text: colours, characters, columns.

use crate::number;

/// How wide, and with which characters and colours, text is drawn.
///
/// # Examples
///
/// ```
/// let style = tourbillon_present::Style { width: 120, ..Default::default() };
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
    /// Whether tables are as wide as they are: in a pipe and in a file.
    pub wide_tables: bool,
}

impl Default for Style {
    /// 80 columns, Unicode, no colour.
    fn default() -> Style {
        Style {
            width: 80,
            unicode: true,
            color: false,
            wide_tables: false,
        }
    }
}

/// What a piece of text is, for colouring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// In no colour.
    #[default]
    Plain,
    /// Bold.
    Heading,
    /// Faint.
    Dim,
    /// Green.
    Good,
    /// Yellow.
    Note,
    /// Red.
    Failure,
}

/// The characters that differ between Unicode and ASCII.
#[derive(Debug)]
pub struct Glyphs {
    /// The branch of a row that others follow.
    pub tee: &'static str,
    /// The branch of the last row.
    pub corner: &'static str,
    /// Between the items of a line.
    pub separator: &'static str,
    /// In place of what is cut.
    pub ellipsis: &'static str,
    /// Before half the width of an interval.
    pub plus_minus: &'static str,
    /// Between factors.
    pub times: &'static str,
    /// Between what was and what is.
    pub arrow: &'static str,
}

const UNICODE: Glyphs = Glyphs {
    tee: "├─ ",
    corner: "╰─ ",
    separator: " · ",
    ellipsis: "…",
    plus_minus: "±",
    times: "×",
    arrow: "→",
};
const ASCII: Glyphs = Glyphs {
    tee: "|- ",
    corner: "`- ",
    separator: " | ",
    ellipsis: "..",
    plus_minus: "+-",
    times: "x",
    arrow: "->",
};

impl Style {
    /// The narrowest width that is honoured: a name and a time still fit.
    pub const NARROWEST: usize = 24;

    /// For text in files and pages: a line for each sentence, without colour.
    pub const FILE: Style = Style {
        width: 100_000,
        unicode: true,
        color: false,
        wide_tables: false,
    };

    /// The usual style in so many columns.
    pub fn of_width(width: usize) -> Style {
        Style {
            width,
            ..Style::default()
        }
    }

    /// Columns of the terminal.
    pub fn columns(&self) -> usize {
        self.width.max(Style::NARROWEST)
    }

    /// Columns of a line that is drawn over: one that fills the terminal would be continued on the next line, which
    /// nothing erases, and so would `^C` behind it, which a terminal shows for an interruption.
    pub fn columns_drawn_over(&self) -> usize {
        self.columns().saturating_sub("^C".len() + 1)
    }

    /// The characters that it has.
    pub fn glyphs(&self) -> &'static Glyphs {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    /// The title of half-widths of intervals: `±99 %`.
    pub fn half_width(&self, confidence: f64) -> String {
        self.glyphs().plus_minus.to_owned() + &number::confidence(confidence)
    }

    /// A piece of one line in its colour.
    pub fn paint(&self, ink: Ink, piece: &str) -> String {
        let code = match ink {
            Ink::Heading => "1",
            Ink::Dim => "2",
            Ink::Good => "32",
            Ink::Note => "33",
            Ink::Failure => "31",
            Ink::Plain => "",
        };
        if self.color && ink != Ink::Plain && !piece.is_empty() {
            format!("\x1b[{code}m{piece}\x1b[0m")
        } else {
            piece.to_owned()
        }
    }
}
