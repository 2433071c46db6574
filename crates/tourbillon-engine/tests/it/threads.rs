//! Bodies on several threads, on a clock whose every reading is known: threads that share it move one
//! position, as on one processor, so that the sum of all they do passes from the first start to the last
//! end, in whatever order they come.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};

use tourbillon_clock::{Clock, Script, Ticks};
use tourbillon_engine::{Arm, Limits, Measures, Metered, Reading, on_threads};
use tourbillon_record::BatchShape;
use tourbillon_record::{LaunchSamples, Metric};

use crate::stage::{FIXED, about, launched, of_kind, plan, script};

/// The launch of a body on `threads` threads.
fn launch<R, F: FnMut() -> R>(
    script: &Script,
    threads: usize,
    drop_inside: bool,
    make: impl Fn(usize) -> F + Sync,
) -> LaunchSamples {
    let mut made = None;
    on_threads(threads, drop_inside, &make, &mut |arm| {
        made = Some(launched(arm, about(), &plan("case", 1), script));
    })
    .expect("a few threads can be started");
    made.expect("the arm was handed over")
}

#[test]
fn a_batch_takes_from_the_first_start_to_the_last_end() {
    for threads in [1, 2, 5] {
        let script = script();
        let calls = AtomicU64::new(0);
        let launch = launch(&script, threads as usize, false, |_| {
            || {
                calls.fetch_add(1, Ordering::Relaxed);
                script.advance(100);
            }
        });
        let items = launch.batch_shape.items;
        for kind in [0, 1, 2] {
            let expected = threads * (u64::from(kind) * items * 100 + FIXED);
            let batches = of_kind(&launch, kind);
            assert!(!batches.is_empty());
            assert!(
                batches.iter().all(|&ticks| ticks == expected),
                "{batches:?}"
            );
        }
        let team = launch.team.as_ref().expect("what was noted of the threads");
        assert_eq!(team.threads, threads);
        let taken = launch.batches.kind.len();
        assert_eq!(team.fastest_ticks.len(), taken);
        assert_eq!(team.start_spread_ticks.len(), taken);
        for (at, slowest) in team.slowest_ticks.iter().enumerate() {
            assert!(*slowest <= launch.batches.ticks[at]);
            assert!(team.fastest_ticks[at] <= *slowest);
        }
        assert_eq!(
            calls.into_inner() % threads,
            0,
            "each thread makes each call"
        );
    }
}

#[test]
fn every_thread_sets_up_once_and_what_it_has_stays_there() {
    let script = script();
    let made: Mutex<Vec<(usize, ThreadId)>> = Mutex::default();
    let here = thread::current().id();
    launch(&script, 3, false, |number| {
        // Neither the body nor its output can go to another thread.
        let own = std::rc::Rc::new(thread::current().id());
        made.lock().expect("no thread panics").push((number, *own));
        let script = &script;
        move || {
            assert_eq!(*own, thread::current().id());
            script.advance(50);
            own.clone()
        }
    });
    let mut made = made.into_inner().expect("no thread panics");
    made.sort_unstable_by_key(|(number, _)| *number);
    let numbers: Vec<usize> = made.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 1, 2]);
    assert_eq!(made[0].1, here, "the first one is this");
    assert!(made[1].1 != here && made[2].1 != here && made[1].1 != made[2].1);
}

