//! What is said before and after a measurement of commands.

use super::Place;

#[test]
fn rounds_that_are_too_few_are_said_before_they_are_measured() {
    let place = Place::new();
    let ran = place.measured(&["--runs", "3", "true", "true"]);
    let note = "! 3 rounds are 9 too few for a verdict; --runs 12\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    let last = ran.stdout.lines().last().expect("an answer");
    assert!(last.contains("3 of 12; --runs 12"), "{}", ran.stdout);
    let one = place.measured(&["--runs", "3", "true"]);
    assert!(!one.stderr.contains("too few"), "{}", one.stderr);
}
