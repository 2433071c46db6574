//! Modes that do not measure.

use tourbillon_coordinator::runner::{LockChoice, MachineLock};
use tourbillon_record::{FactValue, Line, WORKER_ARGUMENT};

use crate::suite::{FAULTS, FORMS, Folder, LIBRARY, OWN_MAIN, PLAIN, run, with};

const LIST: &str = "fib 10: benchmark
fib 12: benchmark
sum/iter/10: benchmark
sum/10: benchmark
sum/iter/1000: benchmark
sum/1000: benchmark
text/concat: benchmark
text/concat #2: benchmark
fib 10 #2: benchmark
fib 12 #2: benchmark
by hand: benchmark
";

#[test]
fn the_list_has_the_ids_of_criterion() {
    for arguments in [
        "--list",
        "--list --format terse",
        "--bench --list --nocapture",
    ] {
        let ended = run(PLAIN, arguments);
        assert_eq!(
            (ended.stdout.as_str(), ended.code),
            (LIST, Some(0)),
            "{ended:?}"
        );
    }
    // What `cargo tourbillon compare` asks for.
    let records = run(PLAIN, "--bench --list --format jsonl").stdout;
    let ids = records.lines().map(|line| match Line::decode(line) {
        Ok(Line::Case(case)) => format!("{}: benchmark\n", case.id),
        other => panic!("{other:?}"),
    });
    assert_eq!(ids.collect::<String>(), LIST);
    // What runners of tests ask for after it.
    assert_eq!(run(PLAIN, "--list --format terse --ignored").stdout, "");
}

#[test]
fn a_suite_knows_how_it_was_compiled() {
    let shown = run(PLAIN, "--bench --show-config --format jsonl").stdout;
    let Ok(Line::Header(header)) = Line::decode(shown.trim_end()) else {
        panic!("{shown}");
    };
    for name in ["opt_level", "lto", "codegen_units", "target_cpu"] {
        assert!(header.fact_text(name).is_some(), "{name} {shown}");
    }
    for name in ["features", "rustflags"] {
        let fact = header.fact(name);
        assert!(matches!(fact, Some(FactValue::List(_))), "{fact:?}");
    }
}

#[test]
fn the_list_calls_no_benchmark() {
    // Each of them would end the process, or fail.
    let listed = run(FAULTS, "--list panics|exits|aborts|iter");
    let expected = "panics: benchmark\nexits: benchmark\naborts: benchmark\n\
                    no iter: benchmark\npanics in set-up: benchmark\n";
    assert_eq!(listed.stdout, expected, "{listed:?}");
    assert!(!listed.stderr.contains("broken"), "{listed:?}");
}

#[test]
fn a_suite_waits_for_what_measures() {
    let folder = Folder::new();
    let choice = LockChoice::new(Some(folder.0.clone().into()), false);
    let now = || "noon".to_owned();
    let lock = MachineLock::acquire(&choice, "a test", now, &mut |note| panic!("{note}"));
    let _lock = lock.expect("free").expect("a lock");
    let environment = [("TOURBILLON_LOCK", folder.0.as_path())];
    let ended = with(PLAIN, ["--bench", "--no-wait"], &environment);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    let expected = "error: not measured beside a test (process ";
    assert!(ended.stderr.contains(expected), "{ended:?}");
    assert_eq!(with(PLAIN, ["--list"], &environment).code, Some(0));
}

#[test]
fn a_suite_can_be_told_from_other_programs() {
    for program in [PLAIN, OWN_MAIN] {
        let bytes = std::fs::read(program).expect("the program");
        let mark = WORKER_ARGUMENT.as_bytes();
        assert!(
            bytes.windows(mark.len()).any(|part| part == mark),
            "{program}"
        );
    }
}

#[test]
fn filters_are_expressions_or_whole_ids() {
    for (arguments, expected) in [
        (
            &["concat"][..],
            "text/concat: benchmark\ntext/concat #2: benchmark\n",
        ),
        (
            &["^sum/.*0$"],
            "sum/iter/10: benchmark\nsum/10: benchmark\nsum/iter/1000: benchmark\nsum/1000: benchmark\n",
        ),
        (
            &["hand", "sum/10$"],
            "sum/10: benchmark\nby hand: benchmark\n",
        ),
        (&["--exact", "sum/10"], "sum/10: benchmark\n"),
        (
            &["--exact", "text/concat #2"],
            "text/concat #2: benchmark\n",
        ),
        (&["nothing"], ""),
    ] {
        let ended = with(PLAIN, ["--list"].iter().chain(arguments).copied(), &[]);
        assert_eq!(ended.stdout, expected, "{arguments:?}");
    }
    let ended = run(PLAIN, "--list (");
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains("is not a regular expression"),
        "{ended:?}"
    );
}

