use super::*;

fn high_in(line: &str, environment: &Environment) -> Result<HighArgs, String> {
    let low = LowArgs::parse(
        &line
            .split_whitespace()
            .map(OsString::from)
            .collect::<Vec<_>>(),
    );
    low.and_then(|low| HighArgs::new(&low, environment))
        .map_err(|usage| usage.to_string())
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
        ("--list", Mode::List { terse: false }),
        ("--bench --list --format terse", Mode::List { terse: true }),
        (
            "--list --format terse --ignored",
            Mode::List { terse: true },
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
        ("--list --format jsonl", "does not go with --list"),
        ("--list --format csv", "does not go with --list"),
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
        store: Some(OsString::from("/environment")),
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
fn colours() {
    let terminal = Environment {
        stdout_is_terminal: true,
        stderr_is_terminal: true,
        ..Default::default()
    };
    let piped = Environment {
        stdout_is_terminal: false,
        ..terminal.clone()
    };
    let cases = [
        ("--bench", Environment::default(), false),
        ("--bench", terminal.clone(), true),
        ("--bench", piped.clone(), false),
        // Data goes through the pipe, people read stderr.
        ("--bench --format jsonl", piped.clone(), true),
        ("--bench --format csv", piped.clone(), true),
        (
            "--bench",
            Environment {
                no_color: true,
                ..terminal.clone()
            },
            false,
        ),
        (
            "--bench",
            Environment {
                dumb: true,
                ..terminal.clone()
            },
            false,
        ),
        (
            "--bench",
            Environment {
                force_color: true,
                ..piped.clone()
            },
            true,
        ),
        (
            "--bench",
            Environment {
                force_color: true,
                no_color: true,
                ..piped.clone()
            },
            false,
        ),
        (
            "--bench --color never",
            Environment {
                force_color: true,
                ..terminal.clone()
            },
            false,
        ),
        (
            "--bench --color always",
            Environment {
                no_color: true,
                ..piped
            },
            true,
        ),
    ];
    for (line, environment, expected) in cases {
        let found = high_in(line, &environment).unwrap().color;
        assert_eq!(found, expected, "{line} {environment:?}");
    }
}

#[test]
fn progress_is_for_people_who_watch() {
    let terminal = Environment {
        stderr_is_terminal: true,
        ..Default::default()
    };
    for (line, environment, expected) in [
        ("--bench", terminal.clone(), true),
        ("--bench -q", terminal.clone(), false),
        (
            "--bench",
            Environment {
                ci: true,
                ..terminal.clone()
            },
            false,
        ),
        (
            "--bench",
            Environment {
                dumb: true,
                ..terminal
            },
            false,
        ),
        ("--bench", Environment::default(), false),
    ] {
        let found = high_in(line, &environment).unwrap().progress;
        assert_eq!(found, expected, "{line} {environment:?}");
    }
}
