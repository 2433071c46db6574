//! Documents as Markdown of GitHub and GitLab.
//!
//! Names and messages may come from the code of a pull request: no service finds markup, mentions or links in them.

use crate::{Ink, escape};

use crate::document::{Block, Column, Document, Row, Table, line};
use crate::note::Note;

/// Most bytes of one name or message.
const LONGEST: usize = 2_000;

/// Punctuation that is part of no markup, mention or link in a code span.
const PLAIN_IN_CODE: [char; 7] = ['-', ',', ';', '/', '(', ')', '='];
/// Punctuation that is part of none in a line of text, either. Points and colons are looked at.
const PLAIN_IN_TEXT: [char; 12] = ['-', ',', ';', '/', '(', ')', '=', '%', '+', '\'', '"', '?'];

impl Document {
    /// The title, the answer, then the rest in order.
    pub fn markdown(&self) -> String {
        let mut parts = Vec::new();
        if !self.title.is_empty() {
            parts.push(format!("**{}**\n", text(&self.title)));
        }
        if !self.answer.is_empty() {
            parts.push(text(&line(&self.answer)) + "\n");
        }
        for block in self.leaves() {
            match block {
                Block::Table(table) if !table.is_for_people() => {}
                Block::Table(table) => parts.push(table.markdown()),
                Block::Text { lead, text: one } => {
                    parts.push(text(format!("{lead}{one}").trim_start()) + "\n");
                }
                Block::Lines(lines) => parts.extend(lines.lines().map(|line| code(line) + "  \n")),
                Block::Group(_) => {}
                Block::Notes(notes) => parts.push(notes.iter().map(Note::markdown).collect()),
            }
        }
        if !self.details.is_empty() {
            parts.push(text(&self.details) + "\n");
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }
}

/// The columns of a table in Markdown.
#[derive(Debug)]
pub struct MarkdownColumns {
    shown: Vec<usize>,
    /// Whether there is one for what stands below the rows.
    has_below: bool,
}

impl Table {
    /// A table of the rows that are not folded.
    pub fn markdown(&self) -> String {
        if self.is_list {
            return self.markdown_list();
        }
        let columns = self.markdown_columns();
        let rows = self.rows.iter().filter(|row| !row.is_folded);
        let mut lines: String = rows.map(|row| columns.line(row)).collect();
        if !lines.is_empty() {
            lines.insert_str(0, &self.markdown_heading(&columns));
        }
        if let Some(folded) = &self.folded {
            lines += &format!("\n{}\n", text(folded));
        }
        if !self.legend.is_empty() {
            lines.push('\n');
        }
        for meaning in &self.legend {
            lines += &format!("* {}: {}\n", code(&meaning.mark), text(&meaning.text));
        }
        lines
    }

    /// An item for each row.
    fn markdown_list(&self) -> String {
        let people = self.shown_to_people();
        let rows = self.rows.iter().filter(|row| !row.is_folded);
        let items = rows.map(|row| {
            let mark = row
                .mark
                .map_or_else(String::new, |mark| format!("{} ", text(mark.symbol)));
            let others = people.iter().skip(1).map(|at| text(row.text(*at)));
            let others: Vec<String> = others.filter(|text| !text.is_empty()).collect();
            format!("* {mark}{}: {}\n", code(row.text(0)), others.join("; "))
        });
        items.collect()
    }

    /// The columns of its rows.
    pub fn markdown_columns(&self) -> MarkdownColumns {
        MarkdownColumns {
            shown: self.shown_to_people(),
            has_below: self.rows.iter().any(|row| !row.below.is_empty()),
        }
    }