#[test]
fn shards_divide_what_the_filters_select() {
    for (method, count) in [("hash", 3), ("slice", 4)] {
        let shards = (1..=count).map(|shard| {
            let ended = run(
                PLAIN,
                &format!("--list --partition {method}:{shard}/{count}"),
            );
            assert_eq!(ended.code, Some(0), "{ended:?}");
            ended.stdout
        });
        let shards: Vec<String> = shards.collect();
        let mut here: Vec<&str> = shards.iter().flat_map(|shard| shard.lines()).collect();
        let mut all: Vec<&str> = LIST.lines().collect();
        here.sort_unstable();
        all.sort_unstable();
        assert_eq!(here, all, "{method}");
    }
    // What is measured is what is listed; a shard without cases has a record, too.
    for (shard, expected) in [(2, &["text/concat #2"][..]), (3, &[])] {
        let flags = "--bench --no-store --launches 1 --max-time 5ms --format jsonl";
        let ended = run(
            PLAIN,
            &format!("{flags} --partition slice:{shard}/3 concat"),
        );
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let (mut ids, mut cases) = (Vec::new(), 0);
        for line in ended.stdout.lines() {
            match Line::decode(line) {
                Ok(Line::Case(case)) => ids.push(case.id),
                Ok(Line::Header(header)) => cases = header.shard.expect("a shard").cases,
                _ => {}
            }
        }
        assert_eq!(ids, expected, "{shard}");
        assert_eq!(cases, 2);
    }
}

#[test]
fn test_mode_runs_every_form_once() {
    for program in [PLAIN, FORMS, OWN_MAIN] {
        let list = run(program, "--list").stdout;
        let listed = list
            .lines()
            .filter(|line| line.ends_with(": benchmark"))
            .count();
        for arguments in ["--test", ""] {
            let ended = run(program, arguments);
            assert_eq!(ended.code, Some(0), "{ended:?}");
            let passed = ended.stdout.lines().filter(|line| *line == "Success");
            assert_eq!(passed.count(), listed, "{program}");
        }
    }
}

#[test]
fn a_test_that_fails_does_not_stop_the_others() {
    let ended = run(FAULTS, "--test before|after|panics|later");
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let words: Vec<&str> = ended
        .stdout
        .lines()
        .filter(|line| ["Success", "FAILED"].contains(line))
        .collect();
    assert_eq!(
        words,
        [
            "Success", "FAILED", "FAILED", "Success", "Success", "Success"
        ]
    );
    assert!(ended.stderr.contains("the body is broken"), "{ended:?}");
    assert!(
        ended
            .stderr
            .contains("prelude failed outside of its benchmarks"),
        "{ended:?}"
    );
}

#[test]
fn a_profiler_is_called_around_a_benchmark() {
    let home = Folder::new();
    let arguments = [
        "--bench",
        "--profile-time",
        "0.01",
        "--exact",
        "arguments/id/p",
    ];
    let ended = with(FORMS, arguments, &[("CRITERION_HOME", &home.0)]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let folder = home
        .0
        .join("arguments")
        .join("id")
        .join("p")
        .join("profile");
    let begun = format!("profiling arguments/id/p in {}\n", folder.display());
    let order = [begun.as_str(), " iterations\n", "profiled arguments/id/p\n"];
    let places = order.map(|part| ended.stderr.find(part).expect(part));
    assert!(places[0] < places[2], "{ended:?}");
}

#[test]
fn a_program_that_is_no_bench_program_measures_at_once() {
    let home = Folder::new();
    let arguments = "with --arguments of its own".split(' ');
    let ended = with(LIBRARY, arguments, &[("CRITERION_HOME", &home.0)]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert!(lines[0].starts_with("counted: "), "{ended:?}");
    assert!(lines[0].contains("this process"), "{ended:?}");
    assert_eq!(lines[1], "called");
    for folder in ["new", "base"] {
        let folder = home.0.join("counted").join(folder);
        assert!(folder.join("estimates.json").exists(), "{ended:?}");
    }
}

#[test]
fn a_variable_keeps_a_suite_in_its_process() {
    let home = Folder::new();
    let here = [
        ("TOURBILLON_CRITERION", "inprocess".as_ref()),
        ("CRITERION_HOME", home.0.as_path()),
    ];
    let ended = with(OWN_MAIN, ["--bench", "--save-baseline", "main"], &here);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(
        (lines[0], lines[lines.len() - 1]),
        ("main begins", "main ends"),
        "{ended:?}"
    );
    for folder in ["add", "group/count"] {
        for file in ["new/sample.json", "main/estimates.json"] {
            assert!(home.0.join(folder).join(file).exists(), "{ended:?}");
        }
    }
    assert!(home.0.join("report/index.html").exists(), "{ended:?}");
    for name in ["add ", "group/count "] {
        let is_it = |line: &&str| line.starts_with(name) && line.contains(" time:   ");
        assert_eq!(
            lines.iter().filter(|line| is_it(line)).count(),
            1,
            "{ended:?}"
        );
    }
}

#[test]
fn flags_are_those_of_criterion_and_of_tourbillon() {
    let help = run(PLAIN, "--help").stdout;
    assert!(
        help.contains("--launches") && help.contains("--save-baseline"),
        "{help}"
    );
    let accepted = "--list --noplot -n --plotting-backend gnuplot --sample-size 50 --nresamples 1000 \
                    --noise-threshold 0.1 --confidence-level 0.9 --significance-level 0.1 \
                    --warm-up-time 0.5 --measurement-time 2 -c never --colour never --quick \
                    --discard-baseline --verbose --include-ignored --show-output";
    let ended = run(PLAIN, accepted);
    assert_eq!(
        (ended.stdout.as_str(), ended.code),
        (LIST, Some(0)),
        "{ended:?}"
    );
    for wrong in [
        "--warm-up-time never",
        "--sample-size",
        "--measurement-time 0",
        "--unheard-of",
    ] {
        assert_eq!(run(PLAIN, wrong).code, Some(1), "{wrong}");
    }
}
