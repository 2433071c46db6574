//! Command lines: what was typed, and what the program makes of it.

use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_record::{CaseOptions, Metric};
use tourbillon_report::{OptionalColumn, RowOrder};
use tourbillon_values::choices;

use super::environment::Environment;
use super::flag::Flag;
use super::flags::{all, find};
use super::foreign::foreign_flag;
use super::help::help;
use super::high::{HighArgs, ListFormat, Mode, StoreChoice};
use super::low::{Format, LowArgs};
use crate::platform::core_kinds::CpuChoice;
use crate::values::ColorChoice;

fn parse(line: &str) -> Result<LowArgs, String> {
    let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    LowArgs::parse(&arguments)
}

fn typed(line: &str) -> LowArgs {
    let low = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let given = Vec::new();
    LowArgs { given, ..low }
}

#[test]
fn values_are_kept() {
    let low = typed(
        "--launches 5 --launches 7 --precision 1% --min-time 1ms --max-time=1s --timeout 1min \
         --min-iterations 9 --clock cpu --cpus 0,2-3 --seed 9f3c21 --profile-time 5s --save main \
         --baseline=last --against a::b --format jsonl --color never --store somewhere \
         --columns mean,rank --sort time \
         --skip a --skip=b=c --skip -d --skip -- --tag slow sort -qZ unstable-options heap",
    );
    let expected = LowArgs {
        options: CaseOptions {
            launches: Some(7),
            min_time_ns: Some(1_000_000),
            max_time_ns: Some(1_000_000_000),
            min_iterations: Some(9),
            precision: Some(0.01),
            timeout_ns: Some(60_000_000_000),
            metric: Some(Metric::CpuTime),
            ..CaseOptions::default()
        },
        cpus: CpuChoice::List(vec![0, 2, 3]),
        seed: Some(0x9f_3c21),
        profile_time: Some(5_000_000_000),
        save: Some("main".to_owned()),
        baseline: Some("last".to_owned()),
        against: Some("a::b".to_owned()),
        format: Format::Jsonl,
        columns: choices("mean,rank", &OptionalColumn::WORDS).expect("two columns"),
        order: RowOrder::Time,
        color: ColorChoice::Never,
        store: Some(PathBuf::from("somewhere")),
        skip: ["a", "b=c", "-d", "--"].map(str::to_owned).to_vec(),
        tags: vec!["slow".to_owned()],
        filters: ["sort", "heap"].map(str::to_owned).to_vec(),
        quiet: true,
        ..LowArgs::default()
    };
    assert_eq!(low, expected);
    assert_eq!(typed("-- --list -x").filters, ["--list", "-x"]);
    assert_eq!(typed("-").filters, ["-"]);
    assert_eq!(typed("-Zunstable-options"), LowArgs::default());
}

#[test]
fn every_flag_of_the_help_is_known() {
    assert!(all().count() > 35);
    let mut plain = 0;
    for (name, value) in all().flat_map(|flag| flag.names().map(|name| (name, flag.value))) {
        let value = match value {
            "N" => "3",
            "P" => "1%",
            "T" => "1s",
            "CLOCK" => "cpu",
            "LIST" => "0",
            "NAMES" => "mean,sd",
            "COUNTERS" => "instructions",
            "ORDER" => "time",
            "SEED" => "f",
            "FORMAT" => "md",
            "WHEN" => "never",
            _ => value,
        };
        let low = typed(&format!("{name} {value}"));
        assert!(low.filters.is_empty(), "{name}");
        plain += usize::from(low == LowArgs::default());
    }
    // Those that are accepted without effect.
    assert_eq!(plain, 6);
}

#[test]
fn the_help_is_for_80_columns_and_names_the_program() {
    let help = help("sorting");
    assert!(help.contains("\nUsage: sorting [FLAGS]"), "{help}");
    for line in help.lines() {
        assert!(line.len() <= 80 && line.trim_end() == line, "{line}");
    }
}

