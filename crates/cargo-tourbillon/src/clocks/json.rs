//! A report as JSON, and back.
//!
//! Times are nanoseconds, frequencies hertz. What is not known is null, in every member: a source that
//! is absent has all of them.

use serde_json::{Map, Value, json};

use super::compare::Named;
use super::report::{Machine, Report, Resolution, Row, Rung, Tsc};

/// The report as one JSON text with a line feed at its end.
pub(super) fn encode(report: &Report) -> String {
    // The indented form: people look into it, and it is compared by line.
    format!("{:#}\n", whole(report))
}

/// Several reports, by the files that they come from.
pub(super) fn encode_all(machines: &[Named]) -> String {
    let machines = machines.iter().map(|machine| {
        json!({
            "file": machine.file,
            "report": whole(&machine.report),
        })
    });
    format!(
        "{:#}\n",
        json!({ "machines": machines.collect::<Vec<_>>() })
    )
}

fn whole(report: &Report) -> Value {
    json!({
        "machine": machine(&report.machine),
        "tsc": tsc(&report.tsc),
        "sources": report.sources.iter().map(source).collect::<Vec<_>>(),
    })
}

fn machine(machine: &Machine) -> Value {
    json!({
        "processor": machine.processor,
        "processors": machine.processors,
        "os": machine.os,
        "arch": machine.arch,
        "guest": machine.guest,
        "core_hz": machine.core_hz,
        "kernel_source": machine.kernel_source,
        "kernel_alternatives": machine.kernel_alternatives,
    })
}

fn tsc(tsc: &Tsc) -> Value {
    let rungs = tsc.rungs.iter().map(|rung| {
        json!({
            "from": rung.from,
            "hz": rung.hz,
            "error_ppm": rung.error_ppm,
            "reason": rung.reason,
        })
    });
    json!({
        "generation": tsc.generation,
        "flags": tsc.flags,
        "hz": tsc.hz,
        "frequency_from": tsc.frequency_from,
        "error_ppm": tsc.error_ppm,
        "rungs": rungs.collect::<Vec<_>>(),
        "deviation_ppm": tsc.deviation_ppm,
        "bound_ppm": tsc.bound_ppm,
        "baseline_ns": tsc.baseline_ns,
        "chosen": tsc.chosen,
        "why": tsc.why,
        "refused": tsc.refused,
    })
}

fn source(row: &Row) -> Value {
    let resolution = row.resolution;
    json!({
        "name": row.name,
        "counts": row.counts,
        "tick_ns": row.tick_ns,
        "granularity_ns": row.granularity_ns,
        "resolution_min_ns": resolution.map(|resolution| resolution.minimum_ns),
        "resolution_mean_ns": resolution.map(|resolution| resolution.mean_ns),
        "resolution_median_ns": resolution.map(|resolution| resolution.median_ns),
        "regime": row.regime,
        "read_median_ns": row.read_median_ns,
        "read_p99_ns": row.read_p99_ns,
        "pair_ns": row.pair_ns,
        "behind": row.behind,
        "available": row.available,
        "safe": row.safe,
        "reason": row.reason,
    })
}

/// The report that a text holds; members that are missing are not known, members that are not ours
/// are passed over.
///
/// # Errors
///
/// Where it is no JSON, or not the JSON of a report; the text says what is missing.
pub(super) fn decode(text: &str) -> Result<Report, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    let sources = value.get("sources").and_then(Value::as_array).ok_or(
        "it has no array `sources`; such a file is written by `cargo tourbillon clocks --format json`",
    )?;
    let object = |name: &str| Members(value.get(name).and_then(Value::as_object));
    let sources = sources.iter().map(|source| {
        row(&Members(source.as_object())).ok_or_else(|| "a source has no name".to_owned())
    });
    Ok(Report {
        machine: machine_of(&object("machine")),
        tsc: tsc_of(&object("tsc")),
        sources: sources.collect::<Result<_, _>>()?,
    })
}

/// The members of an object that may not be there.
struct Members<'v>(Option<&'v Map<String, Value>>);

impl<'v> Members<'v> {
    fn get(&self, name: &str) -> Option<&'v Value> {
        self.0?.get(name)
    }

    fn array(&self, name: &str) -> impl Iterator<Item = &'v Value> {
        let array = self.get(name).and_then(Value::as_array);
        array.into_iter().flatten()
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().map(str::to_owned)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_f64()
    }

    fn whole(&self, name: &str) -> Option<u64> {
        self.get(name)?.as_u64()
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.get(name)?.as_bool()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.array(name).filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }
}

