//! Counters, scopes, stopwatches and deadlines on scripted clocks.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tourbillon_clock::{Clock, Frequency, Script, Ticks};
use tourbillon_timers::counters::{Backwards, Counter, CpuCounter, Deadline, Scope, Stopwatch};
use tourbillon_timers::{Behind, Counts, Source};

/// A source that counts the calls of [`Source::frequency`].
#[derive(Clone, Debug)]
struct Counted {
    clock: Clock,
    asked: Rc<Cell<u32>>,
}

impl Source for Counted {
    fn name(&self) -> &'static str {
        "counted"
    }

    fn frequency(&self) -> Option<Frequency> {
        self.asked.set(self.asked.get() + 1);
        Source::frequency(&self.clock)
    }

    fn behind(&self) -> Behind {
        Source::behind(&self.clock)
    }

    fn read(&self) -> Ticks {
        self.clock.now()
    }
}

#[test]
fn a_count_looks_up_no_frequency_and_a_time_once() {
    let script = Script::new().hz(1_000_000).now_cost(0);
    let source = Counted {
        clock: Clock::scripted(&script),
        asked: Rc::default(),
    };
    let counter = Counter::new(source.clone());
    for _ in 0..3 {
        let running = counter.start();
        script.advance(250);
        assert_eq!(running.stop().unwrap().ticks(), Ticks(250));
    }
    assert_eq!(source.asked.get(), 0);
    for _ in 0..3 {
        let running = counter.start();
        script.advance(250);
        let period = running.stop().unwrap();
        assert_eq!(period.seconds(), Some(0.000_25));
        assert_eq!(period.milliseconds(), Some(0.25));
        assert_eq!(period.microseconds(), Some(250.0));
        assert_eq!(period.nanoseconds(), Some(250_000.0));
        assert_eq!(period.picoseconds(), Some(250_000_000));
    }
    assert_eq!(source.asked.get(), 1);
}

#[test]
fn stages_are_counted_from_one_start_and_restarts_from_their_own() {
    let script = Script::new().now_cost(0);
    let counter = Counter::new(Clock::scripted(&script));
    let mut running = counter.start();
    script.advance(5);
    assert_eq!(running.stop().unwrap().ticks(), Ticks(5));
    script.advance(5);
    assert_eq!(running.stop().unwrap().ticks(), Ticks(10));
    assert_eq!(running.restart().unwrap().ticks(), Ticks(10));
    script.advance(7);
    assert_eq!(running.restart().unwrap().ticks(), Ticks(7));
}

#[test]
fn a_source_that_goes_backwards_gives_no_period() {
    let script = Script::new().now_cost(0).warp(100, -30);
    let counter = Counter::new(Clock::scripted(&script));
    script.advance(95);
    let running = counter.start();
    script.advance(5);
    let backwards = running.stop().unwrap_err();
    assert_eq!(backwards, Backwards { by: Ticks(25) });
    assert!(backwards.to_string().contains("25 ticks"));
}

#[test]
fn an_early_stop_is_the_only_one() {
    let script = Script::new().now_cost(0);
    let counter = Counter::new(Clock::scripted(&script));
    let mut sum = Ok(Ticks(0));
    for _ in 0..2 {
        let scope = Scope::new(&counter, &mut sum);
        script.advance(10);
        assert_eq!(scope.so_far().unwrap().ticks(), Ticks(10));
        assert_eq!(Source::name(scope.counter().source()), "scripted");
        script.advance(10);
        assert_eq!(scope.stop().unwrap().ticks(), Ticks(20));
        script.advance(100);
    }
    assert_eq!(sum, Ok(Ticks(40)));
}

#[test]
fn a_block_that_is_left_early_is_timed_to_there() {
    fn leave(counter: &Counter<Clock>, script: &Script, sum: &mut Result<Ticks, Backwards>) {
        let _scope = Scope::new(counter, sum);
        script.advance(10);
        if script.at() > Ticks(5) {
            return;
        }
        script.advance(1_000);
    }
    let script = Script::new().now_cost(0).warp(15, -9);
    let counter = Counter::new(Clock::scripted(&script));
    let mut sum = Ok(Ticks(0));
    leave(&counter, &script, &mut sum);
    assert_eq!(sum, Ok(Ticks(10)));
    // The second ends before it began; its error stays after the third, which is in order.
    script.advance(4);
    let scope = Scope::new(&counter, &mut sum);
    script.advance(1);
    assert!(scope.stop().is_err());
    leave(&counter, &script, &mut sum);
    assert_eq!(sum, Err(Backwards { by: Ticks(8) }));
}

