use serde_json::Value;

/// The results of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// One for each case and metric.
    pub readings: Vec<Reading>,
}

/// What one run prints about one case in one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The case, without its package and target.
    pub case: String,
    /// `time` or `cycles`.
    pub metric: String,
    /// The figure, if there is one.
    pub estimate: Option<f64>,
    /// Its interval, if it has one across processes.
    pub interval: Option<(f64, f64)>,
    /// Whether the run marks it as waiting for memory.
    pub waits_for_memory: bool,
}

impl Run {
    /// Reads what a bench executable prints with `--format jsonl`; lines other than results are
    /// skipped.
    ///
    /// # Errors
    ///
    /// The line that is not understood, or that there is no result.
    pub fn read(lines: &str) -> Result<Self, String> {
        let mut readings = Vec::new();
        for (number, line) in (1..).zip(lines.lines()) {
            let line: Value = serde_json::from_str(line)
                .map_err(|error| format!("line {number} is not JSON: {error}"))?;
            if line["type"] == "result" {
                let reading = reading(&line)
                    .ok_or_else(|| format!("line {number}: the result names no case or metric"))?;
                readings.push(reading);
            }
        }
        if readings.is_empty() {
            return Err("there is no result in it; remove it and measure again".to_owned());
        }
        Ok(Self { readings })
    }

    /// Whether it has a result in that metric.
    pub(super) fn has(&self, metric: &str) -> bool {
        self.readings.iter().any(|reading| reading.metric == metric)
    }
}

fn reading(result: &Value) -> Option<Reading> {
    let id = result["case"].as_str()?;
    let estimate = result["estimate"].as_f64();
    let ends = result["lower"].as_f64().zip(result["upper"].as_f64());
    // Other harnesses do not state what their intervals cover.
    let across_processes = result["scope"] != "process";
    let mut notes = result["notes"].as_array().into_iter().flatten();
    Some(Reading {
        case: id.split_once("::").map_or(id, |(_, case)| case).to_owned(),
        metric: result["metric"].as_str()?.to_owned(),
        estimate,
        interval: ends.filter(|_| across_processes && estimate.is_some()),
        waits_for_memory: notes.any(|note| note["note"] == "waits_for_memory"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: &str = r#"{"type":"result","case":"examples/reproducible::a::b[n=1]","metric":"cycles","estimate":2.5,"lower":2.25,"upper":3.0,"scope":"processes","notes":[{"note":"contended"}]}"#;

    fn read(line: &str) -> Reading {
        Run::read(line).expect("a run").readings.remove(0)
    }

    #[test]
    fn a_result_is_read() {
        let lines = format!("{{\"type\":\"header\"}}\n{RESULT}\n{{\"type\":\"end\"}}\n");
        let run = Run::read(&lines).expect("a run");
        assert_eq!(
            run.readings,
            [Reading {
                case: "a::b[n=1]".to_owned(),
                metric: "cycles".to_owned(),
                estimate: Some(2.5),
                interval: Some((2.25, 3.0)),
                waits_for_memory: false,
            }]
        );
        assert!(run.has("cycles") && !run.has("time"));
        assert!(read(&RESULT.replace("contended", "waits_for_memory")).waits_for_memory);
    }

    #[test]
    fn an_interval_of_one_process_is_none() {
        let alone = read(&RESULT.replace("processes", "process"));
        assert_eq!((alone.estimate, alone.interval), (Some(2.5), None));
        // An upper bound is no interval.
        let below = read(&RESULT.replace("2.5,", "null,").replace("2.25", "null"));
        assert_eq!((below.estimate, below.interval), (None, None));
        // Of another harness.
        let other = read(&RESULT.replace(r#""scope":"processes","#, ""));
        assert_eq!(other.interval, Some((2.25, 3.0)));
    }

    #[test]
    fn what_is_no_run_is_refused() {
        for (lines, message) in [
            ("", "there is no result"),
            ("{\"type\":\"header\"}\n", "there is no result"),
            ("{\"type\":\"header\"}\nthis\n", "line 2 is not JSON"),
            ("{\"type\":\"result\"}\n", "line 1: the result names no"),
        ] {
            let error = Run::read(lines).expect_err(message);
            assert!(error.starts_with(message), "{error}");
        }
    }
}
