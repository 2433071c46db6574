//! Text from outside (names, arguments, panic messages, paths) made safe for a line of a terminal.

use crate::style::Style;

/// The text with an escape in place of every character that would move, hide or recolour other text.
///
/// Escapes are those of Rust's string literals (`\n`, `\u{1b}`). They replace control characters, line
/// separators, characters that change the direction of writing, and invisible ones that could make two
/// names look alike. The joiners that emoji and some scripts need stay. With `unicode` false every
/// character beyond ASCII is replaced.
///
/// A backslash stays a backslash: the result is for people, not for reading back.
///
/// # Examples
///
/// ```
/// use tourbillon_present::escape;
/// assert_eq!(escape("red \u{1b}[31m\n", true), r"red \u{1b}[31m\n");
/// assert_eq!(escape("größer", false), r"gr\u{f6}\u{df}er");
/// ```
pub fn escape(text: &str, unicode: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        let code = u32::from(c);
        match c {
            ' '..='~' => escaped.push(c),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{80}'.. if unicode && is_visible(c) => escaped.push(c),
            _ => escaped.push_str(&format!("\\u{{{code:x}}}")),
        }
    }
    escaped
}

/// Whether a character is neither a control nor invisible formatting.
pub(crate) fn is_visible(c: char) -> bool {
    !within(&UNSAFE, u32::from(c))
}

/// Like [`escape`], of a text of several lines, of which tabs and line breaks stay: what a program says on stderr.
///
/// Colours are escaped like everything else that a terminal obeys.
///
/// # Examples
///
/// ```
/// use tourbillon_present::escape_lines;
/// assert_eq!(escape_lines("a\tb\r\nred \u{1b}[31m\r", true), "a\tb\nred \\u{1b}[31m\\r");
/// ```
pub fn escape_lines(text: &str, unicode: bool) -> String {
    let mut lines = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        for (at, part) in line.split('\t').enumerate() {
            lines.push_str(if at > 0 { "\t" } else { "" });
            lines.push_str(&escape(part, unicode));
        }
        lines.push_str(end);
    }
    lines
}

/// Like [`escape_lines`], of a page that this crate's colours are part of: they stay.
pub fn escape_page(page: &str) -> String {
    let mut safe = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find(COLOR) {
        let (before, color) = rest.split_at(at);
        safe.push_str(&escape_lines(before, true));
        let (own, after) = color.split_at(color_end(color).unwrap_or(COLOR.len()));
        safe.push_str(&match own {
            COLOR => escape(own, true),
            own => own.to_owned(),
        });
        rest = after;
    }
    safe + &escape_lines(rest, true)
}

/// How a colour begins.
const COLOR: &str = "\x1b[";

/// Where a colour ends that a text begins with; `None` where it is none: one or two digits, and an `m`.
fn color_end(text: &str) -> Option<usize> {
    let code = text.strip_prefix(COLOR)?;
    let digits = code.bytes().take_while(u8::is_ascii_digit).count();
    let is_color = (1..=2).contains(&digits) && code[digits..].starts_with('m');
    is_color.then_some(COLOR.len() + digits + 1)
}

impl Style {
    /// A text [escaped](escape) for this style.
    pub fn safe(&self, text: &str) -> String {
        escape(text, self.unicode)
    }
}

/// Columns that a text takes on a terminal.
///
/// Combining marks of the common scripts take none, characters that East Asian Width (Unicode
/// Annex 11) calls wide take two, and so does a character that U+FE0F turns into an emoji. What is
/// not in these short tables counts as one; an emoji joined of several counts as their sum. The
/// result is rather too large than too small, which costs alignment, not a broken line.
///
/// # Examples
///
/// ```
/// use tourbillon_present::display_width;
/// assert_eq!(display_width("µs"), 2);
/// assert_eq!(display_width("排序"), 4);
/// assert_eq!(display_width("e\u{301}"), 1);
/// ```
pub fn display_width(text: &str) -> usize {
    let mut before = 0;
    let mut width = 0;
    for c in text.chars() {
        before = width_after(c, before);
        width += before;
    }
    width
}

/// Columns that a character adds after one that added `before`.
fn width_after(c: char, before: usize) -> usize {
    if c == '\u{fe0f}' && before == 1 {
        1
    } else {
        char_width(c)
    }
}

