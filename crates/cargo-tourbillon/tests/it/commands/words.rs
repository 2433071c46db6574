//! Notes before a measurement of commands, and the last line after it.

use super::Place;

#[test]
fn rounds_that_are_too_few_are_said_before_they_are_measured() {
    let place = Place::new();
    let ran = place.measured(&["--runs", "3", "true", "true"]);
    let note = "! 3 rounds are 9 too few for a verdict; --runs 12\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    let shown = ran.stdout.replace('\n', " ");
    let last = shown.rfind("true #2 compared with").expect("an answer");
    let answer = "true #2 compared with true: undecided, too few rounds: 3 of 12; --runs 12";
    assert!(shown[last..].starts_with(answer), "{}", ran.stdout);
    let one = place.measured(&["--runs", "3", "true"]);
    assert!(!one.stderr.contains("too few"), "{}", one.stderr);
}

#[test]
fn fewer_runs_than_are_requested_are_refused() {
    let place = Place::new();
    let ran = place.run(&["commands", "-M", "12", "-m", "20", "true"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let error = "error: --min-runs 20 is more than --max-runs 12; leave one out\n";
    assert_eq!(ran.stderr, error);
    place.measured(&["-M", "5", "true"]);
}

#[test]
fn a_parameter_that_is_nowhere_is_noted() {
    let place = Place::new();
    let list = ["-L", "n", "1,2", "-L", "m", "1,2", "-L", "o", "3,4"];
    let flags = ["--runs", "1", "--prepare", "echo {o}"];
    let ran = place.measured(&[&flags[..], &list, &["echo {n}"]].concat());
    let note = "! no command contains {m}: its values change nothing\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("change nothing").count(), 1);
}

#[test]
fn a_failure_is_the_last_word_of_both_streams() {
    let place = Place::new();
    let fails = "sh -c 'test $HYPERFINE_ITERATION -lt 3 || { echo why >&2; exit 7; }'";
    let ran = place.run(&["commands", "-n", "first", "true", "-n", "second", fails]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let failure = "second exited with code 7; its stderr ends with: why; correct it";
    let shown = ran.stdout.replace('\n', " ");
    let at = shown.rfind("second exited").expect("an answer");
    assert!(shown[at..].starts_with(failure), "{}", ran.stdout);
    let last = ran.stderr.lines().last().expect("an error");
    assert!(
        last.starts_with(&format!("error: {failure}")),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_program_names_itself() {
    let place = Place::new();
    place.measured(&["--runs", "3", "true"]);
    for arguments in [
        &["explain"][..],
        &["explain", "nothing"],
        &["show", "--help"],
    ] {
        let ran = place.run(arguments);
        let text = ran.stdout + &ran.stderr;
        assert!(
            text.contains("tourbillon show") || text.contains("tourbillon explain"),
            "{text}"
        );
        assert!(!text.contains("cargo tourbillon"), "{text}");
    }
}