#[test]
fn breaks_do_not_count() {
    let script = Script::new().now_cost(0);
    let counter = Counter::new(Clock::scripted(&script));
    let mut stopwatch = Stopwatch::start(&counter);
    for round in 1..=3 {
        script.advance(10);
        assert_eq!(stopwatch.check().unwrap().ticks(), Ticks(10 * round));
        assert_eq!(stopwatch.pause().unwrap().ticks(), Ticks(10 * round));
        script.advance(1_000);
        assert_eq!(stopwatch.pause().unwrap().ticks(), Ticks(10 * round));
        assert!(stopwatch.is_paused());
        assert_eq!(stopwatch.check().unwrap().ticks(), Ticks(10 * round));
        stopwatch.play();
    }
    script.advance(4);
    stopwatch.play();
    script.advance(4);
    assert_eq!(stopwatch.check().unwrap().ticks(), Ticks(38));
}

#[test]
fn a_stretch_that_went_backwards_is_an_error_and_not_counted() {
    let script = Script::new().now_cost(0).warp(10, -5);
    let counter = Counter::new(Clock::scripted(&script));
    script.advance(9);
    let mut stopwatch = Stopwatch::start(&counter);
    script.advance(1);
    assert_eq!(stopwatch.check().unwrap_err().by, Ticks(4));
    assert!(stopwatch.pause().is_err());
    stopwatch.play();
    script.advance(3);
    assert_eq!(stopwatch.pause().unwrap().ticks(), Ticks(3));
}

#[test]
fn every_result_comes_from_one_reading() {
    // A reading costs 3 ticks: with two of them, the second is beyond the limit.
    let script = Script::new().now_cost(3);
    let deadline = Deadline::after(&Clock::scripted(&script), Duration::from_nanos(10));
    let mut seen = Vec::new();
    for _ in 0..5 {
        let before = script.at();
        seen.push(deadline.checked_remaining().map(|left| left.as_nanos()));
        assert_eq!(script.at().since(before), Some(Ticks(3)));
    }
    assert_eq!(seen, [Some(7), Some(4), Some(1), None, None]);
    assert!(deadline.has_passed());
}

#[test]
fn endless_limits_do_not_overflow() {
    let script = Script::new().hz(10_000_000_000).now_cost(0);
    let deadline = Deadline::after(&Clock::scripted(&script), Duration::MAX);
    assert!(deadline.saturating_remaining() > Duration::from_secs(1_000_000_000));
    script.advance(u64::MAX);
    assert_eq!(deadline.checked_remaining(), Some(Duration::ZERO));
}

#[test]
fn a_clock_that_goes_backwards_leaves_the_whole_time() {
    let script = Script::new().now_cost(0).warp(101, -50);
    script.advance(100);
    let deadline = Deadline::after(&Clock::scripted(&script), Duration::from_nanos(20));
    script.advance(1);
    assert_eq!(deadline.saturating_remaining().as_nanos(), 20);
}

#[test]
fn a_process_that_works_spends_processor_time() {
    let counter = CpuCounter::of(tourbillon_timers::Scope::Process).unwrap();
    assert_eq!(counter.user().counts(), Counts::CpuUser);
    assert_eq!(counter.kernel().counts(), Counts::CpuKernel);
    let running = counter.start();
    // Comes to an end on every machine, because the loop itself is counted.
    while running.stop().unwrap().total().ticks() == Ticks(0) {}
    let period = running.stop().unwrap();
    let parts = period.user.ticks().0 + period.kernel.ticks().0;
    assert_eq!(period.total().ticks().0, parts);
    assert!(period.total().seconds() > Some(0.0));
    assert!(CpuCounter::of(tourbillon_timers::Scope::Machine).is_none());
}