fn char_width(c: char) -> usize {
    match c {
        '\0'..='\u{2ff}' => 1,
        _ if within(&COMBINING, u32::from(c)) => 0,
        _ if within(&WIDE, u32::from(c)) => 2,
        _ => 1,
    }
}

/// Whether a character is in one of the ranges of which a table holds the first character and the
/// one after the last, in order.
fn within(table: &[u32], code: u32) -> bool {
    table.partition_point(|bound| *bound <= code) % 2 == 1
}

/// Controls, separators and invisible formatting: general categories Cc, Zl, Zp, and Cf without the
/// joiners U+200C and U+200D and the visible signs of Arabic and Kaithi (Unicode 14).
const UNSAFE: [u32; 30] = [
    0x0, 0x20, 0x7f, 0xa0, 0xad, 0xae, 0x61c, 0x61d, 0x180e, 0x180f, 0x200b, 0x200c, 0x200e,
    0x2010, 0x2028, 0x202f, 0x2060, 0x2070, 0xfeff, 0xff00, 0xfff9, 0xfffc, 0x13430, 0x13440,
    0x1bca0, 0x1bca4, 0x1d173, 0x1d17b, 0xe0000, 0xe1000,
];
/// Combining marks of the scripts most met: Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai,
/// Japanese; the joiners; variation selectors.
const COMBINING: [u32; 62] = [
    0x300, 0x370, 0x483, 0x48a, 0x591, 0x5be, 0x5bf, 0x5c0, 0x5c1, 0x5c3, 0x5c4, 0x5c6, 0x5c7,
    0x5c8, 0x610, 0x61b, 0x64b, 0x660, 0x670, 0x671, 0x6d6, 0x6dd, 0x6df, 0x6e5, 0x6e7, 0x6e9,
    0x6ea, 0x6ee, 0x8e3, 0x903, 0x93a, 0x93b, 0x93c, 0x93d, 0x941, 0x949, 0x94d, 0x94e, 0x951,
    0x958, 0xe31, 0xe32, 0xe34, 0xe3b, 0xe47, 0xe4f, 0x1ab0, 0x1acf, 0x1dc0, 0x1e00, 0x200c,
    0x200e, 0x20d0, 0x20f1, 0x302a, 0x302e, 0x3099, 0x309b, 0xfe00, 0xfe10, 0xfe20, 0xfe30,
];
/// East Asian Width W and F; in emoji blocks the narrow ones between them too.
const WIDE: [u32; 108] = [
    0x1100, 0x1160, 0x231a, 0x231c, 0x2329, 0x232b, 0x23e9, 0x23ed, 0x23f0, 0x23f1, 0x23f3, 0x23f4,
    0x25fd, 0x25ff, 0x2614, 0x2616, 0x2648, 0x2654, 0x267f, 0x2680, 0x2693, 0x2694, 0x26a1, 0x26a2,
    0x26aa, 0x26ac, 0x26bd, 0x26bf, 0x26c4, 0x26c6, 0x26ce, 0x26cf, 0x26d4, 0x26d5, 0x26ea, 0x26eb,
    0x26f2, 0x26f4, 0x26f5, 0x26f6, 0x26fa, 0x26fb, 0x26fd, 0x26fe, 0x2705, 0x2706, 0x270a, 0x270c,
    0x2728, 0x2729, 0x274c, 0x274d, 0x274e, 0x274f, 0x2753, 0x2756, 0x2757, 0x2758, 0x2795, 0x2798,
    0x27b0, 0x27b1, 0x27bf, 0x27c0, 0x2b1b, 0x2b1d, 0x2b50, 0x2b51, 0x2b55, 0x2b56, 0x2e80, 0x303f,
    0x3041, 0xa4d0, 0xa960, 0xa980, 0xac00, 0xd7b0, 0xf900, 0xfb00, 0xfe10, 0xfe20, 0xfe30, 0xfe70,
    0xff00, 0xff61, 0xffe0, 0xffe7, 0x16fe0, 0x1b300, 0x1f004, 0x1f005, 0x1f0cf, 0x1f0d0, 0x1f18e,
    0x1f18f, 0x1f191, 0x1f19b, 0x1f200, 0x1f650, 0x1f680, 0x1f700, 0x1f7e0, 0x1f800, 0x1f900,
    0x1fb00, 0x20000, 0x40000,
];

