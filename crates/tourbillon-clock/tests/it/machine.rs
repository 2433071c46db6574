//! Figures of the machine that this runs on; `--ignored --nocapture` shows them.

use tourbillon_clock::{Anchor, Clock, CrossCheck, Frequency, Stopwatch, Ticks};

#[test]
#[ignore = "prints and judges figures of this machine and takes a second"]
fn figures() {
    let stopwatch = Stopwatch::start();
    let choice = Clock::choose();
    let choosing_ns = stopwatch.elapsed_ns();
    let clock = choice.clock;
    println!(
        "choose: {} in {} us, {}",
        clock.name(),
        choosing_ns / 1_000,
        choice.why
    );
    println!("refused: {:?}", choice.refused);

    let stopwatch = Stopwatch::start();
    let frequency = clock.frequency();
    let asking_ns = stopwatch.elapsed_ns();
    println!("frequency: {frequency:?} in {} us", asking_ns / 1_000);

    let first = Anchor::take(&clock);
    let stopwatch = Stopwatch::start();
    let mut regions = Vec::with_capacity(1 << 20);
    while stopwatch.elapsed_ns() < 1_000_000_000 {
        let start = clock.start();
        let ticks = clock
            .stop()
            .since(start)
            .expect("the counter goes forwards");
        if regions.len() < regions.capacity() {
            regions.push(ticks);
        }
    }
    let last = Anchor::take(&clock);
    let check = CrossCheck::between(&first, &last, &frequency).expect("a second is a baseline");
    println!("cross-check: {check:?}");
    println!("measured over it: {:?}", Frequency::between(&first, &last));

    regions.sort_unstable();
    // What is seen once may be the way to a core whose counter has another phase.
    let granularity = regions
        .chunk_by(|a, b| a == b)
        .filter(|same| same.len() >= 100)
        .fold(0, |common, same| greatest_common_divisor(common, same[0].0));
    let quantile = |q: f64| regions[(regions.len() as f64 * q) as usize];
    println!(
        "empty region: least {}, median {}, p99 {} ticks; granularity {granularity}; {:?}",
        regions[0].0,
        quantile(0.5).0,
        quantile(0.99).0,
        clock.resolution()
    );

    // The mean of the middle half: a median keeps the counter's own steps.
    let chain = clock.reference_chain().expect("a known processor");
    let middle = |turns| {
        let mut times: Vec<Ticks> = (0..400).filter_map(|_| chain.time(&clock, turns)).collect();
        times.sort_unstable();
        let half = times.get(times.len() / 4..times.len() * 3 / 4)?;
        (!half.is_empty())
            .then(|| half.iter().map(|ticks| ticks.0 as f64).sum::<f64>() / half.len() as f64)
    };
    if let (Some(short), Some(long)) = (middle(10), middle(60)) {
        let ticks_per_cycle = (long - short) / (50 * chain.cycles_per_turn()) as f64;
        println!(
            "core: {:.4} GHz by {chain}",
            frequency.hz() / ticks_per_cycle / 1e9
        );
    }
    assert!(
        check.deviation_ppm.abs() < 10_000.0,
        "more than 1 % off: {check:?}"
    );
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}
