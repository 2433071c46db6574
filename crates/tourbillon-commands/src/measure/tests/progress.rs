//! Progress while commands run.

use super::*;

/// The lines of commands, each of so many seconds, with a preparation of five.
fn said(seconds: f64, limits: &Limits) -> Vec<String> {
    let arms = ["a", "b"].map(|name| Arm {
        setup: None,
        conclude: None,
        cleanup: None,
        ..arm(name)
    });
    let mut script = Script::new(|name: &str, _| {
        let seconds = if name.starts_with("prepare") {
            5.0
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
            Word::Progress(progress) => progress.text(),
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
    assert!(first.starts_with("0 ms · --prepare of "), "{first}");
    assert!(first.ends_with(": 1.0 s"), "{first}");
    let running = said.iter().find(|line| line.starts_with("2.0 s · "));
    let running = running.expect("two seconds").as_str();
    assert!(
        ["2.0 s · 0 of", "2.0 s · a: 2.0 s", "2.0 s · b: 2.0 s"].contains(&running),
        "{said:?}"
    );
    // Six seconds a round: ten seconds are no bound, the rounds of the first look are.
    assert!(
        !said.iter().any(|line| line.contains("s of at most")),
        "{said:?}"
    );
    let round = said.iter().find(|line| line.contains("3 of 16 runs"));
    assert!(round.is_some(), "{said:?}");
}

#[test]
fn the_bound_does_not_move_with_the_clock() {
    let said = said(0.2, &limits());
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
    let last = super::progress::said(0.2, &exact).pop();
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
