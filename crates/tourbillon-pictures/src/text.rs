//! Texts of others, and how wide they are.

use std::borrow::Cow;

use maud::{Markup, html};

/// The text with every character written out that XML 1.0 forbids or that turns the direction of writing:
/// `\u{1b}`.
///
/// What is written out holds no markup, so this may go over a whole document. Line feeds stay.
///
/// # Examples
///
/// ```
/// use tourbillon_pictures::printable;
/// assert_eq!(printable("<b>\u{202e}x\0</b>"), r"<b>\u{202e}x\u{0}</b>");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            safe.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\u{9}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
}

/// The text in at most `most` characters, cut in the middle: names differ at their ends.
///
/// # Examples
///
/// ```
/// use tourbillon_pictures::shorten;
/// assert_eq!(shorten("sort/heap/10000", 9), "sort…0000");
/// assert_eq!(shorten("sort", 9), "sort");
/// ```
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return Cow::Borrowed(text);
    }
    let kept = most.saturating_sub(1);
    let before = kept.div_ceil(2);
    let start: String = text.chars().take(before).collect();
    let end: String = text.chars().skip(count - (kept - before)).collect();
    Cow::Owned(format!("{start}…{end}"))
}

/// A text with its code, which stands between backticks, and its flags in elements that are not broken into lines where
/// they have room in one.
pub fn prose(text: &str) -> Markup {
    let mut parts: Vec<&str> = text.split('`').collect();
    // A backtick alone is one.
    let rest = if parts.len().is_multiple_of(2) {
        parts.pop()
    } else {
        None
    };
    html! {
        @for (at, part) in parts.into_iter().enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (flags(part)) }
        }
        @if let Some(rest) = rest { "`" (flags(rest)) }
    }
}

/// A text with its flags as code: `--margin`.
fn flags(text: &str) -> Markup {
    html! {
        @for word in text.split_inclusive([' ', '(']) {
            @let end = word.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(word.len());
            @if word.starts_with("--") && end > 2 { code { (word[..end]) } (word[end..]) } @else { (word) }
        }
    }
}

/// A name; a long one with places at which a line may end: names that are cut within a word are hard to read.
pub(crate) fn breakable(name: &str) -> Markup {
    html! {
        @if name.len() > SHORT {
            @for part in name.split_inclusive(['/', '_']) { (part) wbr; }
        } @else { (name) }
    }
}

/// Most bytes of a name that every column has room for.
const SHORT: usize = 16;

/// An upper estimate of the width of a text in a sans-serif font: there is no font to ask.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let ems: f64 = text.chars().map(em).sum();
    ems * size
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.34,
        ' ' | '/' | '(' | ')' | '[' | ']' | 'f' | 't' | 'r' | '-' => 0.43,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        '+' | '=' | '<' | '>' | '~' | '−' | '×' | '±' => 0.84,
        'A'..='Z' => 0.79,
        ' '..='~' => 0.64,
        '\u{1100}'.. => 1.1,
        _ => 0.7,
    }
}

/// The text cut to a width.
pub(crate) fn fit(text: &str, size: f64, room: f64) -> Cow<'_, str> {
    let mut short = shorten(text, 120);
    while width(&short, size) > room {
        let count = short.chars().count();
        if count < 4 {
            break;
        }
        short = Cow::Owned(shorten(text, count - 1).into_owned());
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_unsafe_is_written_out() {
        assert!(matches!(printable("größer 排序\n"), Cow::Borrowed(_)));
        assert_eq!(printable("\u{1b}[31m\u{ffff}"), r"\u{1b}[31m\u{ffff}");
    }

    #[test]
    fn code_and_flags_have_elements() {
        for (text, expected) in [
            ("raise `launches`", "raise <code>launches</code>"),
            (
                "change --margin, or (--max-time 3s)",
                "change <code>--margin</code>, or (<code>--max-time</code> 3s)",
            ),
            (
                "`a` -- b `<i>` `c",
                "<code>a</code> -- b <code>&lt;i&gt;</code> `c",
            ),
            ("`", "`"),
        ] {
            assert_eq!(prose(text).0, expected);
        }
    }

    #[test]
    fn what_is_cut_fits() {
        let long = "x".repeat(10_000);
        for room in [40.0, 100.0, 300.0] {
            assert!(width(&fit(&long, 11.0, room), 11.0) <= room);
        }
        assert_eq!(shorten("ab", 1), "…");
        assert_eq!(fit("排序排序排序", 11.0, 50.0), "排序…序");
    }
}
