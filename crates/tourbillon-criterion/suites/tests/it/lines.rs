//! Lines that other programs read. Saved results stand for runs, so that they are the same in every test.

use std::fs;

use tourbillon_record::{
    Absence, CaseResult, ClockFacts, Entry, Fact, FactValue, Header, Scope, Throughput,
    ThroughputUnit,
};

use crate::suite::{Ended, Folder, PLAIN, with};

/// Saves a result of a benchmark of `PLAIN`.
fn save(home: &Folder, name: &str, case: &str, result: CaseResult) {
    save_of_build(home, name, case, result, Vec::new());
}

/// Saves one of a program with these facts.
fn save_of_build(home: &Folder, name: &str, case: &str, result: CaseResult, facts: Vec<Fact>) {
    let header = Header {
        facts,
        clock: ClockFacts {
            hz_numerator: 1_000_000_000,
            hz_denominator: 1,
            ..ClockFacts::default()
        },
        ..Header::default()
    };
    let result = CaseResult {
        case: case.to_owned(),
        scope: Scope::Processes,
        confidence: Some(0.992_2),
        launches: 20,
        stddev: Some(3.0),
        ..result
    };
    let folder = home.0.join(case).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let entries = [Entry::Header(&header), Entry::Result(&result)];
    let text: String = entries.iter().map(|entry| entry.encode() + "\n").collect();
    fs::write(folder.join("tourbillon.jsonl"), text).expect("a file");
}

fn times(estimate: f64, half_width: f64) -> CaseResult {
    CaseResult {
        estimate: Ok(estimate),
        lower: Some(estimate - half_width),
        upper: Some(estimate + half_width),
        ..CaseResult::default()
    }
}

/// Prints saved results of `now`, compared with those of `then`.
fn load(home: &Folder, arguments: &[&str]) -> Ended {
    let flags = ["--bench", "--load-baseline", "now", "--baseline", "then"];
    let arguments = flags.iter().chain(arguments).copied();
    with(PLAIN, arguments, &[("CRITERION_HOME", &home.0)])
}

/// Results of two benchmarks of a group, and of one without.
fn saved() -> Folder {
    let home = Folder::new();
    for (case, then, now) in [
        ("sum/10", times(100.0, 1.0), times(120.0, 1.0)),
        ("sum/iter/10", times(100.0, 1.0), times(100.0, 1.0)),
        ("by hand", times(2e6, 1e3), times(1e6, 1e3)),
    ] {
        save(&home, "then", case, then);
        save(&home, "now", case, now);
    }
    home
}

const FILTER: &str = "^sum/(iter/)?10$|hand";

#[test]
fn a_pipe_gets_the_lines_of_criterion() {
    let ended = load(&saved(), &[FILTER]);
    let expected = "\
sum/iter/10             time:   [99.000 ns 100.00 ns 101.00 ns]
                        thrpt:  [99.010 Melem/s 100.00 Melem/s 101.01 Melem/s]
                 change:
                        time:   [\u{2212}1.9802% +0.0000% +2.0202%] (p > 0.015)
                        thrpt:  [\u{2212}1.9802% +0.0000% +2.0202%]
                        No change in performance detected.
sum/10                  time:   [119.00 ns 120.00 ns 121.00 ns]
                        thrpt:  [82.645 Melem/s 83.333 Melem/s 84.034 Melem/s]
                 change:
                        time:   [+17.822% +20.000% +22.222%] (p < 0.02)
                        thrpt:  [\u{2212}18.182% \u{2212}16.667% \u{2212}15.126%]
                        Performance has regressed.

by hand                 time:   [999.00 µs 1.0000 ms 1.0010 ms]
                        change: [\u{2212}50.075% \u{2212}50.000% \u{2212}49.925%] (p < 0.02)
                        Performance has improved.

";
    assert_eq!(
        (ended.stdout.as_str(), ended.code),
        (expected, Some(0)),
        "{ended:?}"
    );
}

