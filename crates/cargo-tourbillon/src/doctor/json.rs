//! The findings as JSON.

use serde_json::{Value, json};

use super::finding::Finding;
use super::landmarks::{Row, Shown};
use super::report::Report;

/// One object. What could not be found out has no severity, and the reason under `absent`.
pub(super) fn encode(report: &Report) -> String {
    let findings: Vec<Value> = report.findings.iter().map(finding).collect();
    let landmarks: Vec<Value> = report.landmarks.iter().map(landmark).collect();
    format!(
        "{:#}\n",
        json!({ "findings": findings, "landmarks": landmarks })
    )
}

/// In cycles. What is below the resolution has no measured cycles, and neither has what failed.
fn landmark(row: &Row) -> Value {
    let (measured, lower, upper) = match row.shown {
        Shown::Cycles {
            cycles,
            lower,
            upper,
        } => (Some(cycles), lower, upper),
        Shown::BelowResolution | Shown::Nothing => (None, None, None),
    };
    json!({
        "kernel": row.name,
        "true_cycles": row.truth,
        "measured_cycles": measured,
        "lower_cycles": lower,
        "upper_cycles": upper,
        "error_cycles": row.error(),
        "below_resolution": row.shown == Shown::BelowResolution,
        "verdict": row.verdict().name(),
    })
}

fn finding(finding: &Finding) -> Value {
    let (said, absent) = match &finding.outcome {
        Ok(said) => (Some(said), None),
        Err(why) => (None, Some(why)),
    };
    json!({
        "check": finding.check,
        "severity": said.map(|said| said.severity.name()),
        "found": said.map(|said| said.found.as_str()),
        "why": finding.guide.why,
        "remedy": said.and_then(|said| said.remedy.as_deref()),
        "absent": absent,
        "guide": finding.link(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    use crate::doctor::landmarks::measured;
    use crate::doctor::machines::{LAPTOP, Machine};

    #[test]
    fn what_is_known_has_a_severity_and_what_is_not_a_reason() {
        let findings = Machine::new(LAPTOP).without("/proc/loadavg").seen(&[]);
        let text = encode(&Report {
            findings,
            landmarks: vec![Row {
                name: "add_1".to_owned(),
                truth: 1.0,
                shown: Shown::BelowResolution,
            }],
        });
        let value: Value = serde_json::from_str(&text).unwrap();
        let finding = |check: &str| {
            let findings = value["findings"].as_array().unwrap();
            findings
                .iter()
                .find(|finding| finding["check"] == check)
                .unwrap()
        };
        assert_eq!(
            *finding("battery"),
            json!({
                "check": "battery",
                "severity": "matters",
                "found": "the machine runs on its battery, 71 % left, and saves power where it can",
                "why": "what saves power or cools slows cores down in the middle of a run",
                "remedy": "plug it in",
                "absent": null,
                "guide": "docs/reference/doctor.md#battery-and-heat",
            })
        );
        let absent = finding("load");
        assert_eq!(absent["absent"], "this system has no /proc/loadavg");
        assert!(absent["severity"].is_null() && absent["found"].is_null());
        assert!(finding("ASLR")["remedy"].is_null());
        let landmark = &value["landmarks"][0];
        assert_eq!(landmark["true_cycles"], 1.0);
        assert_eq!(landmark["below_resolution"], true);
        assert_eq!(landmark["verdict"], "wrong");
        assert!(landmark["measured_cycles"].is_null() && landmark["error_cycles"].is_null());
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn each_kernel_that_is_measured_is_a_row() {
        // Without optimisation the figures are of no use, but they are figures.
        let clock = tourbillon_clock::Clock::choose().clock;
        let text = encode(&Report {
            findings: Vec::new(),
            landmarks: measured(&clock, "").0,
        });
        let value: Value = serde_json::from_str(&text).unwrap();
        let rows = value["landmarks"].as_array().unwrap();
        let truths = [("empty", 0.0), ("add_1", 1.0), ("add_10", 10.0)];
        let truths = truths
            .iter()
            .chain(&[("add_100", 100.0), ("add_1000", 1_000.0)]);
        assert_eq!(rows.len(), truths.clone().count());
        for (row, (kernel, truth)) in rows.iter().zip(truths) {
            assert_eq!(row["kernel"], *kernel);
            assert_eq!(row["true_cycles"], *truth);
            let (measured, below) = (&row["measured_cycles"], &row["below_resolution"]);
            assert_eq!(measured.is_null(), *below == true, "{row}");
            assert!(["right", "near", "wrong"].contains(&row["verdict"].as_str().unwrap()));
        }
        let longest = &rows[4];
        let (lower, upper) = (&longest["lower_cycles"], &longest["upper_cycles"]);
        assert!(longest["measured_cycles"].is_f64(), "{longest}");
        assert!(lower.is_f64() && upper.is_f64(), "{longest}");
        assert!(longest["error_cycles"].is_f64(), "{longest}");
    }
}
