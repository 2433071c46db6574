//! OpenMetrics 1.0: <https://github.com/prometheus/OpenMetrics>.

use std::collections::HashMap;

use tourbillon_clock::wall;
use tourbillon_record::{CaseResult, Header, Metric, Throughput};
use tourbillon_report::escape;

use super::rows::{ExportedCase, Omitted};
use crate::store::recency;

/// A family of samples, all of one unit.
struct Family {
    name: String,
    unit: &'static str,
    help: String,
    samples: Vec<String>,
}

/// The families, in the order of their first sample.
#[derive(Default)]
struct Families {
    all: Vec<Family>,
    place: HashMap<String, usize>,
}

impl Families {
    /// Adds a sample to the family of a name and a unit.
    fn add(&mut self, name: &str, unit: &'static str, help: &str, labels: &str, value: f64) {
        let name = match unit {
            "" => format!("tourbillon_{name}"),
            unit => format!("tourbillon_{name}_{unit}"),
        };
        let at = *self.place.entry(name.clone()).or_insert(self.all.len());
        if at == self.all.len() {
            self.all.push(Family {
                name: name.clone(),
                unit,
                help: help.to_owned(),
                samples: Vec::new(),
            });
        }
        let sample = format!("{name}{{{labels}}} {value:?}\n");
        self.all[at].samples.push(sample);
    }
}

/// A gauge for each metric, and one for each end of its interval. Times are in seconds.
pub(super) fn text(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut families = Families::default();
    for case in cases {
        let has_sample = case
            .results
            .iter()
            .filter(|result| add(&mut families, case, result));
        if has_sample.count() == 0 {
            omitted.extend(case.rows().err());
        }
    }
    for header in runs(cases, wall::unix_ns()) {
        let labels = labels(&[("package", &header.package), ("target", &header.target)]);
        let seconds = header.started_unix_ns as f64 / 1e9;
        let help = "When the run began, since the Unix epoch.";
        families.add("run_start", "seconds", help, &labels, seconds);
    }
    let mut text = String::new();
    for family in &families.all {
        let name = &family.name;
        text += &format!("# TYPE {name} gauge\n");
        if !family.unit.is_empty() {
            text += &format!("# UNIT {name} {}\n", family.unit);
        }
        text += &format!("# HELP {name} {}\n", family.help);
        text.extend(family.samples.iter().map(String::as_str));
    }
    text + "# EOF\n"
}

/// The headers of the runs, each bench target once.
fn runs<'r>(cases: &[ExportedCase<'r>], now_unix_ns: u64) -> Vec<&'r Header> {
    let mut runs: Vec<&Header> = Vec::new();
    let mut known = HashMap::new();
    for case in cases {
        let header = &case.run.header;
        let target = (header.package.as_str(), header.target.as_str());
        let at = *known.entry(target).or_insert(runs.len());
        if at == runs.len() {
            runs.push(header);
        } else if recency(runs[at], now_unix_ns) < recency(header, now_unix_ns) {
            // Of several runs of a target, the newest.
            runs[at] = header;
        }
    }
    runs
}

/// Adds the samples of a result; whether it has any.
fn add(families: &mut Families, case: &ExportedCase<'_>, result: &CaseResult) -> bool {
    let (name, unit, per_unit, help) = described(result.metric);
    let mut pairs = vec![
        ("case", case.case.id.as_str()),
        ("package", &case.run.header.package),
        ("target", &case.run.header.target),
    ];
    if !case.case.group.is_empty() {
        pairs.push(("group", &case.case.group));
    }
    pairs.push(("name", &case.case.name));
    if let Some(own) = &result.own {
        pairs.push(("metric", &own.name));
        pairs.push(("unit", &own.unit));
    }
    let axes: Vec<(String, &str)> = case
        .case
        .arguments
        .iter()
        .filter(|argument| is_label(&argument.axis))
        .map(|argument| (format!("arg_{}", argument.axis), &*argument.value))
        .collect();
    pairs.extend(axes.iter().map(|(name, value)| (name.as_str(), *value)));
    let labels = labels(&pairs);
    let figure = result.estimate.ok();
    // A result without figure may have an end: a bound, or both ends of what is too scattered.
    let (lower, upper) = (result.lower, result.upper);
    for (suffix, of, value) in [
        ("", "", figure),
        ("_lower", "Lower end of the interval: ", lower),
        ("_upper", "Upper end of the interval: ", upper),
    ] {
        if let Some(value) = value {
            let help = format!("{of}{help}");
            families.add(
                &format!("{name}{suffix}"),
                unit,
                &help,
                &labels,
                value / per_unit,
            );
        }
    }
    if let Some(confidence) = result.confidence.filter(|_| figure.is_some()) {
        let help = format!("Confidence of the interval: {help}");
        families.add(
            &format!("{name}_confidence"),
            "ratio",
            &help,
            &labels,
            confidence,
        );
    }
    if let Some(Throughput { per_op, unit }) = result.throughput {
        let name = format!("{}_per_op", unit.name());
        let help = "What an op processes.";
        families.add(&name, "", help, &labels, per_op as f64);
    }
    figure.is_some() || upper.is_some()
}

