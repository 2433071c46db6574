use sim::{coverage, for_neighbours, for_precision, for_runs, neighbours, precision};

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
fn a_neighbour_on_the_core_is_left_out() {
    assert_right([neighbours(&for_neighbours(), repeats(240))]);
}
