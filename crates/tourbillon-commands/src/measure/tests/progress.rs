//! Progress while commands run.

use super::*;

/// The lines of commands, each of so many seconds, with a preparation of five.
fn said(seconds: f64, limits: &Limits) -> Vec<String> {
    prepared(5.0, seconds, limits)
}

/// The same with a preparation of so many seconds.
fn prepared(before: f64, seconds: f64, limits: &Limits) -> Vec<String> {
    let arms = ["a", "b"].map(|name| Arm {
        setup: None,
        conclude: None,
        cleanup: None,
        ..arm(name)
    });
    let mut script = Script::new(|name: &str, _| {
        let seconds = if name.starts_with("prepare") {
            before
        } else {
            seconds
        };
        Ok(((1e9 * seconds) as u64, End::Code(0)))
    });
    let subjects = Subjects {
        arms: &arms,
        empty: Err("no program".to_owned()),
    };
    let mut said = Vec::new();
    let mut hear = |word: Word<'_>| {
        said.push(match word {
            Word::Progress(progress) => progress.text(80),
            Word::Note(note) => note,
        });
    };
    measure(subjects, limits, 7, GIGAHERTZ, &mut script, &mut hear);
    said
}

#[test]
fn slow_commands_and_their_preparation_are_named_from_the_first_second_on() {
    let said = said(3.0, &limits());
    assert_eq!(said[0], "0 ms");
    let prepares = |line: &String| line.contains("--prepare of");
    let first = said.iter().find(|line| prepares(line));
    let first = first.expect("a preparation").as_str();
    assert!(first.starts_with("1.0 s · --prepare of "), "{first}");
    assert!(first.ends_with(": 1.0 s"), "{first}");
    // Eight seconds for each run: ten seconds are no bound, the fewest rounds are.
    assert!(
        !said.iter().any(|line| line.contains("s of at most")),
        "{said:?}"
    );
    let round = said
        .iter()
        .find(|line| line.starts_with("48 s of about 2 min 40 s · 3 of 10 runs · "));
    assert!(round.is_some(), "{said:?}");
}

#[test]
fn a_set_that_takes_long_says_so_after_two_rounds() {
    let usual = Limits {
        min_runs: None,
        ..limits()
    };
    let said = said(3.0, &usual);
    let note = "a verdict needs 12 rounds, about 3 min 12 s at 16 s each; Ctrl-C ends it and shows what was measured";
    let at = said.iter().position(|line| line == note);
    let before = &said[..at.expect("a note")];
    assert!(before.iter().any(|line| line.contains(" · 1 of 12 runs")));
    assert!(
        !before
            .iter()
            .any(|line| line.contains(" · 2 of 12 runs · b: "))
    );
    let planned = Limits {
        runs: Some(12),
        ..usual
    };
    assert!(
        !super::progress::said(3.0, &planned)
            .iter()
            .any(|line| line == note)
    );
}

#[test]
fn names_keep_both_ends_in_the_line() {
    let names = [
        "/opt/versions/3.11.7/bin/python one.py",
        "/opt/versions/3.11.7/bin/python two.py",
    ];
    let arms = names.map(|name| Arm {
        setup: None,
        prepare: None,
        conclude: None,
        cleanup: None,
        ..arm(name)
    });
    let mut script = Script::new(|_: &str, _| Ok((2_000_000_000, End::Code(0))));
    let subjects = Subjects {
        arms: &arms,
        empty: Err("no program".to_owned()),
    };
    let mut said = Vec::new();
    let mut hear = |word: Word<'_>| {
        if let Word::Progress(progress) = word {
            said.push([60, 79, 200].map(|room| progress.text(room)));
        }
    };
    measure(subjects, &limits(), 7, GIGAHERTZ, &mut script, &mut hear);
    let shown = said.concat();
    for line in [
        "5.0 s of about 40 s · 1 of 10 runs · /opt/ver… two.py: 1.0 s",
        "/opt/versions/3.11.7/bin/python two.py +0.0 % so far",
    ] {
        assert!(shown.iter().any(|one| one.ends_with(line)), "{shown:#?}");
    }
    for [narrow, usual, _] in said {
        assert!(narrow.chars().count() <= 60, "{narrow}");
        assert!(usual.chars().count() <= 79, "{usual}");
    }
}

#[test]
fn the_bound_does_not_move_with_the_clock() {
    let said = prepared(0.0, 0.2, &limits());
    let timed = said.iter().filter(|line| line.contains(" of at most "));
    let timed: Vec<&String> = timed.collect();
    assert!(timed.len() > 10);
    for line in timed {
        assert!(line.contains("s of at most 10 s · "), "{line}");
    }
    let exact = Limits {
        runs: Some(12),
        ..limits()
    };
    let last = prepared(0.0, 0.2, &exact).pop();
    assert!(last.is_some_and(|line| line.contains(" · 12 of 12 runs · b +0.0 % so far")));
}

#[test]
fn an_interrupt_says_what_is_not_cleaned_up() {
    let said = |conclude: Option<&str>, cleanup: Option<&str>| {
        let job = |line: Option<&str>| line.map(|_| arm("a").job);
        let arms = [Arm {
            conclude: job(conclude),
            cleanup: job(cleanup),
            ..arm("a")
        }];
        let mut script = Script::new(|_: &str, _| Err(NotRun::Interrupted));
        let subjects = Subjects {
            arms: &arms,
            empty: Err("no program".to_owned()),
        };
        let mut said = Vec::new();
        let mut hear = |word: Word<'_>| {
            if let Word::Note(note) = word {
                said.push(note);
            }
        };
        measure(subjects, &limits(), 7, GIGAHERTZ, &mut script, &mut hear);
        said
    };
    assert_eq!(said(None, None), [""; 0]);
    let both = "interrupted: the last --conclude and --cleanup did not run; what they remove is still there";
    assert_eq!(said(Some("rm p"), Some("rm s")), [both]);
    assert!(said(None, Some("rm s"))[0].starts_with("interrupted: --cleanup did not run;"));
}
