use sim::sweeps;

use crate::{assert_right, repeats};

#[test]
fn sweeps_find_the_truth_and_limits_are_right() {
    // A tenth of these in each cell.
    assert_right(sweeps(repeats(400)));
}
