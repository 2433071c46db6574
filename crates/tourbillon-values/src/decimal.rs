//! Decimal numbers of TOML.

/// Whether a word is one: with underscores between digits, without zeros in front, a whole one within 64 bits, and none
/// that is infinite.
pub fn is_decimal(word: &str) -> bool {
    let digits = without_sign(word);
    let (mantissa, exponent) = parted(digits, ['e', 'E']);
    let (whole, fraction) = parted(mantissa, ['.', '.']);
    let is_wellformed = is_grouped(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(is_grouped)
        && exponent.is_none_or(|exponent| is_grouped(without_sign(exponent)));
    let plain = word.replace('_', "");
    let is_whole = fraction.is_none() && exponent.is_none();
    is_wellformed
        && if is_whole {
            plain.parse::<i64>().is_ok()
        } else {
            plain.parse::<f64>().is_ok_and(f64::is_finite)
        }
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

/// What is before the first of two signs, and after it, if there is one.
fn parted(text: &str, signs: [char; 2]) -> (&str, Option<&str>) {
    match text.split_once(signs) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Whether a text is groups of digits with one underscore between them.
fn is_grouped(text: &str) -> bool {
    let is_group =
        |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    text.split('_').all(is_group)
}
