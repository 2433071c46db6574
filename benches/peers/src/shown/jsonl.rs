//! The lines of `--format jsonl`.

use serde_json::Value;

use super::{Figure, Shown};

/// The results of a run of Tourbillon, time and cycles of a case together.
pub(crate) fn tourbillon(output: &str) -> Vec<Shown> {
    let lines = output
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let results: Vec<Value> = lines
        .filter(|line: &Value| line["type"] == "result")
        .collect();
    let figure = |case: &Value, metric: &str| {
        let of = |result: &&Value| result["case"] == *case && result["metric"] == metric;
        let result = results.iter().find(of)?;
        let estimate = result["estimate"].as_f64();
        let upper = result["upper"].as_f64();
        // An upper bound alone is the interval from nothing to it.
        let lower = result["lower"].as_f64().unwrap_or(0.0);
        Some(Figure {
            estimate,
            interval: upper.map(|upper| (lower, upper)),
        })
    };
    let shown = |result: &Value| {
        let case = result["case"].as_str()?.rsplit("::").next()?.to_owned();
        let nanos = figure(&result["case"], "time")?;
        let cycles = figure(&result["case"], "cycles");
        (result["metric"] == "time").then_some(Shown {
            case,
            nanos,
            cycles,
        })
    };
    results.iter().filter_map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_cycles_are_read_together() {
        let output = r#"{"type":"header","schema":2}
{"type":"result","case":"peers/tourbillon::empty","metric":"time","estimate":null,"absent":"below_resolution","lower":null,"upper":0.04}
{"type":"result","case":"peers/tourbillon::lat_1","metric":"time","estimate":0.8,"lower":0.7,"upper":0.9}
{"type":"result","case":"peers/tourbillon::lat_1","metric":"cycles","estimate":3.0,"lower":2.9,"upper":3.1}
{"type":"end"}"#;
        let figure = |estimate, interval| Figure {
            estimate,
            interval: Some(interval),
        };
        assert_eq!(
            tourbillon(output),
            [
                Shown {
                    case: "empty".to_owned(),
                    nanos: figure(None, (0.0, 0.04)),
                    cycles: None,
                },
                Shown {
                    case: "lat_1".to_owned(),
                    nanos: figure(Some(0.8), (0.7, 0.9)),
                    cycles: Some(figure(Some(3.0), (2.9, 3.1))),
                },
            ]
        );
    }
}
