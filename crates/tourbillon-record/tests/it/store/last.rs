//! The last run of each case.

use std::fs;

use tourbillon_record::store::{Last, Store};
use tourbillon_record::{Absence, CaseResult, Entry, Header, Metric};

use super::folder::Folder;
use super::samples::{LATER, START, case, header, result, store_run, store_times};

fn time(last: &Last, case: &str) -> Option<f64> {
    last.result(case, Metric::Time)
        .and_then(|(_, result)| result.estimate.ok())
}

fn last(store: &Store, cases: &[&str]) -> Last {
    store.last_with_cases("shop", "checkout", cases, &|_| true, LATER)
}

#[test]
fn each_case_is_found_in_its_own_last_run() {
    let folder = Folder::new("last-each");
    let store = Store::open(&*folder);
    store_times(&store, 1, &["a", "b", "c"]);
    store_times(&store, 2, &["a", "b"]);
    let newest = store_times(&store, 3, &["a"]);
    let last = last(&store, &["a", "b", "c", "d"]);
    let times = ["a", "b", "c", "d"].map(|case| time(&last, case));
    assert_eq!(times, [Some(3.0), Some(2.0), Some(1.0), None]);
    assert_eq!(last.found().len(), 3);
    assert_eq!(last.found()[0].path, newest);
    for (found, case) in last.found().iter().zip(["a", "b", "c"]) {
        let cases: Vec<_> = found.results.iter().map(|result| &result.case).collect();
        assert_eq!(cases, [case], "only what it is the last run of");
    }
    assert!(last.skipped.is_empty());
    let (header, _) = last.result("b", Metric::Time).unwrap();
    assert_eq!(header.started_unix_ns, START + 2_000_000_000);

    let one = store.last_with_cases("shop", "checkout", &["c"], &|_| true, LATER);
    assert_eq!(
        (one.found().len(), time(&one, "c"), time(&one, "a")),
        (1, Some(1.0), None)
    );
    assert_eq!(
        time(
            &store.last_with_cases("shop", "other", &["c"], &|_| true, LATER),
            "c"
        ),
        None
    );
}

#[test]
fn a_measured_run_is_the_last_one() {
    let folder = Folder::new("last-measured");
    let runs = folder.join("runs/examples/strings_and_maps");
    fs::create_dir_all(&runs).unwrap();
    let record = include_str!("../../golden/schema-2-measured.jsonl");
    fs::write(runs.join("20261123T015712.724504406Z-20121.jsonl"), record).unwrap();
    let case = "examples/strings_and_maps::format_number";
    let store = Store::open(&*folder);
    let last = store.last_with_cases("examples", "strings_and_maps", &[case], &|_| true, LATER);
    assert!(last.skipped.is_empty());
    assert_eq!(time(&last, case), Some(76.363_664_377_361_69));
    let (_, cycles) = last.result(case, Metric::Cycles).unwrap();
    assert_eq!(cycles.estimate, Ok(281.916_315_871_554_84));
}

#[test]
fn all_metrics_come_from_one_run() {
    let folder = Folder::new("last-metrics");
    let store = Store::open(&*folder);
    let both = |value| [Metric::Time, Metric::Cycles].map(|metric| result("a", metric, Ok(value)));
    store_run(&store, 1, &both(1.0));
    let [time, cycles] = both(2.0);
    store_run(
        &store,
        2,
        &[
            time,
            CaseResult {
                estimate: Err(Absence::Failed),
                ..cycles
            },
        ],
    );
    let last = last(&store, &["a"]);
    assert_eq!(last.found().len(), 1);
    assert_eq!(last.result("a", Metric::Time).unwrap().1.estimate, Ok(2.0));
    assert_eq!(
        last.result("a", Metric::Cycles).unwrap().1.estimate,
        Err(Absence::Failed)
    );
}

#[test]
fn runs_in_which_the_case_gave_nothing_are_skipped() {
    let folder = Folder::new("last-absent");
    let store = Store::open(&*folder);
    store_times(&store, 1, &["a"]);
    for (second, absence) in [(2, Absence::Failed), (3, Absence::NotReached)] {
        store_run(&store, second, &[result("a", Metric::Time, Err(absence))]);
    }
    assert_eq!(time(&last(&store, &["a"]), "a"), Some(1.0));
    store_run(
        &store,
        4,
        &[result("a", Metric::Time, Err(Absence::BelowResolution))],
    );
    let last = last(&store, &["a"]);
    let (_, found) = last.result("a", Metric::Time).unwrap();
    assert_eq!(found.estimate, Err(Absence::BelowResolution));
}