#[test]
fn how_far_threads_are_from_each_other_is_noted() {
    let script = Script::new();
    let clock = Clock::scripted(&script);
    let (inside, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let until = |count: &AtomicU64, at_least| {
        while count.load(Ordering::Acquire) < at_least {
            thread::yield_now();
        }
    };
    // Both have started before time passes; then the second one waits for the first.
    let make = |thread: usize| {
        let (script, inside, done) = (&script, &inside, &done);
        move || {
            inside.fetch_add(1, Ordering::Release);
            until(inside, 2);
            until(done, thread as u64);
            script.advance(100 + 50 * thread as u64);
            done.fetch_add(1, Ordering::Release);
        }
    };
    on_threads(2, false, &make, &mut |arm| {
        assert!(arm.team().expect("two threads").slowest_ticks.is_empty());
        let shape = BatchShape::of_items(1);
        let ticks = arm.batch(&clock, shape).ticks.0;
        assert_eq!(ticks, 250);
        let team = arm.team().expect("two threads");
        assert_eq!((team.threads, &team.start_spread_ticks[..]), (2, &[0][..]));
        assert_eq!(team.slowest_ticks, [250]);
        // The first one reads its end before or after the second one is done.
        assert!([100, 250].contains(&team.fastest_ticks[0]), "{team:?}");
        assert!(arm.team().expect("two threads").slowest_ticks.is_empty());
    })
    .expect("two threads can be started");
}

#[test]
fn threads_are_noted_when_something_else_is_measured_too() {
    on_threads(2, false, &|_| || (), &mut |arm| {
        let measures = Measures {
            metric: Metric::CpuTime,
            own: None,
            step_ns: None,
        };
        let mut metered = Metered::new(arm, measures, None, &|| 0.0);
        assert_eq!(metered.team().map(|team| team.threads), Some(2));
    })
    .expect("two threads can be started");
}

/// An op takes 100 ticks, and every batch a millisecond until it starts.
struct Late<'s> {
    script: &'s Script,
    work: u64,
}

impl Arm for Late<'_> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        self.work = 100 * shape.iterations();
        let start = clock.start();
        self.script.advance(1_000_000 + self.work);
        Reading {
            ticks: Ticks(clock.stop().0 - start.0),
            pauses: 0,
        }
    }

    fn work(&self) -> Option<u64> {
        Some(self.work)
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }
}

#[test]
fn threads_that_start_late_do_not_make_batches_shorter() {
    let script = script();
    let mut arm = Late {
        script: &script,
        work: 0,
    };
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert_eq!(
        (launch.batch_shape.items, launch.batch_shape.slope),
        (666, true)
    );
}

#[test]
fn outputs_are_dropped_by_their_thread_outside_unless_that_is_asked_for() {
    struct Costly<'s>(&'s Script, ThreadId);
    impl Drop for Costly<'_> {
        fn drop(&mut self) {
            assert_eq!(self.1, thread::current().id());
            self.0.advance(50);
        }
    }
    for (drop_inside, threads, per_op) in [
        (false, 1, 100),
        (false, 3, 100),
        (true, 1, 150),
        (true, 3, 150),
    ] {
        let script = script();
        let launch = launch(&script, threads, drop_inside, |_| {
            || {
                script.advance(100);
                Costly(&script, thread::current().id())
            }
        });
        let (items, windows) = (launch.batch_shape.items, launch.batch_shape.windows);
        let expected = windows * threads as u64 * (items * per_op + FIXED);
        assert!(of_kind(&launch, 1).iter().all(|&ticks| ticks == expected));
        assert_eq!(windows > 1, !drop_inside);
    }
}

#[test]
fn a_panic_on_any_thread_comes_out_and_all_threads_end() {
    for (threads, guilty) in [(1, 0), (3, 0), (3, 1), (3, 2)] {
        for in_set_up in [true, false] {
            let script = script();
            let clock = Clock::scripted(&script);
            let ended = AtomicU64::new(0);
            struct Ends<'e>(&'e AtomicU64);
            impl Drop for Ends<'_> {
                fn drop(&mut self) {
                    self.0.fetch_add(1, Ordering::Relaxed);
                }
            }
            let make = |thread: usize| {
                let ends = Ends(&ended);
                assert!(!(in_set_up && thread == guilty), "thread {thread} gives up");
                move || {
                    let _ = &ends;
                    assert!(thread != guilty, "thread {thread} gives up");
                }
            };
            let mut drive = |arm: &mut dyn Arm| {
                arm.first(&clock).expect("it panics before");
            };
            let ran = catch_unwind(AssertUnwindSafe(|| {
                on_threads(threads, false, &make, &mut drive)
            }));
            let payload = ran.expect_err("a thread panicked");
            let message = payload.downcast_ref::<String>().expect("a text");
            assert_eq!(*message, format!("thread {guilty} gives up"));
            // A set-up that was never begun has nothing to end: that of thread 0 comes last.
            assert_eq!(ended.into_inner(), threads as u64);
        }
    }
}
