//! One run of a harness over ordinary code, for `scripts/reproducible.sh --peers` and `scripts/agree.sh --peers`.

use std::fs;
use std::process::Command;

use peers::Named;
use serde_json::json;

use crate::harness::Harness;
use crate::shown::Shown;

/// Runs the command of a harness and removes its folder. What it shows of each case is a line of JSON, as Tourbillon
/// prints results.
///
/// # Errors
///
/// Says what could not be run, or shows what the harness printed when a case is missing.
pub(crate) fn run(
    harness: &Harness,
    mut command: Command,
    cases: &[Named],
) -> Result<String, String> {
    let output = command.output().map_err(|error| {
        let executable = command.get_program().display();
        format!("{executable} cannot be started: {error}")
    })?;
    let _ = command.get_current_dir().map(fs::remove_dir_all);
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    lines(&(harness.read)(&out, &err), cases).map_err(|missing| {
        format!(
            "{}: no result of {missing}; it ended with {} and printed\n{out}{err}",
            harness.name, output.status
        )
    })
}

/// A line for each case, or the name of one that is missing.
fn lines(shown: &[Shown], cases: &[Named]) -> Result<String, &'static str> {
    let mut lines = String::new();
    for &(case, reference) in cases {
        let shown = shown.iter().find(|shown| shown.case == case).ok_or(case)?;
        let (lower, upper) = shown.nanos.interval.unzip();
        let line = json!({
            "type": "result",
            "case": case,
            "reference": reference,
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

    const CASES: &[Named] = &[("xor", None), ("gcd", Some("xor"))];

    fn shown(interval: Option<(f64, f64)>) -> Vec<Shown> {
        let of_case = |(case, _): &Named| Shown {
            case: (*case).to_owned(),
            nanos: Figure {
                estimate: Some(2.5),
                interval,
            },
            cycles: None,
        };
        CASES.iter().map(of_case).collect()
    }

    #[test]
    fn every_case_has_a_line() {
        let with = lines(&shown(Some((2.0, 3.0))), CASES).unwrap();
        let written: Vec<_> = with.lines().collect();
        assert_eq!(
            written,
            [
                r#"{"case":"xor","estimate":2.5,"lower":2.0,"metric":"time","reference":null,"type":"result","upper":3.0}"#,
                r#"{"case":"gcd","estimate":2.5,"lower":2.0,"metric":"time","reference":"xor","type":"result","upper":3.0}"#,
            ]
        );
        let without = lines(&shown(None), CASES).unwrap();
        assert!(without.starts_with(r#"{"case":"xor","estimate":2.5,"lower":null,"#));
    }

    #[test]
    fn a_case_that_is_missing_is_named() {
        let mut shown = shown(None);
        shown.retain(|shown| shown.case != "gcd");
        assert_eq!(lines(&shown, CASES), Err("gcd"));
    }
}
