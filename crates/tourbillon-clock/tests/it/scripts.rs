//! Scripted clocks: every reading is the one that the script lays down.

use tourbillon_clock::{Clock, FrequencyFrom, Script, Ticks};

fn region(clock: &Clock, script: &Script, ticks: u64) -> Option<Ticks> {
    let start = clock.start();
    script.advance(ticks);
    clock.stop().since(start)
}

#[test]
fn a_region_is_the_body_and_the_readings() {
    let script = Script::new().read_cost(20, 15);
    let clock = Clock::scripted(&script);
    assert_eq!(region(&clock, &script, 0), Some(Ticks(35)));
    assert_eq!(region(&clock, &script, 1_000), Some(Ticks(1_035)));
    assert_eq!(script.at(), Ticks(1_070));
}

#[test]
fn an_unordered_reading_lets_time_pass() {
    let clock = Clock::scripted(&Script::new());
    let deadline = Ticks(100);
    let mut readings = 0;
    while clock.now() < deadline {
        readings += 1;
    }
    assert_eq!(readings, 99);
    let clock = Clock::scripted(&Script::new().now_cost(50));
    assert_eq!((clock.now(), clock.now()), (Ticks(50), Ticks(100)));
}

#[test]
fn readings_are_cut_to_the_granularity() {
    let script = Script::new().granularity(26);
    let clock = Clock::scripted(&script);
    script.advance(51);
    assert_eq!(clock.start(), Ticks(26));
    script.advance(1);
    assert_eq!(clock.start(), Ticks(52));
    assert_eq!(script.at(), Ticks(52));
}

#[test]
fn resolution_finds_what_the_script_says() {
    let script = Script::new().read_cost(13, 17).granularity(6);
    let resolution = Clock::scripted(&script).resolution();
    assert_eq!(resolution.granularity, Ticks(6));
    assert_eq!(resolution.empty_region, Ticks(30));
    let noisy = Script::new().read_cost(13, 17).jitter(&[500, 0, 4, 4, 4]);
    assert_eq!(Clock::scripted(&noisy).resolution().empty_region, Ticks(34));
    let still = Clock::scripted(&Script::new()).resolution();
    assert_eq!(
        (still.granularity, still.empty_region),
        (Ticks(0), Ticks(0))
    );
}

#[test]
fn a_sequence_of_jitter_repeats() {
    let script = Script::new().jitter(&[0, 5, 1]);
    let clock = Clock::scripted(&script);
    let regions: Vec<_> = (0..5)
        .map(|_| region(&clock, &script, 10).unwrap().0)
        .collect();
    assert_eq!(regions, [10, 15, 11, 10, 15]);
    let script = script.jitter(&[]);
    assert_eq!(region(&clock, &script, 10), Some(Ticks(10)));
}

#[test]
fn noise_is_within_its_range_and_the_seeds_own() {
    let regions = |seed| -> Vec<u64> {
        let script = Script::new().noise(seed, 3);
        let clock = Clock::scripted(&script);
        (0..400)
            .map(|_| region(&clock, &script, 0).unwrap().0)
            .collect()
    };
    let first = regions(7);
    assert_eq!(first, regions(7));
    assert_ne!(first, regions(8));
    for value in 0..=3 {
        let count = first.iter().filter(|&&ticks| ticks == value).count();
        assert!(
            (70..=130).contains(&count),
            "{value} came {count} times in 400"
        );
    }
    assert!(first.iter().all(|&ticks| ticks <= 3));
}

#[test]
fn the_chain_takes_the_cores_cycles() {
    let script = Script::new().read_cost(10, 5).core_cycle(0.65);
    let clock = Clock::scripted(&script);
    let chain = clock.reference_chain().unwrap();
    let short = chain.time(&clock, 50).unwrap();
    let long = chain.time(&clock, 150).unwrap();
    assert_eq!(short, Ticks(3_265));
    assert_eq!(long.since(short), Some(Ticks(6_500)));
    let _slower = script.clone().core_cycle(1.3);
    assert_eq!(chain.time(&clock, 50), Some(Ticks(6_515)));
}

