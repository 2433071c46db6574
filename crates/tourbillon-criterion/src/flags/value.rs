//! Values of flags.

use std::ffi::OsString;
use std::str::FromStr;
use std::time::Duration;

use lexopt::{Parser, ValueExt};

use super::help::is_flag;

fn value(flag: &str, parser: &mut Parser) -> Result<OsString, String> {
    let attached = parser.optional_value();
    let typed = attached.or_else(|| parser.value().ok().filter(|next| !is_flag(next)));
    typed.ok_or_else(|| format!("{flag} needs a value; see --help"))
}

/// A text.
pub(super) fn text(flag: &str, parser: &mut Parser) -> Result<String, String> {
    let typed = value(flag, parser)?.string();
    typed.map_err(|error| format!("{flag}: {error}"))
}

/// The folder of the last run.
const LAST: &str = "new";
/// Other folders of a benchmark that are none of a baseline.
const TAKEN: [&str; 3] = ["change", "profile", "report"];

/// The name of a baseline, which is that of a folder; with slashes, of folders in each other.
pub(super) fn name(flag: &str, parser: &mut Parser) -> Result<String, String> {
    match name_or_last(flag, parser)?.as_str() {
        LAST => Err(format!(
            "{flag}: {LAST:?} is the folder of the last run; write another name, such as main"
        )),
        name => Ok(name.to_owned()),
    }
}

/// The name of a baseline, or that of the last run.
pub(super) fn name_or_last(flag: &str, parser: &mut Parser) -> Result<String, String> {
    let typed = text(flag, parser)?;
    let is_folder = |part: &str| !["", ".", ".."].contains(&part) && !part.contains(['\\', ':']);
    if typed.split('/').all(is_folder) && !TAKEN.contains(&typed.as_str()) {
        return Ok(typed);
    }
    Err(format!(
        "{flag}: {typed:?} cannot be the name of a folder of results; write one such as main"
    ))
}

/// A number that is allowed, as `wanted` says.
pub(super) fn number<T: FromStr>(
    flag: &str,
    parser: &mut Parser,
    wanted: &str,
    is_allowed: impl Fn(&T) -> bool,
) -> Result<T, String> {
    let typed = text(flag, parser)?;
    let number = typed.parse().ok().filter(is_allowed);
    number.ok_or_else(|| format!("{flag}: {typed:?} is not {wanted}"))
}

/// Seconds: criterion's durations have no unit. One with a unit is taken, too.
pub(super) fn seconds(flag: &str, parser: &mut Parser) -> Result<Duration, String> {
    let typed = text(flag, parser)?;
    let seconds = match typed.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => tourbillon_values::duration(&typed)
            .ok()
            .map(Duration::from_nanos),
    };
    let seconds = seconds.filter(|time| !time.is_zero());
    seconds.ok_or_else(|| format!("{flag}: {typed:?} is not a time above zero; write 5 or 5s"))
}
