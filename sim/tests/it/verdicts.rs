use sim::{
    attempts, bisections, changed_builds, changed_functions, controls, same_builds, same_functions,
    suites,
};

use crate::{assert_right, repeats};

#[test]
fn the_same_function_does_not_differ_from_itself() {
    assert_right([same_functions(repeats(40))]);
}

#[test]
fn changed_functions_are_never_called_the_other_way() {
    assert_right([changed_functions(repeats(40))]);
}

#[test]
fn the_same_build_does_not_differ_from_itself() {
    assert_right([same_builds(repeats(60))]);
}

#[test]
fn changed_builds_are_never_called_the_other_way() {
    assert_right([changed_builds(repeats(40))]);
}

#[test]
fn what_must_fail_does() {
    assert_right([controls(repeats(600))]);
}

#[test]
fn a_gate_over_a_suite_keeps_its_error() {
    assert_right([suites(repeats(150))]);
}

#[test]
fn a_campaign_keeps_nothing_that_is_no_faster() {
    assert_right(attempts(repeats(400)));
}

#[test]
fn a_search_names_no_wrong_commit() {
    assert_right([bisections(repeats(30))]);
}
