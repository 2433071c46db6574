//! Readers of the formats, each as strict as the program that it stands for.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// What Bencher 0.6 finds in a line of its adapter `rust_bench`: a name without blanks, the time and the number in
/// brackets, both in nanoseconds, and nothing after them. github-action-benchmark reads the same with
/// `/^test (.+)\s+\.\.\. bench:\s+([0-9,.]+) (\w+\/\w+) \(\+\/- ([0-9,.]+)\)$/`.
pub(super) fn libtest_line(line: &str) -> Option<(String, f64, f64)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(' ')?;
    let rest = rest.strip_prefix("... bench: ")?.trim_start_matches(' ');
    let (value, rest) = rest.split_once(" ns/iter (+/- ")?;
    let range = rest.strip_suffix(')')?;
    let number = |text: &str| {
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
        let digits = text.replace(',', "");
        text.chars().all(is_number).then(|| digits.parse().ok())?
    };
    (!name.is_empty()).then_some((name.to_owned(), number(value)?, number(range)?))
}

/// Bencher Metric Format, version 0.
pub(super) type Bmf = BTreeMap<String, BTreeMap<String, BmfMetric>>;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct BmfMetric {
    pub(super) value: f64,
    pub(super) lower_value: Option<f64>,
    pub(super) upper_value: Option<f64>,
}

/// An entry of github-action-benchmark's custom JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GitHubEntry {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) value: f64,
    pub(super) range: Option<String>,
    #[expect(dead_code, reason = "it has to be a text")]
    pub(super) extra: Option<String>,
}

/// What google/benchmark's compare.py, Bencher and github-action-benchmark need.
#[derive(Debug, Deserialize)]
pub(super) struct Google {
    pub(super) context: GoogleContext,
    pub(super) benchmarks: Vec<GoogleBenchmark>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GoogleContext {
    pub(super) date: String,
    pub(super) caches: Vec<BTreeMap<String, serde_json::Value>>,
    pub(super) cpu_time: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct GoogleBenchmark {
    pub(super) name: String,
    pub(super) run_name: String,
    pub(super) run_type: String,
    pub(super) threads: u64,
    pub(super) iterations: u64,
    pub(super) real_time: f64,
    pub(super) cpu_time: f64,
    pub(super) time_unit: String,
    /// The counters.
    #[serde(flatten)]
    pub(super) counters: BTreeMap<String, serde_json::Value>,
}

/// hyperfine's `BenchmarkResult`; its `user` and `system` have to be there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hyperfine {
    pub(super) results: Vec<HyperfineResult>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HyperfineResult {
    pub(super) command: String,
    pub(super) mean: f64,
    pub(super) stddev: Option<f64>,
    pub(super) median: f64,
    pub(super) user: Option<f64>,
    pub(super) system: Option<f64>,
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) times: Vec<f64>,
    pub(super) parameters: BTreeMap<String, String>,
}

/// What critcmp 0.1.8 reads of `benchmark.json`.
#[derive(Debug, Deserialize)]
pub(super) struct CriterionBenchmark {
    pub(super) group_id: String,
    pub(super) function_id: Option<String>,
    pub(super) value_str: Option<String>,
    pub(super) throughput: Option<CriterionThroughput>,
    pub(super) full_id: String,
    pub(super) directory_name: String,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "PascalCase")]
pub(super) struct CriterionThroughput {
    pub(super) bytes: Option<u64>,
    pub(super) elements: Option<u64>,
}

/// What it reads of `estimates.json`.
#[derive(Debug, Deserialize)]
pub(super) struct CriterionEstimates {
    pub(super) mean: CriterionStatistic,
    pub(super) median: CriterionStatistic,
    #[expect(dead_code, reason = "it has to be there")]
    pub(super) median_abs_dev: CriterionStatistic,
    pub(super) slope: Option<CriterionStatistic>,
    pub(super) std_dev: CriterionStatistic,
}

#[derive(Debug, Deserialize)]
pub(super) struct CriterionStatistic {
    pub(super) confidence_interval: CriterionInterval,
    pub(super) point_estimate: f64,
    #[expect(dead_code, reason = "it has to be there")]
    pub(super) standard_error: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct CriterionInterval {
    pub(super) confidence_level: f64,
    pub(super) lower_bound: f64,
    pub(super) upper_bound: f64,
}

/// A sample of OpenMetrics: its family, its labels and its value.
#[derive(Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) family: String,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) value: f64,
}

/// The samples of a text of OpenMetrics 1.0 that has gauges only. Panics where the text breaks a rule of it.
pub(super) fn open_metrics(text: &str) -> Vec<Sample> {
    let body = text.strip_suffix("# EOF\n").expect("the end");
    let (mut samples, mut families) = (Vec::new(), BTreeSet::new());
    let mut family = String::new();
    let mut series = BTreeSet::new();
    for line in body.lines() {
        if let Some(about) = line.strip_prefix("# ") {
            let (kind, rest) = about.split_once(' ').expect("a descriptor");
            let (name, rest) = rest.split_once(' ').expect("a value");
            match kind {
                "TYPE" => {
                    assert_eq!(rest, "gauge", "{line}");
                    assert!(families.insert(name.to_owned()), "{name} is there twice");
                    name.clone_into(&mut family);
                }
                "UNIT" => assert!(name.ends_with(&format!("_{rest}")), "{line}"),
                "HELP" => assert!(!rest.contains(['\\', '"']), "{line}"),
                _ => panic!("{line}"),
            }
            assert_eq!(name, family, "{line}");
            continue;
        }
        let (name, rest) = line.split_once('{').expect("labels");
        assert_eq!(name, family, "samples of a family follow its type");
        let (labels, value) = labels(rest);
        assert!(series.insert((family.clone(), labels.clone())), "{line}");
        let value = value
            .strip_prefix(' ')
            .expect("a blank")
            .parse()
            .expect("a number");
        let family = family.clone();
        samples.push(Sample {
            family,
            labels,
            value,
        });
    }
    samples
}

/// The labels up to the brace, and what is after it.
fn labels(text: &str) -> (BTreeMap<String, String>, &str) {
    let mut labels = BTreeMap::new();
    let mut rest = text;
    loop {
        let (name, after) = rest.split_once("=\"").expect("a label");
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        assert!(!name.is_empty() && name.chars().all(is_name), "{name}");
        let mut value = String::new();
        let mut letters = after.char_indices();
        let end = loop {
            match letters.next().expect("the end of a value") {
                (at, '"') => break at,
                (_, '\\') => match letters.next().expect("an escape").1 {
                    'n' => value.push('\n'),
                    c @ ('\\' | '"') => value.push(c),
                    c => panic!("\\{c} is no escape"),
                },
                (_, '\n') => panic!("a line feed in a value"),
                (_, c) => value.push(c),
            }
        };
        assert!(labels.insert(name.to_owned(), value).is_none(), "{name}");
        rest = &after[end + 1..];
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (labels, rest.strip_prefix('}').expect("the brace")),
        }
    }
}
