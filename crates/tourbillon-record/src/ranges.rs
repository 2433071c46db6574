//! Numbers that no measurement gives: lines that have them are refused.

use crate::Error;
use crate::members::Members;

/// Checks that an interval is not turned around and holds its estimate. `names` are those of the estimate, the lower
/// and the upper end.
pub(crate) fn check_interval(
    from: &Members<'_>,
    names: [&str; 3],
    [estimate, lower, upper]: [Option<f64>; 3],
) -> Result<(), Error> {
    let [of_estimate, of_lower, of_upper] = names;
    in_order(from, [of_lower, of_upper], lower, upper)?;
    in_order(from, [of_lower, of_estimate], lower, estimate)?;
    in_order(from, [of_estimate, of_upper], estimate, upper)
}

fn in_order(
    from: &Members<'_>,
    [of_less, of_more]: [&str; 2],
    less: Option<f64>,
    more: Option<f64>,
) -> Result<(), Error> {
    match less.zip(more) {
        Some((less, more)) if less > more => Err(from.malformed(&format!(
            "field `{of_less}` is {less:?}, which is more than field `{of_more}`, {more:?}"
        ))),
        _ => Ok(()),
    }
}

/// Checks that what was counted, or took time, is not negative. A number that is absent is not.
pub(crate) fn check_not_negative(
    from: &Members<'_>,
    fields: &[(&str, Option<f64>)],
) -> Result<(), Error> {
    let negative = |(_, value): &&(&str, Option<f64>)| value.is_some_and(|value| value < 0.0);
    match fields.iter().find(negative) {
        Some((name, Some(value))) => Err(from.malformed(&format!(
            "field `{name}` is {value:?}, where no number below 0 is expected"
        ))),
        _ => Ok(()),
    }
}

/// Checks that a confidence is a share.
pub(crate) fn check_confidence(from: &Members<'_>, confidence: Option<f64>) -> Result<(), Error> {
    match confidence.filter(|share| !(0.0..=1.0).contains(share)) {
        None => Ok(()),
        Some(share) => Err(from.malformed(&format!(
            "field `confidence` is {share:?}, where a number from 0 to 1 is expected"
        ))),
    }
}

/// Checks that a time is empty or in the years that have four digits: 2026-11-26T12:00:00+01:00.
pub(crate) fn check_date(from: &Members<'_>, name: &str, date: &str) -> Result<(), Error> {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    let is_like = |(form, byte): (&u8, u8)| match form {
        b'd' => byte.is_ascii_digit(),
        other => *other == byte,
    };
    let is_date = date.len() >= FORM.len() && FORM.iter().zip(date.bytes()).all(is_like);
    if date.is_empty() || is_date {
        return Ok(());
    }
    let found = crate::error::shortened(date);
    Err(from.malformed(&format!(
        "field `{name}` is {found:?}, where a date and a time are expected, such as 2026-11-26T12:00:00Z"
    )))
}
