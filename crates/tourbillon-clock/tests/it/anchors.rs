//! Anchors and cross-checks on scripted clocks, whose true rate is known.

use tourbillon_clock::{Anchor, Clock, CrossCheck, Frequency, Script};

/// Anchors around `seconds` of a scripted clock.
fn anchors(script: &Script, seconds: f64) -> (Clock, Anchor, Anchor) {
    let clock = Clock::scripted(script);
    let first = Anchor::take(&clock);
    script.advance((clock.frequency().hz() * seconds) as u64);
    let last = Anchor::take(&clock);
    (clock, first, last)
}

#[test]
fn a_drift_is_found_to_within_the_bound() {
    for drift in [-500.0, -3.0, 0.0, 0.25, 80.0] {
        let script = Script::new()
            .hz(2_600_000_000)
            .read_cost(40, 30)
            .drift_ppm(drift);
        let (clock, first, last) = anchors(&script, 2.0);
        let check = CrossCheck::between(&first, &last, &clock.frequency()).unwrap();
        assert!(
            (check.deviation_ppm - drift).abs() <= check.bound_ppm,
            "{drift}: {check:?}"
        );
        assert!(check.bound_ppm < 0.1, "{drift}: {check:?}");
        assert!(
            (check.baseline_ns as f64 - 2e9).abs() < 2e6,
            "{drift}: {check:?}"
        );
    }
}

#[test]
fn the_bound_holds_whatever_the_clock_does() {
    for seed in 0..500 {
        let drift = (seed % 41) as f64 * 20.0 - 400.0;
        let granularity = [1, 2, 26, 100, 5_000][seed as usize % 5];
        let script = Script::new()
            .hz([1_000_000, 24_000_000, 1_000_000_000, 3_693_061_000][seed as usize % 4])
            .read_cost(seed % 7 * 11, 1 + seed % 3 * 17)
            .granularity(granularity)
            .noise(seed, seed * 3)
            .interruption(seed * 10, 40_000)
            .drift_ppm(drift);
        let (clock, first, last) = anchors(&script, 0.5 + (seed * 7_919 % 1_000) as f64 * 1e-5);
        let assumed = clock.frequency();
        if let Some(check) = CrossCheck::between(&first, &last, &assumed) {
            let off = (check.deviation_ppm - drift).abs();
            // Added to the bound: the script's own reference is an `f64`.
            assert!(
                off <= check.bound_ppm + 0.001,
                "seed {seed}: {off} off in {check:?}"
            );
        }
        if let Some(measured) = Frequency::between(&first, &last) {
            let true_hz = assumed.hz() * (1.0 + drift * 1e-6);
            let off = (true_hz / measured.hz() - 1.0).abs() * 1e6;
            assert!(
                off <= measured.error_ppm.unwrap() + 0.001,
                "seed {seed}: {off} off"
            );
        }
    }
}

#[test]
fn a_clock_too_coarse_to_be_seen_moving_has_a_wide_bound() {
    // Steps of a millisecond, of which none falls into the triples.
    let script = Script::new().read_cost(10, 10).granularity(1_000_000);
    let (clock, first, last) = anchors(&script, 0.500_7);
    let check = CrossCheck::between(&first, &last, &clock.frequency()).unwrap();
    assert!(check.deviation_ppm.abs() > 1_000.0, "{check:?}");
    assert!(check.deviation_ppm.abs() <= check.bound_ppm, "{check:?}");
}

#[test]
fn the_narrowest_bracket_is_kept() {
    // Every region but one of sixteen is interrupted.
    let mut jitter = [50_000; 16];
    jitter[11] = 0;
    let script = Script::new().read_cost(30, 30).jitter(&jitter);
    let (clock, first, last) = anchors(&script, 1.0);
    let check = CrossCheck::between(&first, &last, &clock.frequency()).unwrap();
    assert!(check.bound_ppm < 0.2, "{check:?}");
}

#[test]
fn a_clock_that_goes_backwards_has_no_check() {
    let script = Script::new()
        .read_cost(10, 10)
        .warp(1_000_000, -900_000_000_000);
    let script = script.wrap(63);
    let clock = Clock::scripted(&script);
    script.advance(500_000);
    let first = Anchor::take(&clock);
    script.advance(400_000);
    let between = Anchor::take(&clock);
    assert!(CrossCheck::between(&first, &between, &clock.frequency()).is_some());
    assert_eq!(
        CrossCheck::between(&between, &first, &clock.frequency()),
        None
    );
}
