//! What a launch asks the system, and when.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{Arm, Iterated, System, Threads, on_threads, run_launch};
use tourbillon_record::{BatchShape, Frame, Plan, SystemCounts};

use crate::stage::{Cases, about, plan, script};

/// A system that counts three new pages for each call of a body.
struct Counting<'b> {
    bodies: &'b AtomicU64,
    asked: AtomicU64,
    /// What it reports of each call that it saw.
    touched: Option<u64>,
}

impl System for Counting<'_> {
    fn counts(&self) -> SystemCounts {
        self.asked.fetch_add(1, Relaxed);
        SystemCounts {
            page_faults: Some(3 * self.bodies.load(Relaxed)),
            written_bytes: None,
            waited_ns: None,
        }
    }

    fn forget_touched(&self) -> Option<u64> {
        self.touched.map(|_| self.bodies.load(Relaxed))
    }

    fn touched_bytes(&self, forgotten: u64) -> Option<u64> {
        Some(self.touched? * (self.bodies.load(Relaxed) - forgotten))
    }
}

#[test]
fn the_system_is_asked_before_the_first_sample_and_after_the_last() {
    let script = script();
    let bodies = AtomicU64::new(0);
    let suite = Cases::default().with("case", |driver| {
        let mut arm = Iterated::new(
            || {
                bodies.fetch_add(1, Relaxed);
                script.advance(1_000);
            },
            |()| Ok(()),
        );
        driver.drive(&mut arm, about());
        Ok(())
    });
    let system = Counting {
        bodies: &bodies,
        asked: AtomicU64::new(0),
        touched: None,
    };
    let clock = Clock::scripted(&script);
    let mut made = None;
    run_launch(&suite, &plan("case", 1), &clock, &system, &mut |frame| {
        if let Frame::Launch(launch) = frame {
            made = Some(launch);
        }
    });
    let launch = made.unwrap();
    let calls: u64 = launch
        .batches
        .kind
        .iter()
        .map(|&kind| u64::from(kind) * launch.batch_shape.items)
        .sum();
    assert_eq!(system.asked.load(Relaxed), 2);
    assert_eq!(launch.counted.page_faults, Some(3 * calls));
    assert_eq!(launch.counted.written_bytes, None);
}

/// What a launch reports of the memory that batches touch, each call of the body 4 KiB; and how often the body
/// was called after the samples.
fn touched(plan: &Plan, ticks: u64) -> (Option<u64>, u64) {
    let script = script();
    let bodies = AtomicU64::new(0);
    let system = Counting {
        bodies: &bodies,
        asked: AtomicU64::new(0),
        touched: Some(4096),
    };
    let suite = Cases::default().with("case", |driver| {
        let mut arm = Iterated::new(
            || {
                bodies.fetch_add(1, Relaxed);
                script.advance(ticks);
            },
            |()| Ok(()),
        );
        driver.drive(&mut arm, about());
        Ok(())
    });
    let mut made = None;
    let clock = Clock::scripted(&script);
    run_launch(&suite, plan, &clock, &system, &mut |frame| {
        if let Frame::Launch(launch) = frame {
            made = Some(launch);
        }
    });
    let touched = made.expect("a launch").touched_bytes;
    (touched, touched.unwrap_or(0) / 4096)
}

#[test]
fn only_the_pilot_launch_reads_what_memory_batches_touch() {
    let pilot = plan("case", 1);
    let (bytes, calls) = touched(&pilot, 1_000);
    // Of about a microsecond each, for twelve batches' time.
    let batches = pilot.batch_ns / 1_000 * 2 / 3 * 12;
    assert!(
        bytes.is_some() && calls.abs_diff(batches) <= batches / 8,
        "{calls}"
    );
    let length = BatchShape {
        windows: 1,
        items: 64,
        unroll: 1,
        slope: true,
    };
    let later = Plan {
        batch_shape: Some(length),
        ..pilot
    };
    assert_eq!(touched(&later, 1_000), (None, 0));
}

#[test]
fn a_long_body_is_called_once_more_and_a_very_long_one_is_not() {
    let plan = plan("case", 1);
    assert_eq!(touched(&plan, plan.budget_ns), (Some(4096), 1));
    assert_eq!(touched(&plan, 17 * plan.budget_ns), (None, 0));
}

/// A system that counts as many threads as benchmarks say.
/// All but one of them sleep.
struct Crowd<'t>(&'t AtomicU32);

impl System for Crowd<'_> {
    fn threads(&self) -> Option<Threads> {
        Some(Threads {
            all: self.0.load(Relaxed),
            working: Some(1),
        })
    }
}

/// The threads in the launch of a benchmark, which may change their number.
fn threads(
    script: &Script,
    count: &AtomicU32,
    mut body: impl FnMut(&mut dyn FnMut(&mut dyn Arm)),
) -> Option<u32> {
    let suite = Cases::default().with("case", |driver| {
        body(&mut |arm| driver.drive(arm, about()));
        Ok(())
    });
    let clock = Clock::scripted(script);
    let mut made = None;
    run_launch(
        &suite,
        &plan("case", 1),
        &clock,
        &Crowd(count),
        &mut |frame| {
            if let Frame::Launch(launch) = frame {
                made = Some(launch);
            }
        },
    );
    let launch = made.expect("a launch");
    assert_eq!(launch.working_threads, Some(1));
    launch.threads
}

#[test]
fn threads_that_end_with_the_benchmark_are_counted() {
    let (script, count) = (script(), AtomicU32::new(1));
    let found = threads(&script, &count, |drive| {
        // A runtime begins and ends.
        count.store(3, Relaxed);
        drive(&mut Iterated::new(|| script.advance(1_000), |()| Ok(())));
        count.store(1, Relaxed);
    });
    assert_eq!(found, Some(3));
}

#[test]
fn threads_that_run_the_body_are_not_counted() {
    let (script, count) = (script(), AtomicU32::new(2));
    let found = threads(&script, &count, |drive| {
        let make = |_| || script.advance(1_000);
        on_threads(2, false, &make, drive).expect("two threads can be started");
    });
    assert_eq!(found, Some(1));
}
