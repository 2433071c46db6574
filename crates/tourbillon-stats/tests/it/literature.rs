//! Worked examples from the literature.

use tourbillon_stats::{Confidence, Sample, hodges_lehmann, signed_rank_interval};

/// Hamilton's depression scale factor of nine patients, first visit minus second: Hollander and
/// Wolfe, Nonparametric Statistical Methods (1973), table 3.1, p. 29; times 1000, so that the
/// decimals are whole numbers.
const DEPRESSION: [f64; 9] = [
    1830.0 - 878.0,
    500.0 - 647.0,
    1620.0 - 598.0,
    2480.0 - 2050.0,
    1680.0 - 1060.0,
    1880.0 - 1290.0,
    1550.0 - 1060.0,
    3060.0 - 3140.0,
    1300.0 - 1290.0,
];

#[test]
fn centre_and_interval_of_paired_differences() {
    // Exact: the book has 0.46 and, at 96.1 %, 0.010 to 0.786.
    let differences = Sample::new(DEPRESSION.to_vec()).unwrap();
    assert_eq!(hodges_lehmann(&differences), 460.0);
    let interval = signed_rank_interval(&differences, Confidence::new(0.96).unwrap()).unwrap();
    assert_eq!((interval.lower, interval.upper), (10.0, 786.0));
    assert_eq!(interval.confidence, 1.0 - 20.0 / 512.0);
}