/// Bytes of the longest beginning of a text that is at most `width` columns wide. Reads no further.
pub(crate) fn prefix(text: &str, width: usize) -> usize {
    let mut end = 0;
    let mut room = width;
    let mut before = 0;
    for c in text.chars() {
        before = width_after(c, before);
        if before > room {
            break;
        }
        room -= before;
        end += c.len_utf8();
    }
    end
}

/// Where the longest end of a text begins that is at most `width` columns wide and begins with a
/// character that has a width: what follows an ellipsis must not be a mark that hangs on to it.
/// Reads no further than that.
fn suffix(text: &str, width: usize) -> usize {
    let mut start = text.len();
    let mut room = width;
    // U+FE0F directly after the character that comes next, backwards.
    let mut emoji_marks = 0;
    for (at, c) in text.char_indices().rev() {
        let mut own = char_width(c);
        if c == '\u{fe0f}' {
            emoji_marks += 1;
            continue;
        }
        if own == 1 {
            own += emoji_marks;
        }
        emoji_marks = 0;
        if own > room {
            break;
        }
        room -= own;
        if own > 0 {
            start = at;
        }
    }
    start
}

/// A text cut in its middle to at most `width` columns: names differ at their ends, by their arguments,
/// and show at their beginning what they are.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_present::shortened("selection/10000", 11, ".."), "selec..0000");
/// ```
pub fn shortened(text: &str, width: usize, ellipsis: &str) -> String {
    let room = width.saturating_sub(display_width(ellipsis));
    cut(text, width, ellipsis, room / 2)
}

/// A text of which both ends and a part stay, in at most `width` columns: as much as there is room for up to the part's
/// end, or its beginning.
pub(crate) fn cut_around(
    text: &str,
    width: usize,
    ellipsis: &str,
    part: std::ops::Range<usize>,
) -> String {
    let side = width / 4;
    let gaps = 2 * display_width(ellipsis);
    let room = width.saturating_sub(gaps + 2 * side);
    let (head, tail) = (prefix(text, side), suffix(text, side));
    if room < side.max(1) || part.end <= head || part.end > tail {
        return shortened(text, width, ellipsis);
    }
    let shown = if display_width(&text[part.clone()]) < room {
        let from = suffix(&text[..part.end], room).max(head);
        &text[from..part.end]
    } else {
        let rest = &text[part.start.max(head)..];
        &rest[..prefix(rest, room)]
    };
    format!(
        "{}{ellipsis}{shown}{ellipsis}{}",
        &text[..head],
        &text[tail..]
    )
}

/// A text cut at its end to at most `width` columns.
pub fn beginning(text: &str, width: usize, ellipsis: &str) -> String {
    cut(text, width, ellipsis, 0)
}

/// Keeps at most `kept` columns of the end.
fn cut(text: &str, width: usize, ellipsis: &str, kept: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(display_width(ellipsis)) else {
        return text[..prefix(text, width)].to_owned();
    };
    let (body, tail) = text.split_at(suffix(text, kept));
    let head = &body[..prefix(body, room - display_width(tail))];
    format!("{head}{ellipsis}{tail}")
}

/// A text with spaces after it up to a number of columns, however many: the widths of `format!` have 16 bits, and more
/// panics.
///
/// # Examples
///
/// ```
/// assert_eq!(tourbillon_present::padded("µs", 4), "µs  ");
/// ```
pub fn padded(text: &str, width: usize) -> String {
    let mut padded = text.to_owned();
    padded.extend(blank(text, width));
    padded
}

/// A text with spaces before it up to a number of columns.
pub(crate) fn indented(text: &str, width: usize) -> String {
    let mut indented: String = blank(text, width).collect();
    indented.push_str(text);
    indented
}