#[test]
fn only_runs_that_are_wanted_count() {
    let folder = Folder::new("last-own");
    let store = Store::open(&*folder);
    store_times(&store, 1, &["a"]);
    let mut writer = store.begin(&header(START + 2_000_000_000)).unwrap();
    writer
        .append(Entry::Result(&result("a", Metric::Time, Ok(2.0))))
        .unwrap();
    assert_eq!(
        time(&last(&store, &["a"]), "a"),
        Some(1.0),
        "it is still being written"
    );
    writer.finish(LATER).unwrap();
    let is_older = |header: &Header| header.started_unix_ns < START + 2_000_000_000;
    let found = store.last_with_cases("shop", "checkout", &["a"], &is_older, LATER);
    assert_eq!(time(&found, "a"), Some(1.0), "the newer one is not wanted");
    assert_eq!(time(&last(&store, &["a"]), "a"), Some(2.0));
}

#[test]
fn no_more_files_are_read_than_needed() {
    let folder = Folder::new("last-few");
    let store = Store::open(&*folder);
    let foreign = store_times(&store, 1, &["a"]);
    fs::write(foreign, "hello\n").unwrap();
    store_times(&store, 2, &["a"]);
    assert!(
        last(&store, &["a"]).skipped.is_empty(),
        "the older file was not opened"
    );
    assert_eq!(last(&store, &["a", "b"]).skipped.len(), 1);
}

#[test]
fn files_that_cannot_be_used_are_reported_and_cost_nothing_else() {
    let folder = Folder::new("last-skipped");
    let store = Store::open(&*folder);
    store_times(&store, 1, &["a"]);
    let foreign = store_times(&store, 2, &["a"]);
    fs::write(&foreign, "hello\n").unwrap();
    let newer = store_times(&store, 3, &["a"]);
    let text = fs::read_to_string(&newer).unwrap();
    fs::write(&newer, text.replace(r#""schema":2"#, r#""schema":3"#)).unwrap();
    let damaged = store_times(&store, 4, &["b"]);
    let text = fs::read_to_string(&damaged).unwrap();
    fs::write(&damaged, text.replace("}\n{", "}\n{{\n{")).unwrap();
    let binary = store_times(&store, 5, &["a"]);
    fs::write(&binary, b"\x89PNG\r\n\x1a\n\0\0").unwrap();
    let empty = store_times(&store, 6, &["a"]);
    fs::write(&empty, "").unwrap();

    let last = last(&store, &["a", "b"]);
    assert_eq!((time(&last, "a"), time(&last, "b")), (Some(1.0), Some(4.0)));
    let skipped: Vec<_> = last
        .skipped
        .iter()
        .map(|skipped| (&skipped.path, skipped.why.as_str()))
        .collect();
    assert_eq!(
        skipped,
        [
            (
                &binary,
                "not a run stored by tourbillon: its first line is not a header"
            ),
            (
                &damaged,
                "damaged lines skipped: 1, the first is line 2: not valid JSON, at byte 1"
            ),
            (
                &newer,
                "line 1: written in schema 3, this version reads schema 2; \
                 read it with the tourbillon that wrote it or a newer one"
            ),
            (
                &foreign,
                "not a run stored by tourbillon: its first line is not a header"
            ),
        ]
    );
}

/// Windows reports a folder below a file as missing.
#[test]
#[cfg(unix)]
fn what_cannot_even_be_listed_is_reported() {
    let folder = Folder::new("last-unlisted");
    fs::write(folder.join("runs"), "a file where a folder should be").unwrap();
    let store = Store::open(&*folder);
    let last = last(&store, &["a"]);
    assert!(last.found().is_empty());
    assert!(
        last.skipped[0].why.starts_with("cannot list the runs in"),
        "{}",
        last.skipped[0].why
    );
    assert!(store.runs("shop", "checkout", LATER).is_err());
}

#[test]
fn hostile_case_names_are_found() {
    let folder = Folder::new("last-hostile");
    let store = Store::open(&*folder);
    let long = "🦀".repeat(300);
    let names = [
        "a/../b",
        "\"\\\u{0}\n\u{1b}[2J",
        &long,
        "",
        " ",
        "CON",
        "con",
    ];
    let mut writer = store.begin(&header(START)).unwrap();
    for (name, value) in names.iter().zip(0..) {
        writer.append(case(name).entry()).unwrap();
        let result = result(name, Metric::Time, Ok(f64::from(value)));
        writer.append(Entry::Result(&result)).unwrap();
    }
    writer.finish(LATER).unwrap();
    let last = last(&store, &names);
    for (name, value) in names.iter().zip(0..) {
        assert_eq!(time(&last, name), Some(f64::from(value)), "{name:?}");
    }
}