#[test]
fn results_of_unequal_builds_are_not_compared() {
    let home = Folder::new();
    for (name, level) in [("then", "3"), ("now", "1")] {
        let level = Fact {
            name: "opt_level".to_owned(),
            value: FactValue::Text(level.to_owned()),
        };
        save_of_build(&home, name, "sum/10", times(100.0, 1.0), vec![level]);
    }
    let why = "that was built otherwise: opt_level 3, now 1";
    let lines = load(&home, &["--exact", "sum/10"]);
    assert!(lines.stdout.contains(why), "{lines:?}");
    let table = load(&home, &["--exact", "sum/10", "--format", "text"]);
    let text = table.stderr.split_whitespace().collect::<Vec<_>>();
    assert!(text.join(" ").contains(why), "{table:?}");
}

#[test]
fn an_iteration_that_processes_more_has_a_verdict_on_its_rate() {
    let home = Folder::new();
    let of = |per_op, time| CaseResult {
        throughput: Some(Throughput {
            unit: ThroughputUnit::Items,
            per_op,
        }),
        ..times(time, 1.0)
    };
    save(&home, "then", "sum/10", of(5, 100.0));
    save(&home, "now", "sum/10", of(10, 120.0));
    let ended = load(&home, &["--exact", "sum/10"]);
    let expected = "                        time:   [+17.822% +20.000% +22.222%] (p < 0.02)
                        thrpt:  [+63.636% +66.667% +69.748%]
                        Performance has improved.
                        The verdict is on the rate: an iteration processes 10 elements, before 5 elements.
";
    assert!(ended.stdout.contains(expected), "{ended:?}");
    let table = load(&home, &["--exact", "sum/10", "--format", "text"]);
    let note = "note: sum/10: an iteration processes 10 elements, before 5 elements";
    assert!(table.stderr.contains(note), "{table:?}");
}

#[test]
fn a_threshold_hides_small_changes() {
    let ended = load(&saved(), &["--exact", "sum/10", "--noise-threshold", "0.2"]);
    assert!(
        ended.stdout.contains("Change within noise threshold.\n"),
        "{ended:?}"
    );
    let quiet = load(&saved(), &["--exact", "sum/10", "--quiet"]);
    assert_eq!(quiet.stdout.lines().count(), 3, "{quiet:?}");
}

#[test]
fn lines_may_be_those_of_bencher() {
    let ended = load(&saved(), &[FILTER, "--output-format", "bencher"]);
    let expected = "\
test sum/iter/10 ... bench:         100.00 ns/iter (+/- 3.00)
test sum/10 ... bench:         120.00 ns/iter (+/- 3.00)

test by hand ... bench:   1,000,000.00 ns/iter (+/- 3.00)

";
    assert_eq!(
        (ended.stdout.as_str(), ended.code),
        (expected, Some(0)),
        "{ended:?}"
    );
}

#[test]
fn another_format_takes_the_place_of_lines() {
    for (format, first) in [
        ("text", "by hand"),
        ("csv", "case,"),
        ("jsonl", "\"case\":\"by hand\""),
    ] {
        let ended = load(&saved(), &[FILTER, "--format", format]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stdout.contains(first), "{ended:?}");
        assert!(!ended.stdout.contains("thrpt:"), "{ended:?}");
    }
}

#[test]
fn results_that_do_not_exist_are_named() {
    let home = saved();
    save(&home, "now", "sum/1000", times(1.0, 0.1));
    let filter = "^sum/(iter/)?10";
    let ended = load(&home, &[filter]);
    let expected = "error: baseline then has no results of sum/iter/1000 and of 1 more (saved are now, then); save \
                    them with --save-baseline then, or compare where there are results with --baseline-lenient then\n";
    assert_eq!(
        (ended.stderr.as_str(), ended.code),
        (expected, Some(1)),
        "{ended:?}"
    );
    let lenient = [
        "--bench",
        "--load-baseline",
        "now",
        "--baseline-lenient",
        "then",
    ];
    let lenient = |filter| {
        let arguments = lenient.into_iter().chain([filter]);
        with(PLAIN, arguments, &[("CRITERION_HOME", &home.0)])
    };
    let ended = lenient("^sum/1000$");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.stdout.contains("change"), "{ended:?}");
    let ended = lenient(filter);
    let expected =
        "error: baseline now has no results of sum/iter/1000; save them with --save-baseline now\n";
    assert_eq!(
        (ended.stderr.as_str(), ended.code),
        (expected, Some(1)),
        "{ended:?}"
    );
}