fn machine_of(members: &Members<'_>) -> Machine {
    Machine {
        processor: members.text("processor").unwrap_or_default(),
        processors: members.whole("processors").unwrap_or_default(),
        os: members.text("os").unwrap_or_default(),
        arch: members.text("arch").unwrap_or_default(),
        guest: members.flag("guest"),
        core_hz: members.number("core_hz"),
        kernel_source: members.text("kernel_source"),
        kernel_alternatives: members.texts("kernel_alternatives"),
    }
}

fn tsc_of(members: &Members<'_>) -> Tsc {
    Tsc {
        generation: members.text("generation"),
        flags: members.texts("flags"),
        hz: members.number("hz"),
        frequency_from: members.text("frequency_from"),
        error_ppm: members.number("error_ppm"),
        rungs: members
            .array("rungs")
            .filter_map(|rung| rung_of(&Members(rung.as_object())))
            .collect(),
        deviation_ppm: members.number("deviation_ppm"),
        bound_ppm: members.number("bound_ppm"),
        baseline_ns: members.whole("baseline_ns"),
        chosen: members.text("chosen").unwrap_or_default(),
        why: members.text("why").unwrap_or_default(),
        refused: members.text("refused"),
    }
}

fn rung_of(members: &Members<'_>) -> Option<Rung> {
    Some(Rung {
        from: members.text("from")?,
        hz: members.number("hz"),
        error_ppm: members.number("error_ppm"),
        reason: members.text("reason"),
    })
}

fn row(members: &Members<'_>) -> Option<Row> {
    let resolution = || {
        Some(Resolution {
            minimum_ns: members.number("resolution_min_ns")?,
            mean_ns: members.number("resolution_mean_ns")?,
            median_ns: members.number("resolution_median_ns")?,
            spread: None,
        })
    };
    Some(Row {
        name: members.text("name")?,
        counts: members.text("counts").unwrap_or_default(),
        tick_ns: members.number("tick_ns"),
        granularity_ns: members.number("granularity_ns"),
        resolution: resolution(),
        regime: members.text("regime"),
        read_median_ns: members.number("read_median_ns"),
        read_p99_ns: members.number("read_p99_ns"),
        pair_ns: members.number("pair_ns"),
        pair_p99_ns: None,
        negative: 0,
        behind: members.text("behind").unwrap_or_default(),
        change: None,
        available: members.flag("available").unwrap_or(false),
        safe: members.flag("safe").unwrap_or(false),
        reason: members.text("reason"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::scripted;

    /// The members of a source, as the format promises them, in order.
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
        let value: Value = serde_json::from_str(&encode(&scripted::report())).unwrap();
        let names: Vec<_> = value.as_object().unwrap().keys().collect();
        assert_eq!(names, ["machine", "tsc", "sources"]);
        let sources = value["sources"].as_array().unwrap();
        assert_eq!(sources.len(), scripted::report().sources.len());
        for source in sources {
            let names: Vec<_> = source.as_object().unwrap().keys().collect();
            assert_eq!(names, MEMBERS);
        }
        let absent = sources.iter().find(|source| source["available"] == false);
        let absent = absent.expect("one is absent");
        assert!(absent["read_median_ns"].is_null());
        assert!(absent["reason"].is_string());
    }

    #[test]
    fn a_report_survives_the_way_to_text_and_back() {
        let mut report = scripted::report();
        let decoded = decode(&encode(&report)).unwrap();
        for row in &mut report.sources {
            row.pair_p99_ns = None;
            row.negative = 0;
            row.change = None;
            if let Some(resolution) = &mut row.resolution {
                resolution.spread = None;
            }
        }
        assert_eq!(decoded, report);
    }

    #[test]
    fn what_is_no_report_is_refused_with_a_reason() {
        for (text, expected) in [
            ("{", "it is no JSON"),
            ("{}", "no array `sources`"),
            ("[]", "no array `sources`"),
            (r#"{"sources": 3}"#, "no array `sources`"),
            (r#"{"sources": [{}]}"#, "a source has no name"),
            (r#"{"sources": [7]}"#, "a source has no name"),
        ] {
            let error = decode(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let foreign = r#"{"later": 1, "sources": [{"name": "a", "new": []}]}"#;
        let decoded = decode(foreign).unwrap();
        assert_eq!(decoded.sources[0].name, "a");
        assert!(!decoded.sources[0].available);
    }
}