/// Whether an axis can be part of a label's name.
fn is_label(axis: &str) -> bool {
    !axis.is_empty()
        && axis
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Name, unit, how many of the record's units are one of it, and what it is.
fn described(metric: Metric) -> (&'static str, &'static str, f64, &'static str) {
    let seconds = |name, help| (name, "seconds", 1e9, help);
    let bytes = |name, help| (name, "bytes", 1.0, help);
    match metric {
        Metric::Time => seconds("time", "Wall time per op."),
        Metric::CpuTime => seconds("cpu_time", "Processor time per op."),
        Metric::UserTime => seconds("user_time", "Processor time per op in user mode."),
        Metric::KernelTime => seconds("kernel_time", "Processor time per op in the kernel."),
        Metric::Own => (
            "own",
            "",
            1.0,
            "A number that the benchmark returns, per op.",
        ),
        Metric::Cycles => ("cycles", "", 1.0, "Cycles of the core per op."),
        Metric::P50 => seconds("call_p50", "Median duration of a call."),
        Metric::P90 => seconds("call_p90", "90th percentile of the duration of a call."),
        Metric::P99 => seconds("call_p99", "99th percentile of the duration of a call."),
        Metric::P999 => seconds("call_p999", "99.9th percentile of the duration of a call."),
        Metric::Max => seconds("call_max", "The longest call."),
        Metric::Allocs => ("allocs", "", 1.0, "Requests to the allocator per op."),
        Metric::Bytes => bytes("allocated", "Bytes allocated per op."),
        Metric::Peak => bytes("peak", "Most bytes live at once in an op."),
        Metric::Kept => bytes("kept", "Bytes allocated and not freed per op."),
        Metric::Moved => bytes("moved", "Bytes copied by reallocations per op."),
        Metric::Instructions => ("instructions", "", 1.0, "Instructions per op."),
        Metric::PeakMemory => bytes("peak_memory", "Most memory resident at once in a process."),
        Metric::PageFaults => ("page_faults", "", 1.0, "Page faults of a process."),
        Metric::Switches => ("switches", "", 1.0, "Context switches of a process."),
        Metric::CpuCycles => ("cpu_cycles", "", 1.0, "Cycles per op, by a counter."),
        Metric::CpuInstructions => (
            "cpu_instructions",
            "",
            1.0,
            "Instructions per op, by a counter.",
        ),
        Metric::Ipc => ("ipc", "", 1.0, "Instructions in a cycle."),
        Metric::Branches => ("branches", "", 1.0, "Branches per op."),
        Metric::BranchMisses => ("branch_misses", "", 1.0, "Mispredicted branches per op."),
        Metric::CacheReferences => (
            "cache_references",
            "",
            1.0,
            "Accesses to the last cache per op.",
        ),
        Metric::CacheMisses => ("cache_misses", "", 1.0, "Misses of the last cache per op."),
        Metric::MinorFaults => ("minor_faults", "", 1.0, "Page faults per op."),
        Metric::ContextSwitches => ("context_switches", "", 1.0, "Context switches per op."),
    }
}

/// Labels with their values, without control characters.
fn labels(pairs: &[(&str, &str)]) -> String {
    let labels = pairs.iter().map(|(name, value)| {
        let value = escape(value, true)
            .replace('\\', r"\\")
            .replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    });
    labels.collect::<Vec<_>>().join(",")
}
