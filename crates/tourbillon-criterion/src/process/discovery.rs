//! What a discoverer reports: a line for each benchmark, and for each target that failed.

use std::collections::BTreeSet;

use tourbillon_criterion_files::BenchmarkName;
use tourbillon_record::codec::{Object, encode, open};
use tourbillon_record::{Case, object};

use super::registration::Registration;
use crate::amount::Amount;
use crate::baseline::Baselines;

/// A benchmark that a discoverer came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Discovered {
    pub(crate) named: BenchmarkName,
    /// Its id, which no other benchmark has.
    pub(crate) id: String,
    /// The target that registers it; empty outside of targets.
    pub(crate) target: String,
    /// Which one of its id it is in its target, from 1.
    pub(crate) occurrence: u32,
    /// Whether the filters of the suite accept it.
    pub(crate) selected: bool,
    /// From the start of its target to its registration without the launches in between, in nanoseconds.
    pub(crate) setup_ns: u64,
    /// Whether the discoverer waits for a plan, or for a goodbye in place of one.
    pub(crate) waits: bool,
    /// What criterion would spend on it, in nanoseconds.
    pub(crate) time_ns: u64,
    pub(crate) throughput: Option<Amount>,
    /// The relative change below which none is reported.
    pub(crate) noise_threshold: f64,
    /// Methods of the suite that were called for it and have no effect.
    pub(crate) without_effect: Vec<String>,
    pub(crate) baselines: Baselines,
    /// The folder of files, where the suite sets one.
    pub(crate) output_directory: Option<String>,
    pub(crate) file: String,
    pub(crate) line: u32,
}

object! {
    Discovered {
        named, id, target, occurrence, selected, setup_ns, waits, time_ns, throughput, noise_threshold,
        without_effect, baselines, output_directory, file, line,
    }
}

/// A target that panicked outside of its benchmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FailedTarget {
    pub(crate) target: String,
    /// The panic.
    pub(crate) why: String,
}

object! {
    FailedTarget { target, why }
}

impl Discovered {
    /// What a registration says.
    pub(super) fn of(registration: &Registration<'_>) -> Discovered {
        let options = registration.options;
        let without_effect = options.without_effect.iter();
        Discovered {
            named: registration.named.clone(),
            time_ns: options.time_ns(),
            throughput: registration.throughput,
            // Infinity has no form in a line.
            noise_threshold: options.noise_threshold.min(f64::MAX),
            without_effect: without_effect.map(|method| (*method).to_owned()).collect(),
            baselines: registration.baselines.clone(),
            output_directory: registration
                .output_directory
                .map(|path| path.to_string_lossy().into_owned()),
            file: registration.location.file().to_owned(),
            line: registration.location.line(),
            ..Discovered::default()
        }
    }

    /// The case of it in a record.
    pub(super) fn case(&self) -> Case {
        self.named.case(&self.id, &self.file, self.line)
    }
}

/// A line of a discoverer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Report {
    /// A benchmark.
    Benchmark(Box<Discovered>),
    /// A target.
    Failed(FailedTarget),
}

impl Report {
    /// The line, with its line feed.
    pub(crate) fn encode(&self) -> String {
        let line = match self {
            Report::Benchmark(found) => encode("benchmark", |out| found.write_members(out), ""),
            Report::Failed(failed) => encode("failed", |out| failed.write_members(out), ""),
        };
        line + "\n"
    }

    /// Reads a line without its line feed; `None` for other lines.
    pub(crate) fn decode(line: &str) -> Option<Report> {
        let (kind, mut members) = open(line).ok()?;
        let from = &mut members;
        match &*kind {
            "benchmark" => Some(Report::Benchmark(Box::new(
                Object::from_members(from).ok()?,
            ))),
            "failed" => Some(Report::Failed(Object::from_members(from).ok()?)),
            _ => None,
        }
    }
}

/// A line of a discoverer as it is written again, where it is one.
pub fn line_read(line: &str) -> Option<String> {
    Report::decode(line).map(|report| report.encode())
}

/// A sentence about methods that the selected benchmarks call and that have no effect; `None` without any.
pub(super) fn without_effect(found: &[Discovered]) -> Option<String> {
    let selected = found.iter().filter(|one| one.selected);
    let methods: BTreeSet<&str> = selected
        .flat_map(|one| one.without_effect.iter().map(String::as_str))
        .collect();
    let methods: Vec<&str> = methods.into_iter().collect();
    (!methods.is_empty()).then(|| {
        format!(
            "methods of the suite without effect: {}",
            methods.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Baseline;

    #[test]
    fn lines_hold_any_name() {
        let found = Discovered {
            named: BenchmarkName {
                group: "a\tb\\t\n".to_owned(),
                function: Some(String::new()),
                parameter: Some("=\n".to_owned()),
            },
            id: "a\tb\\t\n//=\n #2".to_owned(),
            target: "suite::benches/sum".to_owned(),
            occurrence: 2,
            selected: true,
            setup_ns: 1,
            waits: true,
            time_ns: u64::MAX,
            throughput: Some(Amount::Bytes(7)),
            noise_threshold: 0.015,
            without_effect: vec!["nresamples".to_owned(), "with_plots".to_owned()],
            baselines: Baselines::new(Baseline::CompareStrict, "a\tb".to_owned()),
            output_directory: Some("x y".to_owned()),
            file: "benches\\suite.rs".to_owned(),
            line: 9,
        };
        let without = Discovered {
            named: BenchmarkName {
                group: "g".to_owned(),
                ..BenchmarkName::default()
            },
            throughput: None,
            without_effect: Vec::new(),
            baselines: Baselines::last_run(),
            output_directory: None,
            ..found.clone()
        };
        for report in [
            Report::Benchmark(Box::new(found)),
            Report::Benchmark(Box::new(without)),
            Report::Failed(FailedTarget {
                target: "t".to_owned(),
                why: "two\nlines".to_owned(),
            }),
        ] {
            let line = report.encode();
            assert_eq!(line.matches('\n').count(), 1, "{line:?}");
            assert_eq!(Report::decode(line.trim_end_matches('\n')), Some(report));
        }
        for line in [
            "loading ..",
            r#"{"type":"benchmark","schema":2}"#,
            r#"{"type":"bye","schema":2}"#,
        ] {
            assert_eq!(Report::decode(line), None);
        }
    }
}
