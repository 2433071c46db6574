use sim::{contention, coverage, for_contention, for_precision, for_runs, precision};

use crate::{assert_right, repeats};

#[test]
fn intervals_of_runs_cover_and_those_of_others_do_not() {
    assert_right(coverage(&for_runs(), repeats(200)));
}

#[test]
fn runs_that_stop_at_a_precision_cover() {
    assert_right([precision(&for_precision(), repeats(60))]);
}

#[test]
fn contended_launches_are_discarded() {
    assert_right([contention(&for_contention(), repeats(240))]);
}
