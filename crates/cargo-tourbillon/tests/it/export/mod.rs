//! `export`: what other programs read is what the record has.

mod critcmp;
mod criterion;
mod hostile_record;
mod readers;

use std::collections::BTreeMap;

use self::criterion::{baselines, json};
use self::hostile_record::{
    BELOW, COPY, COUNTED, CPU, CYCLES, FAILED, HOSTILE, RETRIES, SCATTERED, SORT, TIME, hostile_id,
};
use self::readers::{
    Bmf, BmfMetric, GitHubEntry, Google, Hyperfine, Sample, libtest_line, open_metrics,
};
use crate::folder::{Folder, run};
use crate::program::Ran;
use crate::records;

fn exported(test: &str, format: &str) -> Ran {
    let folder = Folder::new(&format!("export-{test}"));
    hostile_record::write(&folder.join("run.jsonl"));
    let ran = run(&folder, &["export", "run.jsonl", "--format", format]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn parsed<T: serde::de::DeserializeOwned>(ran: &Ran) -> T {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// The cases that are listed as omitted, each with the reason.
fn omitted(ran: &Ran) -> Vec<&str> {
    let lines = ran.stderr.lines();
    lines
        .map(|line| line.strip_prefix("not in the export: ").expect(line))
        .collect()
}

#[test]
fn lines_of_libtest_have_the_interval_to_the_last_digit() {
    let ran = exported("libtest", "libtest");
    let found: BTreeMap<String, (f64, f64)> = ran
        .stdout
        .lines()
        .filter_map(libtest_line)
        .map(|(name, value, range)| (name, (value, range)))
        .collect();
    // Half a unit of the last digit for the value; the farther end, rounded up, for the range.
    let [value, _, upper] = TIME;
    let (shown, range) = found[SORT];
    assert!((shown - value).abs() <= 0.005, "{shown}");
    assert!(
        (0.0..=0.01).contains(&(range - (upper - value))),
        "{range} {}",
        upper - value
    );
    assert_eq!(found[COPY], (0.123_457, 0.000_057));
    assert_eq!(found[COUNTED], (1e9, 1e8));
    assert_eq!(found[CPU], (500.0, 20.0));
    assert!(
        ran.stdout.contains(
            "test shop/checkout::sort::heap[n=100] ... bench:       1,234.57 ns/iter (+/- 15.69)\n"
        ),
        "{}",
        ran.stdout
    );
    // What has no such figure is named, in a line that no reader takes.
    for (name, why) in [
        (RETRIES, "not a duration"),
        (BELOW, "below resolution"),
        (SCATTERED, "too scattered"),
        (FAILED, "no result"),
    ] {
        let line = format!("test {name} ... no figure: {why}\n");
        assert!(ran.stdout.contains(&line), "{}", ran.stdout);
    }
    assert_eq!(found.len(), 4 + HOSTILE.len());
    assert!(found.contains_key("shop/checkout::hostile[s=a␣b␣␣c]"));
    assert!(found.contains_key(r"shop/checkout::hostile[s=line\nfeed\ttab]"));
}

#[test]
fn bencher_metric_format_has_every_metric_with_its_bounds() {
    let ran = exported("bmf", "bmf");
    let found: Bmf = parsed(&ran);
    let metric = |[value, lower, upper]: [f64; 3]| BmfMetric {
        value,
        lower_value: Some(lower),
        upper_value: Some(upper),
    };
    let sort = &found[SORT];
    assert_eq!(sort["latency"], metric(TIME));
    assert_eq!(sort["cycles"], metric(CYCLES));
    let [value, lower, upper] = TIME.map(|ns| 1e11 / ns);
    assert_eq!(sort["throughput"], metric([value, upper, lower]));
    assert_eq!(found[COPY]["bytes-per-second"].value, 64e9 / 0.123_456_789);
    let counted: Vec<&str> = found[COUNTED].keys().map(String::as_str).collect();
    assert_eq!(counted, ["allocs", "kept", "latency", "p99-9"]);
    assert_eq!(found[COUNTED]["kept"], metric([-4.0; 3]));
    // A number of the body does not replace a count of the same name.
    assert_eq!(found[RETRIES]["own-allocs"], metric([3.5, 3.0, 4.0]));
    assert_eq!(found[RETRIES]["allocs"], metric([7.0; 3]));
    assert_eq!(found[CPU]["cpu-time"], metric([500.0, 490.0, 520.0]));
    for value in HOSTILE {
        assert!(found.contains_key(&hostile_id(value)), "{value}");
    }
    assert_eq!(
        omitted(&ran),
        [
            "shop/checkout::below: below resolution",
            "shop/checkout::scattered: too scattered",
            "shop/checkout::failed: no result"
        ]
    );
}

#[test]
fn bencher_gets_no_name_that_it_refuses() {
    let folder = Folder::new("export-long");
    let [fits, long, only] = hostile_record::write_long(&folder.join("run.jsonl"));
    let ran = run(&folder, &["export", "run.jsonl", "--format", "bmf"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let found: Bmf = parsed(&ran);
    assert_eq!(found.keys().collect::<Vec<_>>(), [&fits]);
    let names: Vec<usize> = found[&fits].keys().map(String::len).collect();
    assert_eq!(names, ["latency".len(), 64]);
    let measure = format!("own-{}", "m".repeat(61));
    assert_eq!(
        omitted(&ran),
        [
            format!("{long}: its name has 1025 bytes, and Bencher takes 1024"),
            format!("{only}: none of its measures has a name that Bencher takes"),
            format!("{fits}: measure {measure}: its name has 65 bytes, and Bencher takes 64"),
            format!("{only}: measure {measure}: its name has 65 bytes, and Bencher takes 64"),
        ]
    );
}

#[test]
fn github_action_benchmark_gets_times_and_counts_or_throughputs() {
    let ran = exported("smaller", "smaller-is-better");
    let entries: Vec<GitHubEntry> = parsed(&ran);
    let entry = |name: &str| {
        let mut of_name = entries.iter().filter(|entry| entry.name == name);
        let only = of_name.next().unwrap_or_else(|| panic!("{name}"));
        assert!(of_name.next().is_none(), "{name}");
        only
    };
    let sort = entry(SORT);
    assert_eq!((sort.unit.as_str(), sort.value), ("ns", TIME[0]));
    let range = sort.range.as_deref().expect("a range");
    let interval = range
        .strip_prefix('[')
        .and_then(|range| range.strip_suffix(']'))
        .expect("an interval");
    let ends: Vec<f64> = interval
        .split(", ")
        .map(|end| end.parse().expect("a number"))
        .collect();
    assert_eq!(ends, TIME[1..]);
    for (name, unit, value) in [
        (format!("{SORT} (cycles)"), "cycles", CYCLES[0]),
        (format!("{COUNTED} (allocs)"), "allocs", 2.5),
        (format!("{COUNTED} (p99.9)"), "ns", 3e9),
        (format!("{RETRIES} (allocs)"), "allocs", 7.0),
        (format!("{RETRIES} (own-allocs)"), "retries", 3.5),
        (format!("{CPU} (cpu_time)"), "ns", 500.0),
    ] {
        let found = entry(&name);
        assert_eq!((found.unit.as_str(), found.value), (unit, value), "{name}");
    }
    for value in HOSTILE {
        entry(&hostile_id(value));
    }
    let ran = exported("bigger", "customBiggerIsBetter");
    let entries: Vec<GitHubEntry> = parsed(&ran);
    let found: Vec<(&str, &str, f64)> = entries
        .iter()
        .map(|entry| (&*entry.name, &*entry.unit, entry.value))
        .collect();
    assert_eq!(
        found,
        [
            (SORT, "items/s", 1e11 / TIME[0]),
            (COPY, "bytes/s", 64e9 / 0.123_456_789)
        ]
    );
    assert!(omitted(&ran).contains(&"shop/checkout::counted: no throughput"));
}

#[test]
fn google_benchmark_has_one_entry_a_case() {
    let ran = exported("google", "google-benchmark");
    let found: Google = parsed(&ran);
    assert_eq!(found.context.date, "2026-01-01T00:00:00Z");
    assert!(found.context.cpu_time.starts_with("not measured"));
    assert_eq!(found.context.caches, []);
    let sort = &found.benchmarks[0];
    assert_eq!((&*sort.name, &*sort.run_name), (SORT, SORT));
    assert_eq!((&*sort.run_type, &*sort.time_unit), ("iteration", "ns"));
    assert_eq!((sort.threads, sort.iterations), (1, 64));
    assert_eq!((sort.real_time, sort.cpu_time), (TIME[0], TIME[0]));
    for (counter, value) in [
        ("lower", TIME[1]),
        ("upper", TIME[2]),
        ("confidence", 0.99),
        ("cycles", CYCLES[0]),
        ("items_per_second", 1e11 / TIME[0]),
    ] {
        assert_eq!(sort.counters[counter].as_f64(), Some(value), "{counter}");
    }
    assert_eq!(found.benchmarks.len(), 3 + HOSTILE.len());
    assert!(omitted(&ran).contains(&"shop/checkout::cpu: not measured in wall time"));
}

#[test]
fn hyperfine_has_the_launches_in_seconds() {
    let folder = Folder::new("export-hyperfine");
    records::write(&folder.join("run.jsonl"), 1, "model A", 100);
    let ran = run(&folder, &["export", "run.jsonl", "--format", "hyperfine-1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let found: Hyperfine = parsed(&ran);
    let [add, remove] = &found.results[..] else {
        panic!("{found:?}");
    };
    assert_eq!(add.command, "shop/checkout::add");
    // Launches of 100 to 108 ns; the estimate is their median.
    assert_eq!(add.times.len(), 9);
    assert!((add.median - 104e-9).abs() < 1e-10, "{add:?}");
    assert!((add.mean - 104e-9).abs() < 1e-10, "{add:?}");
    assert!(add.stddev.is_some_and(|stddev| stddev > 1e-9), "{add:?}");
    let (min, max) = (add.min.expect("a launch"), add.max.expect("a launch"));
    assert!((min - 100e-9).abs() < 1e-10 && (max - 108e-9).abs() < 1e-10);
    assert!(add.times.iter().all(|time| (min..=max).contains(time)));
    assert!(add.parameters.is_empty());
    assert_eq!((add.user, add.system), (None, None));
    assert!((remove.median - 1004e-9).abs() < 1e-10, "{remove:?}");
    let ran = exported("hyperfine-results", "hyperfine-1");
    let found: Hyperfine = parsed(&ran);
    let sort = &found.results[0];
    assert_eq!((sort.times.len(), sort.min, sort.max), (0, None, None));
    assert_eq!(sort.parameters["n"], "100");
    assert_eq!(sort.median, TIME[0] / 1e9);
}

#[test]
fn hyperfine_two_has_the_launches_as_runs() {
    let folder = Folder::new("export-hyperfine-runs");
    records::write(&folder.join("run.jsonl"), 1, "model A", 100);
    let ran = run(&folder, &["export", "run.jsonl", "--format", "hyperfine"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let found: serde_json::Value = parsed(&ran);
    let add = &found["results"][0];
    assert_eq!(add["command"], "shop/checkout::add");
    assert_eq!(add["measurements"].as_array().map(Vec::len), Some(9));
    let time = &add["summary"]["time_wall_clock"];
    assert!((time["median"].as_f64().expect("seconds") - 104e-9).abs() < 1e-10);
    assert_eq!(
        (&time["unit"], &time["count"]),
        (&"second".into(), &9.into())
    );
    // A case without launches has no run.
    let folder = Folder::new("export-hyperfine-no-runs");
    hostile_record::write(&folder.join("run.jsonl"));
    let ran = run(&folder, &["export", "run.jsonl", "--format", "hyperfine"]);
    let why = format!("{SORT}: no run of it is recorded");
    assert!(ran.stderr.contains(&why), "{ran:?}");
}

#[test]
fn openmetrics_has_a_gauge_for_each_metric_and_its_ends() {
    let ran = exported("openmetrics", "openmetrics");
    let samples = open_metrics(&ran.stdout);
    let of = |family: &str, case: &str| {
        let is_it = |one: &&Sample| {
            one.family == family && one.labels.get("case").is_some_and(|of| of == case)
        };
        samples.iter().find(is_it)
    };
    let value = |family: &str, case: &str| of(family, case).map(|sample| sample.value);
    for (family, expected) in [
        ("tourbillon_time_seconds", TIME[0] / 1e9),
        ("tourbillon_time_lower_seconds", TIME[1] / 1e9),
        ("tourbillon_time_upper_seconds", TIME[2] / 1e9),
        ("tourbillon_time_confidence_ratio", 0.99),
        ("tourbillon_cycles", CYCLES[0]),
        ("tourbillon_cycles_upper", CYCLES[2]),
        ("tourbillon_items_per_op", 100.0),
    ] {
        assert_eq!(value(family, SORT), Some(expected), "{family}");
    }
    let sort = of("tourbillon_time_seconds", SORT).expect("a sample");
    assert_eq!(sort.labels["arg_n"], "100");
    assert_eq!(sort.labels["package"], "shop");
    assert_eq!(value("tourbillon_kept_bytes", COUNTED), Some(-4.0));
    assert_eq!(value("tourbillon_call_p999_seconds", COUNTED), Some(3.0));
    let own = of("tourbillon_own", RETRIES).expect("a sample");
    assert_eq!((&*own.labels["metric"], own.value), ("allocs", 3.5));
    // Below the resolution there is a bound, and no figure.
    assert_eq!(value("tourbillon_time_seconds", BELOW), None);
    assert_eq!(value("tourbillon_time_upper_seconds", BELOW), Some(0.25e-9));
    assert_eq!(value("tourbillon_time_seconds", SCATTERED), None);
    assert_eq!(
        value("tourbillon_time_lower_seconds", SCATTERED),
        Some(1e-9)
    );
    for hostile in HOSTILE {
        let id = hostile_id(hostile);
        let shown = tourbillon_report::escape(&id, true);
        assert_eq!(value("tourbillon_time_seconds", &shown), Some(1e-8), "{id}");
    }
    assert_eq!(omitted(&ran), ["shop/checkout::failed: no result"]);
    let start = samples.last().expect("a sample");
    assert_eq!(start.family, "tourbillon_run_start_seconds");
    assert_eq!(start.value, 1_767_225_601.0);
}

/// The folders with files of a baseline, below a folder.
#[test]
fn an_export_goes_to_a_file_and_mistakes_have_remedies() {
    let folder = Folder::new("export-mistakes");
    records::write(&folder.join("a.jsonl"), 1, "model A", 100);
    records::write(&folder.join("b.jsonl"), 2, "model A", 100);
    let to_file = ["export", "a.jsonl", "--format", "bmf", "-o", "a.json"];
    let ran = run(&folder, &to_file);
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (Some(0), "", ""));
    let found: Bmf = json(&folder.join("a.json"));
    assert_eq!(found.len(), 2);
    let filtered = ["export", "a.jsonl", "--format", "bmf", "--filter", "add"];
    assert_eq!(parsed::<Bmf>(&run(&folder, &filtered)).len(), 1);
    for (arguments, code, remedy) in [
        (
            &["a.jsonl", "b.jsonl", "--format", "bmf"][..],
            1,
            "shop/checkout::add is in several runs, which this format does not tell apart; export",
        ),
        (
            &["a.jsonl", "--format", "criterion"],
            1,
            "name it, such as -o target/criterion",
        ),
        (&["a.jsonl", "--format", "xml"], 1, "invalid value 'xml'"),
        (&["a.jsonl"], 1, "--format <FORMAT>"),
        (
            &["a.jsonl", "--format", "bigger-is-better"],
            5,
            "no case of the records is in the export",
        ),
        (
            &["a.jsonl", "--format", "bmf", "-o", "none/a.json"],
            5,
            "cannot be written",
        ),
        (
            &["a.jsonl", "--format", "bmf", "--filter", "xyz"],
            1,
            "no case matches the filters",
        ),
    ] {
        let ran = run(&folder, &[&["export"], arguments].concat());
        assert_eq!((ran.code, &*ran.stdout), (Some(code), ""), "{ran:?}");
        assert!(ran.stderr.contains(remedy), "{}", ran.stderr);
    }
    // Two records are two baselines of criterion, and two runs of a table.
    let both = [
        "export",
        "a.jsonl",
        "b.jsonl",
        "--format",
        "criterion",
        "-o",
        "c",
    ];
    assert_eq!(run(&folder, &both).code, Some(0));
    for baseline in ["a", "b"] {
        let mut found = Vec::new();
        baselines(&folder.join("c"), baseline, &mut found);
        assert_eq!(found.len(), 2, "{baseline}");
    }
    let csv = run(
        &folder,
        &["export", "a.jsonl", "b.jsonl", "--format", "csv"],
    );
    assert_eq!(csv.stdout.lines().count(), 5, "{}", csv.stdout);
}
