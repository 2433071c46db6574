//! JSON, as much of it as criterion's files have.

use std::fmt::Write;

/// A text with its quotes.
pub(super) fn text(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json += "\\\"",
            '\\' => json += "\\\\",
            '\n' => json += "\\n",
            '\r' => json += "\\r",
            '\t' => json += "\\t",
            c if c < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// A text, or null.
pub(super) fn optional(value: Option<&str>) -> String {
    value.map_or_else(|| "null".to_owned(), text)
}

/// A number with a point or an exponent; null for what is no number.
pub(super) fn number(value: f64) -> String {
    if value.is_finite() {
        format!("{value:?}")
    } else {
        "null".to_owned()
    }
}

/// A list of numbers.
pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> String {
    let values: Vec<String> = values.into_iter().map(number).collect();
    format!("[{}]", values.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_json() {
        assert_eq!(text("a\"\\\n\u{1}ä"), r#""a\"\\\n\u0001ä""#);
        assert_eq!(optional(None), "null");
        assert_eq!(numbers([1.0, 0.5, 1e300, f64::NAN]), "[1.0,0.5,1e300,null]");
    }
}
