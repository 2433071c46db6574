//! One process of one executable.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Nanoseconds of each case that has a figure.
pub(crate) type Times = BTreeMap<String, f64>;

/// The two executables of a bench target.
pub(crate) struct Bench {
    pub(crate) plain: String,
    pub(crate) metered: String,
}

impl Bench {
    /// Measures each case in one launch: many short ones tell more than a few long ones.
    pub(crate) fn run(&self, metered: bool) -> Result<Times, String> {
        let program = if metered { &self.metered } else { &self.plain };
        let output = Command::new(program)
            .args(["--bench", "--launches", "1", "--max-time", "10ms"])
            .args(["--no-store", "--quiet", "--format", "jsonl"])
            .output()
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{program} failed: {why}"));
        }
        let mut times = Times::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let line: Value = serde_json::from_str(line)
                .map_err(|error| format!("{program} printed what is not JSON: {error}"))?;
            if line["type"] != "result" || line["metric"] != "time" {
                continue;
            }
            if let (Some(case), Some(ns)) = (line["case"].as_str(), line["estimate"].as_f64()) {
                times.insert(case.to_owned(), ns);
            }
        }
        Ok(times)
    }
}
