//! The steps of sources whose truth is known.

use tourbillon_clock::{Clock, Script, Ticks};
use tourbillon_timers::characterise::{Deltas, Granularity, Regime, Step};

/// Readings of a clock that advances by `numerator / denominator` ticks and is cut to whole
/// ones, each reading `cost` of its steps, in thousandths, after the last.
fn rounded(numerator: u64, denominator: u64, cost: u64, reads: u64) -> Deltas {
    let reading = |number: u64| {
        let steps = number * cost / 1_000;
        Ticks(steps * numerator / denominator)
    };
    Deltas::of_readings(&(7..7 + reads).map(reading).collect::<Vec<_>>())
}

fn step(deltas: &Deltas) -> Step {
    Granularity::of(deltas).expect("a granularity").step
}

/// Whether a fraction of a tick was found, as closely as this.
fn is_fraction(step: Step, truth: f64, within: f64) -> bool {
    matches!(step, Step::Fraction { lower, upper }
        if lower < truth && truth < upper && upper - lower < within)
}

#[test]
fn alternating_ticks_are_one_step_of_a_fraction() {
    // 24 MHz in nanoseconds: 41, 42, 42 and now and then 83.
    let coarse = rounded(125, 3, 480, 4_096);
    assert_eq!(coarse.smallest(), Some(41));
    let found = step(&coarse);
    assert!(is_fraction(found, 125.0 / 3.0, 0.1), "{found:?}");
    // 15.625 ms in milliseconds.
    let found = step(&rounded(125, 8, 10, 4_096));
    assert!(is_fraction(found, 15.625, 0.2), "{found:?}");
    let shown = Granularity::of(&coarse).unwrap().ticks();
    assert!((shown - 41.67).abs() < 0.05, "{shown}");
}

#[test]
fn a_fraction_is_found_where_readings_are_slower_than_steps() {
    // HPET in nanoseconds, 69.84 a step, 8 to 30 steps a reading.
    let mut steps = 7_u64;
    let mut reading = |number: usize| {
        steps += [8, 9, 9, 10, 12, 9, 30][number % 7];
        Ticks(steps * 1_000_000_000 / 14_318_180)
    };
    let readings: Vec<Ticks> = (0..4_096).map(&mut reading).collect();
    let deltas = Deltas::of_readings(&readings);
    assert_eq!(Regime::of(&deltas), Regime::LatencyBound);
    let found = step(&deltas);
    assert!(is_fraction(found, 69.841_279, 0.01), "{found:?}");
}

#[test]
fn steps_much_shorter_than_readings_are_told_by_long_stretches() {
    // 26 ticks of 2.596 GHz in nanoseconds. 38 steps read as 380 or 381, and so do 37 of a step
    // of 10.3.
    let mut steps = 7_u64;
    let mut reading = |number: usize| {
        steps += [38, 39, 38, 40, 41, 38, 45][number % 7];
        Ticks(steps * 26_000 / 2_596)
    };
    let readings: Vec<Ticks> = (0..4_096).map(&mut reading).collect();
    let found = step(&Deltas::of_readings(&readings));
    assert!(is_fraction(found, 26_000.0 / 2_596.0, 0.01), "{found:?}");
}

#[test]
fn two_neighbouring_latencies_are_no_fraction() {
    let deltas = Deltas::of_counts(&[(41, 400), (42, 800)]);
    assert_eq!(step(&deltas), Step::Whole(1));
}

#[test]
fn a_counter_that_advances_by_26_is_found_in_both_regimes() {
    for cost in [15, 31] {
        let clock = Clock::scripted(&Script::new().granularity(26).now_cost(cost));
        let readings: Vec<Ticks> = (0..4_096).map(|_| clock.now()).collect();
        let deltas = Deltas::of_readings(&readings);
        assert_eq!(step(&deltas), Step::Whole(26), "cost {cost}");
    }
}

#[test]
fn few_different_differences_leave_doubt() {
    let found = Granularity::of(&Deltas::of_counts(&[(52, 90), (104, 10)])).unwrap();
    assert_eq!(found.step, Step::Whole(52));
    assert!(!found.certain);
    let found = Granularity::of(&Deltas::of_counts(&[(0, 90), (52, 10)])).unwrap();
    assert!(found.certain);
}

#[test]
fn a_tick_of_ten_milliseconds_is_one_step() {
    let clock = Clock::scripted(&Script::new().granularity(10_000_000).now_cost(40_000));
    let readings: Vec<Ticks> = (0..4_096).map(|_| clock.now()).collect();
    let found = Granularity::of(&Deltas::of_readings(&readings)).unwrap();
    assert_eq!(found.step, Step::Whole(10_000_000));
    assert!(found.certain);
}

#[test]
fn steps_that_vary_are_said_to() {
    let deltas = Deltas::of_counts(&[
        (0, 90_000),
        (3_999_871, 1),
        (4_000_002, 2),
        (4_000_130, 1),
        (8_000_007, 1),
    ]);
    let expected = Step::Varying {
        lowest: 3_999_871,
        median: 4_000_002,
    };
    assert_eq!(step(&deltas), expected);
}

#[test]
fn another_phase_does_not_hide_the_step() {
    // Three changes in ten thousand are those of a counter that steps between the others.
    let deltas = Deltas::of_counts(&[(26, 8_000), (52, 1_990), (78, 7), (13, 2), (39, 1)]);
    let found = Granularity::of(&deltas).unwrap();
    assert_eq!(found.step, Step::Whole(26));
    assert_eq!(found.share, 0.9997);
}

#[test]
fn a_source_that_stands_still_has_none() {
    assert_eq!(Granularity::of(&Deltas::of_counts(&[(0, 100)])), None);
    assert_eq!(Granularity::of(&Deltas::of_counts(&[(-4, 100)])), None);
}
