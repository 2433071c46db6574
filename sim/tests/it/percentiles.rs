use sim::percentiles;

use crate::{assert_right, repeats};

#[test]
fn intervals_cover_the_percentiles() {
    assert_right(percentiles(repeats(400)));
}
