//! The findings as JSON.

use serde_json::{Value, json};

use super::finding::Finding;
use super::reference_kernels::{Row, Shown};
use super::report::Report;

/// One object. A check without an assessment has no severity, and the reason under `absent`.
pub(super) fn encode(report: &Report) -> String {
    let findings: Vec<Value> = report.findings.iter().map(finding).collect();
    let reference_kernels: Vec<Value> = report.reference_kernels.iter().map(kernel).collect();
    format!(
        "{:#}\n",
        json!({ "findings": findings, "landmarks": reference_kernels })
    )
}

/// In cycles. Without a figure there are no measured cycles.
fn kernel(row: &Row) -> Value {
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
    let (outcome, absent) = match &finding.outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(why) => (None, Some(why)),
    };
    json!({
        "check": finding.check,
        "severity": outcome.map(|outcome| outcome.severity.name()),
        "found": outcome.map(|outcome| outcome.found.as_str()),
        "why": finding.guide.why,
        "remedy": outcome.and_then(|outcome| outcome.remedy.as_deref()),
        "absent": absent,
        "guide": finding.link(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    use crate::doctor::reference_kernels::measured;
    use crate::doctor::machines::{LAPTOP, Machine};

    #[test]
    fn findings_have_a_severity_or_a_reason() {
        let findings = Machine::new(LAPTOP).without("/proc/loadavg").findings(&[]);
        let text = encode(&Report {
            findings,
            reference_kernels: vec![Row {
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
                "found": "the machine runs on its battery, 71 % left and saves power",
                "why": "power saving and heat slow cores down during a run",
                "remedy": "plug it in",
                "absent": null,
                "guide": "docs/GUIDE.md#battery-and-heat",
            })
        );
        let absent = finding("load");
        assert_eq!(absent["absent"], "this system has no /proc/loadavg");
        assert!(absent["severity"].is_null() && absent["found"].is_null());
        assert!(finding("ASLR")["remedy"].is_null());
        let kernel = &value["landmarks"][0];
        assert_eq!(kernel["true_cycles"], 1.0);
        assert_eq!(kernel["below_resolution"], true);
        assert_eq!(kernel["verdict"], "wrong");
        assert!(kernel["measured_cycles"].is_null() && kernel["error_cycles"].is_null());
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn each_kernel_that_is_measured_is_a_row() {
        // Without optimisation the figures are of no use, but they are figures.
        let clock = tourbillon_clock::Clock::choose().clock;
        let text = encode(&Report {
            findings: Vec::new(),
            reference_kernels: measured(&clock, "").0,
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