#[test]
fn parts_of_a_tick_add_up() {
    let script = Script::new().core_cycle(0.75);
    for _ in 0..1_000 {
        script.advance_cycles(1.0);
    }
    assert_eq!(script.at(), Ticks(750));
    for nothing in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        script.advance_cycles(nothing);
    }
    assert_eq!(script.at(), Ticks(750));
}

#[test]
fn an_interruption_passes_time_once() {
    let script = Script::new().interruption(1_500, 60_000);
    let clock = Clock::scripted(&script);
    let regions: Vec<_> = (0..3)
        .map(|_| region(&clock, &script, 1_000).unwrap().0)
        .collect();
    assert_eq!(regions, [1_000, 61_000, 1_000]);
    assert_eq!(script.at(), Ticks(63_000));
}

#[test]
fn an_interruption_brings_on_what_was_planned_within_it() {
    let script = Script::new().interruption(100, 1_000).interruption(500, 7);
    script.advance(100);
    assert_eq!(script.at(), Ticks(1_107));
}

#[test]
fn a_warp_moves_readings_and_not_time() {
    let script = Script::new().warp(1_500, -2_000).warp(2_500, 3_000);
    let clock = Clock::scripted(&script);
    assert_eq!(region(&clock, &script, 1_000), Some(Ticks(1_000)));
    let start = clock.start();
    script.advance(1_000);
    let stop = clock.stop();
    assert_eq!(stop.since(start), None);
    assert_eq!(stop.signed_since(start), -1_000);
    assert_eq!(region(&clock, &script, 1_000), Some(Ticks(4_000)));
    assert_eq!(script.at(), Ticks(3_000));
}

#[test]
fn a_narrow_counter_wraps() {
    let script = Script::new().wrap(32);
    let clock = Clock::scripted(&script);
    script.advance((1 << 32) - 10);
    let start = clock.start();
    assert_eq!(start, Ticks((1 << 32) - 10));
    script.advance(25);
    let stop = clock.stop();
    assert_eq!((stop, stop.since(start)), (Ticks(15), None));
    assert_eq!(script.at(), Ticks((1 << 32) + 15));
}

#[test]
fn the_frequency_is_what_the_script_says() {
    let script = Script::new().hz(2_600_000_000);
    let frequency = Clock::scripted(&script).frequency();
    assert_eq!(
        (frequency.numerator, frequency.denominator),
        (2_600_000_000, 1)
    );
    assert_eq!(frequency.from, FrequencyFrom::Script);
    assert_eq!(frequency.nanos_exact(Ticks(26)), 10_000);
}

#[test]
fn a_counter_has_the_cycles_of_regions_until_it_is_taken_away() {
    let script = Script::new()
        .read_cost(20, 15)
        .core_cycle(0.5)
        .cycle_counter(10_000);
    let clock = Clock::scripted(&script);
    let counting = clock.counting_cycles().expect("the script has a counter");
    assert_eq!(region(counting.clock(), &script, 100), Some(Ticks(135)));
    // Outside of regions, and in those of others.
    script.advance(77);
    assert_eq!(region(&clock, &script, 300), Some(Ticks(335)));
    assert_eq!(region(counting.clock(), &script, 200), Some(Ticks(235)));
    assert_eq!(counting.take(), Some(2 * (135 + 235)));
    assert_eq!(counting.take(), Some(0));
    // It goes in the middle of a region, which is still timed.
    assert_eq!(
        region(counting.clock(), &script, 9_999),
        Some(Ticks(10_034))
    );
    assert_eq!(counting.take(), None);
    assert!(clock.counting_cycles().is_none());
    assert!(Clock::scripted(&Script::new()).counting_cycles().is_none());
}