#[test]
fn the_last_run_has_a_name_that_is_loaded_and_not_saved() {
    let home = saved();
    save(&home, "new", "sum/10", times(130.0, 1.0));
    let flags = "--bench --load-baseline new --baseline then --exact sum/10";
    let ended = with(PLAIN, flags.split(' '), &[("CRITERION_HOME", &home.0)]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("130.00 ns"), "{ended:?}");
    let flags = "--bench --save-baseline new";
    let ended = with(PLAIN, flags.split(' '), &[("CRITERION_HOME", &home.0)]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended.stderr.contains("is the folder of the last run"),
        "{ended:?}"
    );
}

#[test]
fn a_name_may_be_that_of_a_branch() {
    let home = saved();
    save(&home, "feature/faster", "by hand", times(1e6, 1e3));
    let flags = "--bench --load-baseline feature/faster --baseline then --exact";
    let arguments = flags.split_whitespace().chain(["by hand"]);
    let ended = with(PLAIN, arguments, &[("CRITERION_HOME", &home.0)]);
    assert!(
        ended.stdout.contains("Performance has improved.\n"),
        "{ended:?}"
    );
}

#[test]
fn what_was_not_measured_has_no_time() {
    let home = saved();
    let hidden = CaseResult {
        estimate: Err(Absence::BelowResolution),
        upper: Some(0.4),
        ..CaseResult::default()
    };
    save(&home, "now", "by hand", hidden);
    let ended = load(&home, &["--exact", "by hand"]);
    let expected = "by hand                 time:   < 400.00 ps (below the resolution)\n\n";
    assert_eq!(ended.stdout, expected);
    let bencher = load(&home, &["--exact", "by hand", "--output-format", "bencher"]);
    assert_eq!(bencher.stdout.trim(), "");
}

#[test]
fn flags_that_have_no_effect_are_named_once() {
    let flags = "--nresamples 1000 --sample-size 10 --confidence-level 0.9 --significance-level 0.1 \
                 --plotting-backend gnuplot --nresamples 2000";
    let arguments: Vec<&str> = ["--exact", "by hand"]
        .into_iter()
        .chain(flags.split_whitespace())
        .collect();
    let ended = load(&saved(), &arguments);
    let named: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.contains("has no effect"))
        .collect();
    assert_eq!((named.len(), ended.code), (5, Some(0)), "{ended:?}");
    // The group of this benchmark calls a method.
    let methods = "note: methods of the suite without effect: sample_size\n";
    assert_eq!(ended.stderr.matches(methods).count(), 1, "{ended:?}");
    let quiet: Vec<&str> = arguments.into_iter().chain(["--quiet"]).collect();
    assert_eq!(load(&saved(), &quiet).stderr, "");
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    for arguments in [
        "--discard-baseline --baseline main",
        "--discard-baseline --save-baseline main",
        "--load-baseline main",
        "--output-format bencher --format jsonl",
        "--output-format json",
        "--save-baseline ../b",
        "--save-baseline /b",
        "--save-baseline report",
        "--baseline new",
        "--sample-size 9",
        "--confidence-level 1",
        "--noise-threshold -1",
    ] {
        let arguments = ["--bench"].into_iter().chain(arguments.split_whitespace());
        let ended = with(PLAIN, arguments, &[]);
        assert_eq!(
            (ended.stdout.as_str(), ended.code),
            ("", Some(1)),
            "{ended:?}"
        );
    }
}
