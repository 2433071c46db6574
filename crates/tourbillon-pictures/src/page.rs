//! The page: one file of HTML.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::picture::{MARKS, THEME};
use crate::text::printable;

const PAGE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page with a title, a body, and its figures as JSON.
///
/// It requests nothing: its policy allows its own style and script, by their hashes, and nothing else. It
/// is complete without its script, which sorts and filters tables, saves the figures as CSV, opens what a link leads
/// to, and opens everything before it is printed.
///
/// In the body, a `table` of class `sortable` has buttons in its headings and sorts the rows of each of its
/// bodies by the attribute `data-v` of their cells, or by their text; an `input` of class `filter` hides the
/// rows and the `details` of class `case` whose `data-n` does not contain what is typed. A `button` of class `axes`
/// shows the grids of class `linear` in place of those of class `log`; one of class `csv` saves what the figures have
/// in `runs`, the results of their `cases` and their `verdicts`. Both are `hidden` until the script runs.
pub fn document(title: &str, body: &Markup, figures: &str) -> String {
    let style = format!("{THEME}{MARKS}{PAGE}");
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(SCRIPT)
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(&style)) }
            }
            body {
                (body)
                script type="application/json" id="figures" { (PreEscaped(inert(figures))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    printable(&page.0).into_owned() + "\n"
}

/// The source of a policy that allows this text.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// JSON in which nothing ends a script or is not ASCII: the same values, written with escapes.
fn inert(json: &str) -> String {
    let mut inert = String::with_capacity(json.len());
    let mut units = [0; 2];
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{7f}'.. => {
                for unit in c.encode_utf16(&mut units) {
                    inert.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => inert.push(c),
        }
    }
    inert
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_the_block_of_figures() {
        let json = "{\"name\":\"</script><b>\u{202e}\u{1f600}\"}";
        assert_eq!(
            inert(json),
            r#"{"name":"\u003c/script\u003e\u003cb\u003e\u202e\ud83d\ude00"}"#
        );
    }

    #[test]
    fn the_policy_has_the_hashes_of_what_is_inside() {
        // `printf 'abc' | openssl dgst -sha256 -binary | base64`
        assert_eq!(
            hash("abc"),
            "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        );
        // What goes over the whole page must leave them as they were hashed.
        for part in [THEME, MARKS, PAGE, SCRIPT] {
            assert_eq!(printable(part), part);
            assert!(!part.contains("</"), "ends its element");
        }
    }
}