fn blank(text: &str, width: usize) -> impl Iterator<Item = char> {
    std::iter::repeat_n(' ', width.saturating_sub(display_width(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_hides_or_recolours_is_written_out() {
        for (text, expected) in [
            ("plain [n=1]", "plain [n=1]"),
            ("\u{1b}[31m", r"\u{1b}[31m"),
            ("\u{9b}31m\u{7f}\0", r"\u{9b}31m\u{7f}\u{0}"),
            ("a\nb\r\tc", r"a\nb\r\tc"),
            (
                "\u{202e}abc\u{2069}\u{2028}",
                r"\u{202e}abc\u{2069}\u{2028}",
            ),
            (
                "a\u{200b}\u{feff}\u{ad}b\u{e0041}",
                r"a\u{200b}\u{feff}\u{ad}b\u{e0041}",
            ),
            ("größer 排序 👩\u{200d}👧", "größer 排序 👩\u{200d}👧"),
            (r"back\slash", r"back\slash"),
        ] {
            assert_eq!(escape(text, true), expected);
        }
        assert_eq!(escape("µ排", false), r"\u{b5}\u{6392}");
    }

    #[test]
    fn colours_of_a_page_stay_and_nothing_else() {
        for (page, expected) in [
            ("\u{1b}[1mbold\u{1b}[0m\n", "\u{1b}[1mbold\u{1b}[0m\n"),
            ("\u{1b}[32m\u{1b}", "\u{1b}[32m\\u{1b}"),
            ("\u{1b}[2J\u{1b}[31", "\\u{1b}[2J\\u{1b}[31"),
            ("\u{1b}[m\u{1b}[100m", "\\u{1b}[m\\u{1b}[100m"),
            ("\u{1b}[1;1H\t\u{9b}1m", "\\u{1b}[1;1H\t\\u{9b}1m"),
        ] {
            assert_eq!(escape_page(page), expected);
        }
        let long = "x".repeat(70_000);
        assert_eq!(padded(&long, 70_001).len(), 70_001);
        assert_eq!(indented("x", 70_000).len(), 70_000);
    }

    #[test]
    fn tables_are_in_order() {
        for table in [&UNSAFE[..], &COMBINING, &WIDE] {
            assert!(table.is_sorted_by(|a, b| a < b));
            assert!(table.len().is_multiple_of(2));
        }
    }

    #[test]
    fn widths_are_those_of_terminals() {
        for (text, width) in [
            ("", 0),
            ("abc", 3),
            ("├─ ±µs…", 7),
            ("排序", 4),
            ("ｆｕｌｌ", 8),
            ("한글", 4),
            ("e\u{301}", 1),
            ("กำ", 2),
            ("🚀", 2),
            ("❤\u{fe0f}", 2),
            ("🇩🇪", 2),
        ] {
            assert_eq!(display_width(text), width, "{text}");
        }
    }

    fn shortened(text: &str, width: usize) -> String {
        super::shortened(text, width, "…")
    }

    #[test]
    fn names_keep_both_ends() {
        assert_eq!(shortened("selection/10000", 15), "selection/10000");
        assert_eq!(shortened("selection/10000", 11), "selec…10000");
        assert_eq!(shortened("selection/10000", 10), "selec…0000");
        assert_eq!(shortened("selection/10000", 1), "…");
        assert_eq!(shortened("selection/10000", 0), "");
        // A wide character that does not fit leaves a column, a mark stays with its letter.
        assert_eq!(shortened("排序排序排序", 6), "排…序");
        assert_eq!(shortened("abcdee\u{301}\u{302}", 4), "ab…e\u{301}\u{302}");
    }

    #[test]
    fn long_texts_are_read_once() {
        // Where each place of the text was tried with all that follows it, this took hours.
        let text = "ab❤\u{fe0f}\u{301}".repeat(1_000_000);
        assert_eq!(shortened(&text, 9), "ab❤\u{fe0f}\u{301}…ab❤\u{fe0f}\u{301}");
        let marks = format!("a{}b", "\u{301}".repeat(1_000_000));
        assert_eq!(shortened(&marks, 1), "…");
        assert_eq!(prefix(&marks, 1), marks.len() - 1);
    }

    #[test]
    fn reasons_keep_their_beginning() {
        assert_eq!(beginning("takes minutes", 8, ".."), "takes ..");
    }

    #[test]
    fn nothing_is_wider_than_asked() {
        let text = "a排e\u{301}❤\u{fe0f}🚀z".repeat(3);
        for width in 0..30 {
            assert!(display_width(&shortened(&text, width)) <= width, "{width}");
            assert!(
                display_width(&text[..prefix(&text, width)]) <= width,
                "{width}"
            );
        }
    }
}
