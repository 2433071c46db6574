//! What real suites rely on, besides the forms of the API.

use std::collections::BTreeSet;
use std::fs;

use criterion::Criterion;
use tourbillon_record::FaultKind;

use crate::suite::{CHECKS, Folder, OWN_MAIN, TRAPS, measure, run};

#[test]
fn benchmarks_are_found_by_their_names_in_any_order() {
    let stored = measure(TRAPS, &["^unordered"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    for name in ["one", "two", "three"] {
        stored.launches(&format!("unordered/{name}"));
    }
}

#[test]
fn processes_have_the_arguments_of_the_suite_whatever_their_folder() {
    let notes = Folder::new();
    let stored = measure(TRAPS, &["^elsewhere"], &[("SUITE_NOTES", &notes.0)]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let processes = stored.processes(&["elsewhere"]);
    assert_eq!(notes.count("arguments"), 1 + processes);
}

/// Runners of tests read each line of the list as a benchmark.
#[test]
fn what_a_suite_prints_is_not_in_its_list() {
    let listed = run(TRAPS, "--list elsewhere");
    assert_eq!(listed.stdout, "elsewhere: benchmark\n", "{listed:?}");
    assert!(listed.stderr.contains("elsewhere begins\n"), "{listed:?}");
}

#[test]
fn settings_apply_to_what_follows_and_flags_to_every_criterion() {
    let stored = measure(TRAPS, &["^late", "^own"], &[]);
    assert_eq!(
        stored.ids(),
        ["own criterion", "late/throughput", "late/next"]
    );
    let throughput = |id: &str| stored.launches(id)[0].throughput.map(|of| of.per_op);
    assert_eq!(throughput("late/throughput"), None);
    assert_eq!(throughput("late/next"), Some(7));
    let filtered = run(TRAPS, "--list late");
    assert!(!filtered.stdout.contains("own criterion"), "{filtered:?}");
}

#[test]
fn closures_are_measured_as_criterion_calls_them() {
    let stored = measure(TRAPS, &["^closures"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    // What the first iteration makes is no sample.
    let lazy = stored.result("closures/lazy");
    let most = lazy
        .estimate
        .ok()
        .or(lazy.upper)
        .expect("a figure or a bound");
    assert!(most < 1e6, "{lazy:?}");
    let first_call = lazy.first_call.expect("a first call");
    assert!(first_call > 1e8, "{lazy:?}");
    for (id, drop_inside) in [("closures/drops", true), ("closures/drops later", false)] {
        assert_eq!(stored.launches(id)[0].drop_inside, drop_inside, "{id}");
    }
    let asked = stored
        .result("closures/asked")
        .estimate
        .expect("an estimate");
    assert!((asked - 100.0).abs() < 0.1, "{asked}");
}

#[test]
fn repeated_names_have_results_of_their_own() {
    let stored = measure(TRAPS, &["^repeated"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let ids = ["repeated", "repeated #2", "repeated #2 #2"];
    assert_eq!(stored.ids(), ids);
    for (id, ns) in ids.into_iter().zip([100.0, 200.0, 300.0]) {
        let found = stored.result(id).estimate.expect("an estimate");
        assert!((found - ns).abs() < 0.1, "{id}: {found}");
    }
}

#[test]
fn a_test_asks_for_one_iteration() {
    let ended = run(TRAPS, "--test closures/asked");
    assert_eq!(ended.stderr, "asked for 1\n", "{ended:?}");
}

#[test]
fn processes_measure_their_own_data_and_the_last_call_counts() {
    let stored = measure(TRAPS, &["^counted"], &[]);
    assert_eq!(stored.ended.code, Some(0), "{stored:?}");
    let per_iteration = |id: &str| -> Vec<(u32, f64)> {
        let launches = stored.launches(id).into_iter();
        let of_launch = |launch: &tourbillon_record::LaunchSamples| {
            let measured = launch.measured.as_ref().expect("amounts");
            let iterations = launch.batch_shape.iterations() as f64;
            let mut batches = launch.batches.kind.iter().zip(&measured.amounts);
            let (kind, amount) = batches.find(|(kind, _)| **kind > 0).expect("a batch");
            (launch.pid, amount / iterations / f64::from(*kind))
        };
        launches.map(of_launch).collect()
    };
    let own: BTreeSet<u32> = per_iteration("counted/of the process")
        .into_iter()
        .map(|(pid, amount)| {
            assert_eq!(amount, f64::from(pid));
            pid
        })
        .collect();
    assert_eq!(own.len(), stored.launches("counted/of the process").len());
    for (_, amount) in per_iteration("counted/the last call") {
        assert_eq!(amount, 4_000.0);
    }
    // Its formatter decides about the units.
    let same = |shown: &str| format!("[{shown} {shown} {shown}]\n");
    for (title, shown) in [
        ("time:   ", "4.0000 kilocounts"),
        ("thrpt:  ", "500.00 counts/byte"),
    ] {
        let line = title.to_owned() + &same(shown);
        assert!(stored.ended.stdout.contains(&line), "{line} {stored:?}");
    }
    let table = &stored.ended.stderr;
    let row = table.lines().find(|line| line.contains("the last call"));
    let row: Vec<&str> = row.expect(table).split_whitespace().collect();
    let row = row.join(" ");
    assert!(
        row.contains(" 4 kilocounts ") && row.contains(" 500.0 counts/byte"),
        "{table}"
    );
}

#[test]
fn a_suite_that_checks_what_ran_is_rehearsed() {
    let stored = measure(CHECKS, &[], &[]);
    // The target with one name twice fails.
    assert_eq!(stored.ended.code, Some(3), "{stored:?}");
    let expected = [
        "counted",
        "after the check",
        "twice/same",
        "in a later target",
    ];
    assert_eq!(stored.ids(), expected);
    for id in expected {
        stored.launches(id);
    }
    let stderr = &stored.ended.stderr;
    assert!(
        stderr.contains("Benchmark IDs must be unique within a group"),
        "{stderr}"
    );
    assert!(!stderr.contains("did not run; "), "{stderr}");
    assert!(
        stored
            .run
            .faults
            .iter()
            .all(|fault| fault.kind != FaultKind::UnknownCase)
    );
}

#[test]
fn a_main_goes_on_after_its_summary() {
    let stored = measure(OWN_MAIN, &["add"], &[]);
    let ended = &stored.ended;
    assert_eq!(
        ended.stdout.matches("main begins\n").count(),
        1,
        "{ended:?}"
    );
    assert_eq!(ended.stderr.matches("main ends\n").count(), 1, "{ended:?}");
}

#[test]
fn a_unit_test_measures_on_its_thread() {
    let files = Folder::new();
    let mut calls = 0_u64;
    Criterion::default()
        .output_directory(&files.0)
        .bench_function("in a test", |b| {
            b.iter(|| {
                calls += 1;
                (0..1_000_u64).map(criterion::black_box).sum::<u64>()
            })
        });
    assert!(calls > 0);
    let folder = files.0.join("in a test");
    assert!(fs::exists(folder.join("new/estimates.json")).expect("a folder"));
}