#[test]
fn mistakes_say_what_to_write() {
    let columns = OptionalColumn::WORDS.map(|(name, _)| name).join(", ");
    for (line, expected) in [
        (
            "--luanches 3",
            "unknown flag --luanches; did you mean --launches?",
        ),
        (
            "--everything",
            "unknown flag --everything; --help lists the known ones",
        ),
        (
            "--save-baseline x",
            "--save-baseline is criterion's; here: --save",
        ),
        (
            "--time 1s",
            "--time is cargo tourbillon's; here: --max-time",
        ),
        ("-x", "unknown flag -x; --help lists the known ones"),
        ("-qx", "unknown flag -x; --help lists the known ones"),
        (
            "--max-time --bench",
            "--max-time needs a value; write --max-time T",
        ),
        ("--launches", "--launches needs a value; write --launches N"),
        (
            "--columns mean,average",
            &format!("--columns: \"average\" is not known; known are {columns}"),
        ),
        (
            "--sort size",
            "--sort: \"size\" is not known; known are source, time, name",
        ),
        ("-Z", "-Z needs a value; write -Z NAME"),
        ("-q=1", "-q takes no value; write -q alone"),
        ("--list=yes", "--list takes no value; write --list alone"),
        ("--launches 0", "--launches: \"0\" is too few; at least 1"),
        (
            "--launches 10001",
            "--launches: \"10001\" is too many; at most 10000",
        ),
        (
            "--max-time 2",
            "--max-time: \"2\" is not a duration; write a number and one of ns, us, µs, ms, s, m, \
             min, h, such as \"1.5 s\"",
        ),
        (
            "--precision 100%",
            "--precision: \"100%\" is not between 0 and 100 %; write 1% or 0.01",
        ),
        (
            "--format xml",
            "--format: \"xml\" is not known; known are text, jsonl, csv, csv-semicolon, md, \
             json, gnuplot, libtest, terse, pretty",
        ),
        (
            "--format jsn",
            "--format: \"jsn\" is not known; did you mean json?",
        ),
        (
            "--store=",
            "--store: the path is empty; write the folder of the store",
        ),
        (
            "--save=",
            "--save: the name is empty; write one such as main",
        ),
        (
            "--test-threads 0",
            "--test-threads: \"0\" is too few; at least 1",
        ),
    ] {
        assert_eq!(parse(line), Err(expected.to_owned()), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn texts_that_are_not_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(vec![0xff]);
    let error = LowArgs::parse(std::slice::from_ref(&odd)).expect_err("a filter");
    assert_eq!(error, "\"\\xFF\" is not valid UTF-8");
    let error = LowArgs::parse(&["--save".into(), odd.clone()]).expect_err("a name");
    assert_eq!(error, "--save: \"\\xFF\" is not valid UTF-8");
    let low = LowArgs::parse(&["--store".into(), odd.clone()]).expect("a path");
    assert_eq!(low.store, Some(PathBuf::from(odd)));
}

fn high_in(line: &str, environment: &Environment) -> Result<HighArgs, String> {
    let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    HighArgs::new(LowArgs::parse(&arguments)?, environment)
}

fn high(line: &str) -> HighArgs {
    high_in(line, &Environment::default()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn modes() {
    for (line, expected) in [
        ("", Mode::Test { terse: false }),
        ("--bench", Mode::Bench),
        ("--bench --test", Mode::Test { terse: false }),
        ("--test --format terse", Mode::Test { terse: true }),
        ("--list", Mode::List(ListFormat::Text)),
        ("--list --format jsonl", Mode::List(ListFormat::Jsonl)),
        (
            "--bench --list --format terse",
            Mode::List(ListFormat::Terse),
        ),
        (
            "--list --format terse --ignored",
            Mode::List(ListFormat::Terse),
        ),
        ("name --exact --nocapture", Mode::Test { terse: false }),
        ("--profile-time 2s", Mode::Profile { ns: 2_000_000_000 }),
        (
            "--bench --profile-time 2s",
            Mode::Profile { ns: 2_000_000_000 },
        ),
        ("--test --profile-time 2s", Mode::Test { terse: false }),
        ("--list --version", Mode::Version),
        ("--version --help", Mode::Help),
    ] {
        assert_eq!(high(line).mode, expected, "{line}");
    }
}

#[test]
fn contradictions() {
    for (line, part) in [
        ("--bench --format terse", "goes with --list or --test"),
        ("--list --format csv", "only terse and jsonl are allowed"),
        ("--format jsonl", "add --bench"),
        ("--test --format md", "add --bench"),
        ("--bench --save x --no-store", "contradict each other"),
        ("--ignored --include-ignored", "contradict each other"),
        ("--store x --no-store", "contradict each other"),
        ("--min-time 2s --max-time 1s", "exchange them"),
    ] {
        let error = high_in(line, &Environment::default()).expect_err(line);
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn flag_before_environment_before_default() {
    let environment = Environment {
        variable: |name| (name == "TOURBILLON_STORE").then(|| OsString::from("/environment")),
        ..Environment::default()
    };
    let at = |flag: Option<&str>, environment: Option<&str>| StoreChoice {
        keep: true,
        flag: flag.map(PathBuf::from),
        environment: environment.map(OsString::from),
    };
    assert_eq!(high("--bench").store, at(None, None));
    assert_eq!(
        high_in("", &environment).unwrap().store,
        at(None, Some("/environment"))
    );
    assert_eq!(
        high_in("--store /flag", &environment).unwrap().store,
        at(Some("/flag"), Some("/environment"))
    );
    assert_eq!(
        high_in("--no-store", &environment).unwrap().store,
        StoreChoice {
            keep: false,
            ..at(None, Some("/environment"))
        }
    );
}

#[test]
fn flag_before_attribute() {
    let case = CaseOptions {
        launches: Some(5),
        max_time_ns: Some(2_000_000_000),
        precision: Some(0.1),
        ..CaseOptions::default()
    };
    assert_eq!(high("").options_of(&case), case);
    let merged = high("--launches 9 --min-iterations 3").options_of(&case);
    assert_eq!(
        merged,
        CaseOptions {
            launches: Some(9),
            min_iterations: Some(3),
            ..case
        }
    );
}

#[test]
fn a_limit_of_the_command_line_moves_the_opposite_limit_of_a_case() {
    let case = CaseOptions {
        min_time_ns: Some(1_000_000_000),
        max_time_ns: Some(2_000_000_000),
        ..CaseOptions::default()
    };
    let more = high("--min-time 3s").options_of(&case);
    assert_eq!(more.min_time_ns, Some(3_000_000_000));
    assert_eq!(more.max_time_ns, Some(3_000_000_000));
    let less = high("--max-time 500ms").options_of(&case);
    assert_eq!(less.min_time_ns, Some(500_000_000));
    assert_eq!(less.max_time_ns, Some(500_000_000));
}

#[test]
fn text_and_progress_have_the_colours_of_where_they_go() {
    let terminal = Environment {
        stdout_is_terminal: true,
        stderr_is_terminal: true,
        ..Environment::default()
    };
    let piped = Environment {
        stdout_is_terminal: false,
        ..terminal.clone()
    };
    let with = |variable| Environment {
        variable,
        ..terminal.clone()
    };
    for (line, environment, expected) in [
        ("--bench", &Environment::default(), (false, false)),
        ("--bench", &terminal, (true, true)),
        ("--bench -q", &terminal, (true, false)),
        ("--bench", &piped, (false, true)),
        // Data goes through the pipe, text to stderr.
        ("--bench --format jsonl", &piped, (true, true)),
        ("--bench --format csv", &piped, (true, true)),
        ("--bench --color always", &piped, (true, true)),
        ("--bench --color never", &terminal, (false, true)),
        (
            "--bench",
            &with(|name| (name == "CI").then(|| OsString::from("true"))),
            (true, false),
        ),
        (
            "--bench",
            &with(|name| (name == "TERM").then(|| OsString::from("dumb"))),
            (false, false),
        ),
        (
            "--bench",
            &with(|name| (name == "NO_COLOR").then(|| OsString::from("1"))),
            (false, true),
        ),
    ] {
        let high = high_in(line, environment).expect(line);
        assert_eq!(
            (high.color, high.progress),
            expected,
            "{line} {environment:?}"
        );
    }
}

/// All flags of criterion 0.8.2 and divan 0.1.21, long and short, except those for test runners that
/// every harness takes.
const OF_CRITERION: &str = "--color -c --verbose -v --quiet --noplot -n --save-baseline -s \
    --discard-baseline --baseline -b --baseline-lenient --list --format --ignored --exact \
    --profile-time --load-baseline --sample-size --warm-up-time --measurement-time --nresamples \
    --noise-threshold --confidence-level --significance-level --quick --test --bench \
    --plotting-backend --output-format --nocapture --show-output --include-ignored --help -h \
    --version -V";
const OF_DIVAN: &str = "--test --list --color --skip --exact --ignored --include-ignored --sort \
    --sortr --timer --sample-count --sample-size --threads --min-time --max-time --skip-ext-time \
    --items-count --bytes-count --bytes-format --chars-count --cycles-count --format --bench \
    --nocapture --show-output --help -h --version -V";

#[test]
fn every_flag_of_criterion_and_divan_is_ours_or_has_a_hint() {
    for (whose, flags) in [("criterion's", OF_CRITERION), ("divan's", OF_DIVAN)] {
        for flag in flags.split_whitespace() {
            match foreign_flag(flag) {
                Some(hint) => assert!(hint.contains(whose), "{hint}"),
                None => assert!(find(flag).is_some(), "{flag} of {whose} has no hint"),
            }
        }
    }
}

#[test]
fn no_flag_of_ours_has_a_hint() {
    for flag in all().flat_map(Flag::names) {
        assert_eq!(foreign_flag(flag), None, "{flag}");
    }
}

#[test]
fn a_hint_names_the_harness_and_the_flag() {
    assert_eq!(
        foreign_flag("--measurement-time").as_deref(),
        Some("--measurement-time is criterion's; here: --max-time")
    );
    assert_eq!(foreign_flag("--luanches"), None);
}
