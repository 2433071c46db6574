//! What holds for the clocks of any machine.

use tourbillon_clock::{Anchor, Clock, CrossCheck, FrequencyFrom, Ticks};

#[test]
fn the_systems_clock_is_everywhere_and_counts_nanoseconds() {
    let clock = Clock::by_name("monotonic").unwrap();
    assert_eq!(clock.name(), "monotonic");
    let frequency = clock.frequency();
    assert_eq!(
        (frequency.numerator, frequency.denominator),
        (1_000_000_000, 1)
    );
    assert_eq!(frequency.from, FrequencyFrom::Definition);
    let readings = [clock.start(), clock.now(), clock.stop()];
    assert!(readings.is_sorted(), "{readings:?}");
}

#[test]
fn a_name_that_is_none_is_an_error_that_lists_them() {
    for name in ["", "TSC", "scripted", "none", "hpet"] {
        let error = Clock::by_name(name).unwrap_err();
        assert!(error.is_unknown_name(), "{name}");
        assert_eq!(
            error.to_string(),
            format!("no clock is called {name:?}; the clocks are tsc, cntvct and monotonic")
        );
    }
}

#[test]
fn the_counter_of_another_processor_is_unavailable() {
    let elsewhere = if cfg!(target_arch = "x86_64") {
        "cntvct"
    } else {
        "tsc"
    };
    let error = Clock::by_name(elsewhere).unwrap_err();
    assert!(error.is_unavailable());
    assert!(error.to_string().contains("use monotonic"), "{error}");
}

#[test]
fn a_choice_can_be_made_again_by_name() {
    let choice = Clock::choose();
    assert!(!choice.why.is_empty());
    let named = Clock::by_name(choice.clock.name()).unwrap();
    assert_eq!(named.name(), choice.clock.name());
    let start = named.start();
    assert!(choice.clock.stop().since(start).is_some());
    for refusal in &choice.refused {
        assert_ne!(refusal.source, choice.clock.name());
        assert!(!refusal.reason.is_empty());
    }
}

#[test]
fn a_longer_chain_takes_longer() {
    let clock = Clock::choose().clock;
    if let Ok(chain) = clock.reference_chain() {
        // The least of several, so that an interruption does not decide.
        let least = |turns| (0..50).filter_map(|_| chain.time(&clock, turns)).min();
        assert!(least(2_000) > least(1), "{chain}");
        assert_eq!(chain.time(&clock, 0), None);
    }
}

#[test]
fn anchors_of_the_chosen_clock_make_a_check() {
    let clock = Clock::choose().clock;
    let first = Anchor::take(&clock);
    let start = clock.now();
    while clock.now().since(start) < Some(Ticks(1_000_000)) {}
    let last = Anchor::take(&clock);
    let check = CrossCheck::between(&first, &last, &clock.frequency());
    assert!(
        check.is_some_and(|check| check.bound_ppm > 0.0),
        "{check:?}"
    );
}
