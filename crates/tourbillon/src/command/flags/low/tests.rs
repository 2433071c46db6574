use super::*;

fn parse(line: &str) -> Result<LowArgs, String> {
    LowArgs::parse(
        &line
            .split_whitespace()
            .map(OsString::from)
            .collect::<Vec<_>>(),
    )
    .map(|low| (*low).clone())
    .map_err(|usage| usage.to_string())
}

fn typed(line: &str) -> LowArgs {
    parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// A command line that gave these, with no processor or store.
fn given(flags: &[(Sets, &str, u64)]) -> LowArgs {
    let mut low = LowArgs::default();
    for (sets, typed, number) in flags {
        low.keep(*sets, typed, *number);
    }
    low
}

#[test]
fn every_flag_is_kept_with_its_value() {
    for (line, flags) in [
        ("", &[][..]),
        ("--bench", &[(Sets::Bench, "", 0)]),
        ("--test", &[(Sets::Test, "", 0)]),
        ("--list", &[(Sets::List, "", 0)]),
        ("--help", &[(Sets::Help, "", 0)]),
        ("-h", &[(Sets::Help, "", 0)]),
        ("--version", &[(Sets::Version, "", 0)]),
        ("-V", &[(Sets::Version, "", 0)]),
        ("--exact", &[(Sets::Exact, "", 0)]),
        (
            "--skip a --skip=b",
            &[(Sets::Skip, "a", 0), (Sets::Skip, "b", 0)],
        ),
        (
            "--tag slow --tag net",
            &[(Sets::Tag, "slow", 0), (Sets::Tag, "net", 0)],
        ),
        ("--ignored", &[(Sets::Ignored, "", 0)]),
        ("--include-ignored", &[(Sets::IncludeIgnored, "", 0)]),
        (
            "--launches 5 --launches 7",
            &[(Sets::Launches, "5", 5), (Sets::Launches, "7", 7)],
        ),
        (
            "--precision 1%",
            &[(Sets::Precision, "1%", 0.01_f64.to_bits())],
        ),
        ("--min-time 1ms", &[(Sets::MinTime, "1ms", 1_000_000)]),
        ("--max-time=1s", &[(Sets::MaxTime, "1s", 1_000_000_000)]),
        ("--min-iterations 9", &[(Sets::MinIterations, "9", 9)]),
        ("--timeout 1min", &[(Sets::Timeout, "1min", 60_000_000_000)]),
        ("--clock wall", &[(Sets::Clock, "wall", 0)]),
        ("--seed 9f3c21", &[(Sets::Seed, "9f3c21", 0x9f_3c21)]),
        ("--no-store", &[(Sets::NoStore, "", 0)]),
        (
            "--profile-time 5s",
            &[(Sets::ProfileTime, "5s", 5_000_000_000)],
        ),
        ("--save main", &[(Sets::Save, "main", 0)]),
        ("--against a::b", &[(Sets::Against, "a::b", 0)]),
        ("--baseline=main", &[(Sets::Baseline, "main", 0)]),
        ("--format jsonl", &[(Sets::Format, "jsonl", 1)]),
        ("--color never", &[(Sets::Color, "never", 2)]),
        ("--quiet", &[(Sets::Quiet, "", 0)]),
        ("-q", &[(Sets::Quiet, "", 0)]),
        ("--nocapture", &[(Sets::NoCapture, "", 0)]),
        ("--no-capture", &[(Sets::NoCapture, "", 0)]),
        ("--show-output", &[(Sets::Nothing, "", 0)]),
        ("--test-threads 4", &[(Sets::Count, "4", 4)]),
        ("--report-time", &[(Sets::Nothing, "", 0)]),
        (
            "--shuffle --shuffle-seed 3",
            &[(Sets::Nothing, "", 0), (Sets::Nothing, "3", 0)],
        ),
        (
            "-Z unstable-options",
            &[(Sets::Nothing, "unstable-options", 0)],
        ),
        (
            "-Zunstable-options",
            &[(Sets::Nothing, "unstable-options", 0)],
        ),
        (
            "-Z=unstable-options",
            &[(Sets::Nothing, "unstable-options", 0)],
        ),
        (
            "-qZ unstable-options",
            &[(Sets::Quiet, "", 0), (Sets::Nothing, "unstable-options", 0)],
        ),
        ("-qh", &[(Sets::Quiet, "", 0), (Sets::Help, "", 0)]),
        (
            "--skip=a=b --skip -c --skip --",
            &[
                (Sets::Skip, "a=b", 0),
                (Sets::Skip, "-c", 0),
                (Sets::Skip, "--", 0),
            ],
        ),
    ] {
        assert_eq!(typed(line), given(flags), "{line}");
    }
}

#[test]
fn filters_processors_and_the_store() {
    for (line, filters) in [
        ("sort heap", &["sort", "heap"][..]),
        ("-- --list", &["--list"]),
        ("-", &["-"]),
        ("-- -- -x", &["--", "-x"]),
    ] {
        let mut expected = LowArgs::default();
        for filter in filters {
            expected.keep(Sets::Filter, filter, 0);
        }
        assert_eq!(typed(line), expected, "{line}");
    }
    let expected = LowArgs {
        cpus: vec![0, 1],
        ..LowArgs::default()
    };
    assert_eq!(typed("--cpus 0,1"), expected);
    let expected = LowArgs {
        store: Some(PathBuf::from("somewhere")),
        ..given(&[(Sets::Store, "", 0)])
    };
    assert_eq!(typed("--store somewhere"), expected);
}

#[test]
fn what_is_given_last_holds() {
    let low = typed("--launches 5 --save a --skip x --launches 7 --save b --skip y");
    assert_eq!(low.number(Sets::Launches), Some(7));
    assert_eq!(low.text(Sets::Save).as_deref(), Some("b"));
    assert_eq!(low.texts(Sets::Skip), ["x", "y"]);
    assert!(low.has(Sets::Save) && !low.has(Sets::Baseline));
    assert_eq!(low.number(Sets::Seed), None);
}

#[test]
fn what_is_not_understood() {
    for (line, expected) in [
        (
            "--luanches 3",
            "unknown flag --luanches; did you mean --launches?",
        ),
        (
            "--save-baseline x",
            "unknown flag --save-baseline; --help lists the known ones",
        ),
        ("-x", "unknown flag -x; --help lists the known ones"),
        ("--launches", "--launches needs a value; write --launches N"),
        ("-qx", "unknown flag -x; --help lists the known ones"),
        ("-q=1", "unknown flag -=; --help lists the known ones"),
        ("-Z", "-Z needs a value; write -Z NAME"),
        ("--=1", "unknown flag --; --help lists the known ones"),
        ("--list=yes", "--list takes no value; write --list alone"),
        ("--launches 0", "--launches: \"0\" is too few; at least 1"),
        (
            "--max-time 2",
            "--max-time: \"2\" is no duration; write a number and one of ns, us, µs, ms, s, m, \
             min, h, such as \"1.5 s\"",
        ),
        (
            "--format xml",
            "--format: \"xml\" is not known; known are text, jsonl, csv, csv-semicolon, md, gnuplot, \
             terse, pretty",
        ),
        (
            "--store=",
            "--store: the path is empty; write the folder of the store",
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
fn a_filter_that_is_no_text() {
    use std::os::unix::ffi::OsStringExt;
    let error = LowArgs::parse(&[OsString::from_vec(vec![0xff])]).expect_err("no text");
    assert_eq!(
        error.to_string(),
        "\"\\xFF\" is not valid UTF-8; only a separate value may be not"
    );
    let value = vec![OsString::from("--save"), OsString::from_vec(vec![0xff])];
    let error = LowArgs::parse(&value).expect_err("no text");
    assert_eq!(error.to_string(), "--save: \"\\xFF\" is not valid UTF-8");
}
