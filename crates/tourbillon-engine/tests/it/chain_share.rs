//! How much of a launch's time the reference chain takes.

use tourbillon_clock::Script;
use tourbillon_engine::{Iterated, Prepared};
use tourbillon_record::{Chain, LaunchSamples, Plan};

use crate::stage::{HZ, about, launched, plan};

/// Ticks of all readings of the chain and of the additions after it.
fn ticks(chain: &Chain) -> u64 {
    let additions = chain.additions.as_ref().expect("they are read after it");
    let columns = [
        &chain.short_ticks,
        &chain.long_ticks,
        &additions.short_ticks,
        &additions.long_ticks,
    ];
    columns.into_iter().flatten().sum()
}

/// A core of so many cycles per tick, which is a nanosecond.
fn core(cycles: f64) -> Script {
    Script::new()
        .hz(HZ)
        .read_cost(10, 10)
        .core_cycle(1.0 / cycles)
}

/// A launch of a body of so many ticks.
fn of_body(ticks: u64, plan: &Plan, core: &Script) -> LaunchSamples {
    let advance = core.clone();
    let mut arm = Iterated::new(|| advance.advance(ticks), |()| Ok(()));
    launched(&mut arm, about(), plan, core)
}

/// Readings of the chain, rounds of batches, and what the readings took of the time.
fn readings(launch: &LaunchSamples) -> (usize, usize, f64) {
    let chain = launch
        .chain
        .as_ref()
        .expect("the scripted clock has a core");
    let per_round = if launch.batch_shape.slope { 3 } else { 2 };
    let measured = launch.launch_ticks - launch.setup_ticks - launch.first_call_ticks;
    let rounds = launch.batches.kind.len() / per_round;
    let share = ticks(chain) as f64 / measured as f64;
    (chain.at.len(), rounds, share)
}

#[test]
fn the_chain_takes_at_most_a_twentieth_of_the_time() {
    for cycles in [4.3, 1.2] {
        for batch_ns in [1_000, 20_000, 100_000, 1_000_000] {
            for body in [50, 20_000, 60_000, 90_000, 150_000, 400_000, 5_000_000] {
                let core = core(cycles);
                let asked = Plan {
                    batch_ns,
                    ..plan("case", 1)
                };
                let launch = of_body(body, &asked, &core);
                let (readings, _, share) = readings(&launch);
                let what = format!("{body} ns in batches of {batch_ns} ns at {cycles} GHz");
                assert!(share <= 0.05, "{share:.4}: {what}");
                // Fewer would not show contention.
                assert!(readings >= 5 || body == 5_000_000, "{readings}: {what}");
            }
        }
    }
}

#[test]
fn more_time_gives_more_readings_and_no_greater_share() {
    let mut before = 0;
    for milliseconds in [6, 60, 2_000] {
        let core = core(2.0);
        let asked = Plan {
            budget_ns: milliseconds * 1_000_000,
            ..plan("case", 1)
        };
        let (readings, rounds, share) = readings(&of_body(10_000, &asked, &core));
        // As many as there may be.
        assert!((0.045..=0.05).contains(&share), "{share}");
        assert!(
            before < readings && readings < rounds,
            "{readings} of {rounds}"
        );
        before = readings;
    }
}

#[test]
fn it_is_read_after_every_round_where_that_is_cheap() {
    for body in [100, 20_000, 400_000] {
        let core = core(4.3);
        let (readings, rounds, _) = readings(&of_body(body, &plan("case", 1), &core));
        assert_eq!(readings, rounds + 1, "{body} ns");
    }
}

#[test]
fn what_is_prepared_is_time_of_the_launch() {
    let core = core(2.0);
    let (making, working) = (core.clone(), core.clone());
    let make = move || making.advance(900);
    let mut arm = Prepared::borrowing(make, |(): &mut ()| working.advance(100), false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &core);
    let (readings, rounds, share) = readings(&launch);
    assert_eq!(readings, rounds + 1);
    assert!(share < 0.02, "{share}");
}

#[test]
fn one_interrupted_reading_does_not_keep_the_others_from_being_made() {
    let mut hit = 0;
    for at in (1_000_000..1_250_000).step_by(3_000) {
        let core = core(4.3).interruption(at, 3_000_000);
        let launch = of_body(10_000, &plan("case", 1), &core);
        let (readings, rounds, share) = readings(&launch);
        assert_eq!(readings, rounds + 1, "interrupted at {at}");
        hit += u32::from(share > 0.3);
    }
    assert!(hit > 0, "no reading was interrupted");
}
