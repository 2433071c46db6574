//! The file of results: a line of JSON for each piece, so that what was measured is never measured
//! again, and a piece that was interrupted leaves nothing.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::piece::{Measured, Piece};
use crate::readings::Cycle;
use crate::shown::{Figure, Shown};

/// Everything that was measured; nothing when there is no such file.
///
/// # Errors
///
/// Names the line that is not understood.
pub(crate) fn load(file: &Path) -> Result<Vec<Piece>, String> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("{} cannot be read: {error}", file.display())),
    };
    let read = |(number, line): (usize, &str)| {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.as_ref().and_then(piece).ok_or_else(|| {
            format!(
                "{}, line {number} is no result; remove it to measure that piece again",
                file.display()
            )
        })
    };
    (1..).zip(text.lines()).map(read).collect()
}

/// Adds a piece to the file.
///
/// # Errors
///
/// Says that the file cannot be written.
pub(crate) fn append(file: &Path, piece: &Piece) -> Result<(), String> {
    let line = format!("{}\n", line(piece));
    let open = OpenOptions::new().append(true).create(true).open(file);
    open.and_then(|mut open| open.write_all(line.as_bytes()))
        .map_err(|error| format!("{} cannot be appended to: {error}", file.display()))
}

fn line(piece: &Piece) -> Value {
    let figure = |figure: &Figure| {
        let (low, high) = figure.interval.unzip();
        json!([figure.estimate, low, high])
    };
    let case = |measured: &Measured| {
        let Measured { shown, cycle } = measured;
        json!({
            "case": shown.case,
            "ns": figure(&shown.nanos),
            "cycles": shown.cycles.as_ref().map(figure),
            "cycle_ns": [cycle.nanos, cycle.range.0, cycle.range.1],
        })
    };
    json!({
        "round": piece.round,
        "harness": piece.harness,
        "part": piece.part,
        "version": piece.version,
        "seconds_a_case": piece.seconds,
        "cases": piece.cases.iter().map(case).collect::<Vec<_>>(),
    })
}

fn piece(line: &Value) -> Option<Piece> {
    let figure = |value: &Value| Figure {
        estimate: value[0].as_f64(),
        interval: value[1].as_f64().zip(value[2].as_f64()),
    };
    let case = |value: &Value| {
        let cycle = &value["cycle_ns"];
        Some(Measured {
            shown: Shown {
                case: value["case"].as_str()?.to_owned(),
                nanos: figure(&value["ns"]),
                cycles: value["cycles"].is_array().then(|| figure(&value["cycles"])),
            },
            cycle: Cycle {
                nanos: cycle[0].as_f64()?,
                range: (cycle[1].as_f64()?, cycle[2].as_f64()?),
            },
        })
    };
    Some(Piece {
        round: line["round"].as_u64()?.try_into().ok()?,
        harness: line["harness"].as_str()?.to_owned(),
        part: line["part"].as_u64()?.try_into().ok()?,
        version: line["version"].as_str()?.to_owned(),
        seconds: line["seconds_a_case"].as_f64()?,
        cases: line["cases"]
            .as_array()?
            .iter()
            .map(case)
            .collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_comes_back_as_it_was() {
        let measured = |case: &str, estimate, interval, cycles| Measured {
            shown: Shown {
                case: case.to_owned(),
                nanos: Figure { estimate, interval },
                cycles,
            },
            cycle: Cycle {
                nanos: 0.25,
                range: (0.2, 0.3),
            },
        };
        let cycles = Figure {
            estimate: Some(3.0),
            interval: Some((2.5, 3.5)),
        };
        let before = Piece {
            round: 2,
            harness: "divan".to_owned(),
            part: 1,
            version: "0.1.21".to_owned(),
            seconds: 0.125,
            cases: vec![
                measured("empty", None, Some((0.0, 0.1)), None),
                measured("lat_1", Some(0.75), None, Some(cycles)),
            ],
        };
        let text = line(&before).to_string();
        assert_eq!(piece(&serde_json::from_str(&text).unwrap()), Some(before));
    }

    #[test]
    fn a_line_of_something_else_is_no_piece() {
        assert_eq!(piece(&json!({"round": 1})), None);
    }
}
