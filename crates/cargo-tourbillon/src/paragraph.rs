//! Text wrapped into lines.

use tourbillon_report::{Style, display_width};

/// Appends `text`, wrapped to the width of the terminal: the first line begins with `lead`, the
/// others are indented by its width. Longer words, mostly paths and commands, stay whole so that
/// they can be copied.
pub(crate) fn push(page: &mut String, lead: &str, text: &str, style: &Style) {
    let width = style.width.max(Style::NARROWEST);
    let indent = display_width(lead);
    page.push_str(lead);
    let mut column = indent;
    for word in words(text) {
        let wide = display_width(word);
        if column > indent && column + 1 + wide > width {
            page.push('\n');
            page.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        if column > indent {
            page.push(' ');
            column += 1;
        }
        page.push_str(word);
        column += wide;
    }
    page.push('\n');
}

/// Units that stay on the line of their number.
const UNITS: [&str; 10] = [
    "ns", "µs", "us", "ms", "s", "%", "ppm", "GHz", "MHz", "ticks",
];

/// The words of a text; a number with its unit is one.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    let mut begin = 0;
    for (at, _) in text.match_indices(' ') {
        let (word, rest) = (&text[begin..at], &text[at + 1..]);
        let next = rest.split(' ').next().unwrap_or_default();
        let unit = next.trim_end_matches([',', ';', '.', ':']);
        if word.ends_with(|last: char| last.is_ascii_digit()) && UNITS.contains(&unit) {
            continue;
        }
        words.push(word);
        begin = at + 1;
    }
    words.push(&text[begin..]);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_wide_as_the_terminal_and_hang() {
        let style = Style {
            width: 24,
            ..Style::default()
        };
        let mut page = String::new();
        push(&mut page, "! a: ", "one two three four five six", &style);
        push(
            &mut page,
            "",
            "/a/path/that/is/wider/than/the/line is",
            &style,
        );
        assert_eq!(
            page,
            "! a: one two three four\n     five six\n\
             /a/path/that/is/wider/than/the/line\nis\n"
        );
    }

    #[test]
    fn a_unit_stays_with_its_number() {
        assert_eq!(
            words("at most 20.0 ns, or 3 of it"),
            ["at", "most", "20.0 ns,", "or", "3", "of", "it"]
        );
    }
}
