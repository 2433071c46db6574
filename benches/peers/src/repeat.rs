//! One run of a harness over the bodies of ordinary code, for `scripts/reproducible.sh --peers`.

use std::fs;
use std::path::Path;

use peers::BODIES;
use serde_json::json;

use crate::harness::Harness;
use crate::shown::Shown;

/// Runs a harness in an empty folder, which is removed afterwards. What it shows of each body is a line of JSON, as
/// Tourbillon prints results.
///
/// # Errors
///
/// Says what could not be run, or shows what the harness printed when a body is missing.
pub(crate) fn run(harness: &Harness, executable: &Path, folder: &Path) -> Result<String, String> {
    let output = harness
        .command(executable, folder)?
        .output()
        .map_err(|error| format!("{} cannot be started: {error}", executable.display()))?;
    let _ = fs::remove_dir_all(folder);
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    lines(&(harness.read)(&out, &err)).map_err(|missing| {
        format!(
            "{}: no result of {missing}; it ended with {} and printed\n{out}{err}",
            harness.name, output.status
        )
    })
}

/// A line for each body, or the name of one that is missing.
fn lines(shown: &[Shown]) -> Result<String, &'static str> {
    let mut lines = String::new();
    for &body in BODIES {
        let shown = shown.iter().find(|shown| shown.case == body).ok_or(body)?;
        let (lower, upper) = shown.nanos.interval.unzip();
        let line = json!({
            "type": "result",
            "case": body,
            "metric": "time",
            "estimate": shown.nanos.estimate,
            "lower": lower,
            "upper": upper,
        });
        lines += &format!("{line}\n");
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::Figure;

    fn shown(interval: Option<(f64, f64)>) -> Vec<Shown> {
        let of_body = |body: &&str| Shown {
            case: (*body).to_owned(),
            nanos: Figure {
                estimate: Some(2.5),
                interval,
            },
            cycles: None,
        };
        BODIES.iter().map(of_body).collect()
    }

    #[test]
    fn every_body_has_a_line() {
        let with = lines(&shown(Some((2.0, 3.0)))).unwrap();
        assert_eq!(with.lines().count(), BODIES.len());
        assert_eq!(
            with.lines().next(),
            Some(
                r#"{"case":"xor_3","estimate":2.5,"lower":2.0,"metric":"time","type":"result","upper":3.0}"#
            )
        );
        let without = lines(&shown(None)).unwrap();
        assert!(without.starts_with(r#"{"case":"xor_3","estimate":2.5,"lower":null,"#));
    }

    #[test]
    fn a_body_that_is_missing_is_named() {
        let mut shown = shown(None);
        shown.retain(|shown| shown.case != "gcd");
        assert_eq!(lines(&shown), Err("gcd"));
    }
}