    /// The line of titles, and the one below it.
    pub fn markdown_heading(&self, columns: &MarkdownColumns) -> String {
        let MarkdownColumns { shown, has_below } = columns;
        let titles = shown.iter().map(|at| {
            let Column { title, key, .. } = &self.columns[*at];
            // On a terminal, names stand below the heading of their group.
            let title = if *at == 0 && title.is_empty() {
                key.as_str()
            } else {
                title.as_str()
            };
            format!(" {} |", text(title))
        });
        let rules = shown.iter().map(|at| {
            if self.columns[*at].right {
                "--:|"
            } else {
                "---|"
            }
        });
        let mut heading = format!("|{}", titles.collect::<String>());
        let mut rule = format!("|{}", rules.collect::<String>());
        if *has_below {
            heading += " details |";
            rule += "---|";
        }
        format!("{heading}\n{rule}\n")
    }
}

impl MarkdownColumns {
    /// The line of a row.
    pub fn line(&self, row: &Row) -> String {
        let mark = row
            .mark
            .map_or_else(String::new, |mark| format!("{} ", mark.symbol));
        let mut line = format!("| {mark}{} |", code(row.text(0)));
        for at in self.shown.iter().skip(1) {
            let ink = row.cells.get(*at).map_or(Ink::Plain, |cell| cell.ink);
            let cell = text(row.text(*at));
            let is_bad = ink == Ink::Failure && !cell.is_empty();
            line += &if is_bad {
                format!(" **{cell}** |")
            } else {
                format!(" {cell} |")
            };
        }
        if self.has_below {
            line += &format!(" {} |", text(&row.below.join(" · ")));
        }
        line + "\n"
    }
}

impl Note {
    /// An item of a list.
    pub fn markdown(&self) -> String {
        let lead = self.lead.trim_start_matches("! ");
        format!("* {lead}{}{}\n", self.heading(code), text(&self.text))
    }
}

/// A text as code, for a cell of a table too.
pub fn code(text: &str) -> String {
    let text = limited(text);
    // A code span cannot hold these everywhere: backquotes end it, bars end a cell, and blanks at both ends
    // are removed.
    let has_edges = text.trim() != text || text.is_empty();
    if !has_edges && !text.contains(['`', '|', '\\']) {
        return format!("`{text}`");
    }
    format!(
        "<code>{}</code>",
        entities(&text, |_, c| PLAIN_IN_CODE.contains(&c), |_, _| false)
    )
}

/// What begins a mention or a reference on GitHub or GitLab, if a letter, a digit or a quotation mark follows.
const SIGILS: [char; 10] = ['@', '#', '!', '~', '%', '$', '^', '&', '*', ':'];
/// Between a sigil and what follows. Pages look for names in the text that they show, where an entity is its character.
const NO_SPACE: &str = "&#8203;";

/// A text as it is read, for a cell of a table too. It mentions no person, and refers to no issue.
pub fn text(text: &str) -> String {
    let text = limited(text);
    // `1.5` and `a: b` are text, `a.b` and `a://b` may be links.
    let is_plain = |[before, after]: [char; 2], c| match c {
        '.' => !before.is_alphabetic() || !after.is_alphanumeric(),
        ':' => after != '/',
        c => PLAIN_IN_TEXT.contains(&c),
    };
    entities(&text, is_plain, refers)
}

/// Whether a page may take the text from here on for a mention, a reference such as `#1` and `GH-1`, or a picture.
fn refers([before, after]: [char; 2], c: char) -> bool {
    let is_number = c == '-' && before.eq_ignore_ascii_case(&'h') && after.is_ascii_digit();
    SIGILS.contains(&c) && (after.is_alphanumeric() || after == '"') || is_number
}

/// Punctuation as entities, unless it is plain, and [`NO_SPACE`] after what refers; a character is judged with those before
/// and after it.
fn entities(
    text: &str,
    is_plain: impl Fn([char; 2], char) -> bool,
    refers: impl Fn([char; 2], char) -> bool,
) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        if c.is_ascii_punctuation() && !is_plain([before, after], c) {
            safe += &format!("&#{};", u32::from(c));
        } else {
            safe.push(c);
        }
        if refers([before, after], c) {
            safe += NO_SPACE;
        }
        before = c;
    }
    safe
}

fn limited(text: &str) -> String {
    let mut text = escape(text, true);
    if text.len() > LONGEST {
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser};

    use super::*;

    /// Names that are markup, mentions, links or controls.
    const HOSTILE: [&str; 14] = [
        "@all and @org/team",
        "<img src=x onerror=alert(1)>",
        "a|b \\| c",
        "`ls` ``x`` `",
        "line\nbreak\r\n| x | y |",
        "\u{202e}desrever\u{2066}",
        "**bold** _it_ [x](https://example.com) ![](y)",
        "#1 owner/repo#2 https://example.com www.example.com a@b.com",
        "</code></details><!-- ",
        " blanks ",
        "&#64;all &lt;",
        "\\",
        "1. 2.5 % of a: b; (+3 .. +4 %)",
        "GH-1 !2 &3 ~bug ~\"a b\" %v1 $4 ^5 :tada: [x:1] *iteration:2",
    ];

    /// What a reader of Markdown shows of a piece within a line.
    fn shown(piece: &str) -> String {
        let page = format!("x {piece} x\n");
        let mut shown = String::new();
        for event in Parser::new_ext(&page, Options::ENABLE_TABLES) {
            match event {
                Event::Text(text) | Event::Code(text) => shown += &text,
                Event::InlineHtml(tag) if matches!(&*tag, "<code>" | "</code>") => {}
                Event::Start(_) | Event::End(_) => {}
                event => panic!("{event:?} in {page}"),
            }
        }
        let inner = shown
            .strip_prefix("x ")
            .and_then(|rest| rest.strip_suffix(" x"));
        inner.expect(&page).to_owned()
    }

    #[test]
    fn hostile_text_is_text() {
        for hostile in HOSTILE {
            let read = shown(&text(hostile));
            assert_eq!(read.replace('\u{200b}', ""), escape(hostile, true));
            // As a page looks for them: in what it shows, outside of code.
            let characters: Vec<char> = read.chars().collect();
            for three in characters.windows(3) {
                assert!(!refers([three[0], three[2]], three[1]), "{read}");
            }
            let first = [' ', characters.get(1).copied().unwrap_or(' ')];
            assert!(!refers(first, characters[0]), "{read}");
            assert_eq!(shown(&code(hostile)), escape(hostile, true));
            let plain = text(hostile);
            assert!(
                !plain.contains(['@', '<', '|']) && !plain.contains("://"),
                "{plain}"
            );
            assert!(!plain.contains("www."), "{plain}");
        }
        assert_eq!(text("1.5 % of a: b"), "1.5 % of a: b");
    }

    #[test]
    fn what_is_long_ends() {
        assert!(text(&"a".repeat(1_000_000)).len() < 2 * LONGEST);
    }
}
