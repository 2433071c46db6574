//! What is known about the clocks of a machine, as JSON, too.
//!
//! Times are nanoseconds, frequencies hertz. What is unknown is null, in every member: an absent source has
//! all of them.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::alone::program;

/// The result of `clocks`, here or on another machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Report {
    #[serde(default)]
    pub(super) machine: Machine,
    #[serde(default)]
    pub(super) tsc: Tsc,
    pub(super) sources: Vec<Row>,
}

/// A report and its file.
#[derive(Serialize)]
pub(super) struct Named {
    pub(super) file: String,
    pub(super) report: Report,
}

/// The machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Machine {
    /// The processor's name, or its architecture.
    pub(super) processor: String,
    /// Processors that this program may run on.
    pub(super) processors: u64,
    pub(super) os: String,
    pub(super) arch: String,
    /// Whether there is a hypervisor; `None` if unknown.
    pub(super) guest: Option<bool>,
    /// The core's frequency while the table was made; `None` if nothing counts its cycles.
    pub(super) core_hz: Option<f64>,
    /// The kernel's clock source.
    pub(super) kernel_source: Option<String>,
    /// Other clock sources that the kernel could use.
    pub(super) kernel_alternatives: Vec<String>,
}

/// The time stamp counter, or the counter that the processor has instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tsc {
    /// `invariant`, `constant`, `variant`; `None` without such a counter.
    pub(super) generation: Option<String>,
    /// The flags that tell.
    pub(super) flags: Vec<String>,
    pub(super) hz: Option<f64>,
    /// The source of the frequency.
    pub(super) frequency_from: Option<String>,
    /// Its error bound, according to the source.
    pub(super) error_ppm: Option<f64>,
    /// All possible sources of the frequency.
    pub(super) rungs: Vec<Rung>,
    /// The deviation of the counter from its frequency against the system's clock.
    pub(super) deviation_ppm: Option<f64>,
    /// Bound of that.
    pub(super) bound_ppm: Option<f64>,
    /// The time over which it was observed.
    pub(super) baseline_ns: Option<u64>,
    /// The source that benchmarks use here, and why.
    pub(super) chosen: String,
    pub(super) why: String,
    /// Why the counter is not used; `None` if it is.
    pub(super) refused: Option<String>,
}

/// A possible source of the counter's frequency.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Rung {
    pub(super) from: String,
    /// `None` if it states none.
    pub(super) hz: Option<f64>,
    pub(super) error_ppm: Option<f64>,
    /// Why it states none.
    pub(super) reason: Option<String>,
}

/// One source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) name: String,
    /// What it counts: `wall`, `CPU user`, ..
    #[serde(default)]
    pub(super) counts: String,
    pub(super) tick_ns: Option<f64>,
    pub(super) granularity_ns: Option<f64>,
    /// The observed resolution: medians over the series.
    pub(super) resolution_min_ns: Option<f64>,
    pub(super) resolution_mean_ns: Option<f64>,
    pub(super) resolution_median_ns: Option<f64>,
    /// `resolution`, `latency` or `still`.
    pub(super) regime: Option<String>,
    pub(super) read_median_ns: Option<f64>,
    pub(super) read_p99_ns: Option<f64>,
    pub(super) pair_ns: Option<f64>,
    /// Instruction, vDSO or system call, and the hardware.
    #[serde(default)]
    pub(super) behind: String,
    #[serde(default)]
    pub(super) available: bool,
    #[serde(default)]
    pub(super) safe: bool,
    /// Why it is absent or not safe, or else a remark.
    pub(super) reason: Option<String>,
    #[serde(skip)]
    pub(super) pair_p99_ns: Option<f64>,
    /// The spread of the mean resolution over the series, from end to end, as a share of it.
    #[serde(skip)]
    pub(super) resolution_spread: Option<f64>,
    /// How often a reading was lower than the previous one.
    #[serde(skip)]
    pub(super) negative: u64,
    /// How to change what is behind it.
    #[serde(skip)]
    pub(super) change: Option<String>,
}

/// The report as JSON, indented for readers and for comparison by line.
pub(super) fn encode(report: &Report) -> String {
    format!("{:#}\n", json!(report))
}

/// Several reports with their files.
pub(super) fn encode_all(machines: &[Named]) -> String {
    format!("{:#}\n", json!({ "machines": machines }))
}

/// Parses a report; missing members are unknown, other members are ignored.
///
/// # Errors
///
/// When it is not JSON, or not a report.
pub(super) fn decode(text: &str) -> Result<Report, String> {
    serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            let program = program();
            format!("{error}; `{program} clocks --format json` writes such files")
        } else {
            format!("it is not JSON: {error}")
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::clocks::fictitious;

    /// The members of a source in the promised order.
    const MEMBERS: [&str; 15] = [
        "name",
        "counts",
        "tick_ns",
        "granularity_ns",
        "resolution_min_ns",
        "resolution_mean_ns",
        "resolution_median_ns",
        "regime",
        "read_median_ns",
        "read_p99_ns",
        "pair_ns",
        "behind",
        "available",
        "safe",
        "reason",
    ];

    #[test]
    fn every_source_has_every_member() {
        let value: Value = serde_json::from_str(&encode(&fictitious::report())).unwrap();
        let names: Vec<_> = value.as_object().unwrap().keys().collect();
        assert_eq!(names, ["machine", "tsc", "sources"]);
        let sources = value["sources"].as_array().unwrap();
        assert_eq!(sources.len(), fictitious::report().sources.len());
        for source in sources {
            let names: Vec<_> = source.as_object().unwrap().keys().collect();
            assert_eq!(names, MEMBERS);
        }
        let absent = sources
            .iter()
            .find(|source| source["available"] == false)
            .expect("one is absent");
        assert!(absent["read_median_ns"].is_null());
        assert!(absent["reason"].is_string());
    }

    #[test]
    fn a_report_is_read_back() {
        let mut report = fictitious::report();
        let decoded = decode(&encode(&report)).unwrap();
        for row in &mut report.sources {
            row.pair_p99_ns = None;
            row.negative = 0;
            row.change = None;
            row.resolution_spread = None;
        }
        assert_eq!(decoded, report);
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        for (text, expected) in [
            ("{", "it is not JSON"),
            ("{}", "missing field `sources`"),
            ("[]", "expected struct Report"),
            (r#"{"sources": 3}"#, "expected a sequence"),
            (r#"{"sources": [{}]}"#, "missing field `name`"),
            (r#"{"sources": [7]}"#, "expected struct Row"),
        ] {
            let error = decode(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let other = r#"{"later": 1, "sources": [{"name": "a", "new": []}]}"#;
        let decoded = decode(other).unwrap();
        assert_eq!(decoded.sources[0].name, "a");
        assert!(!decoded.sources[0].available);
    }
}
