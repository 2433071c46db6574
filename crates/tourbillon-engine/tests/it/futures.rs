//! Bodies that are awaited, on a clock whose every reading is known.

use std::cell::Cell;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::task::{Poll, Waker};

use tourbillon_clock::Script;
use tourbillon_engine::{Awaited, BlockOn, Executor};

use crate::stage::{FIXED, about, launched, of_kind, plan, script};

/// Pending once, and woken at once.
async fn give_way() {
    let mut waited = false;
    poll_fn(|context| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[test]
fn an_awaited_body_reads_its_cost_and_the_fixed_cost() {
    let script = script();
    let mut arm = Awaited::new(
        BlockOn,
        async || {
            give_way().await;
            script.advance(100);
        },
        false,
    );
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert_eq!(launch.batch_shape.items, 666);
    for kind in [0, 1, 2] {
        let expected = u64::from(kind) * 666 * 100 + FIXED;
        assert!(
            of_kind(&launch, kind)
                .iter()
                .all(|&ticks| ticks == expected)
        );
    }
}

#[test]
fn the_executor_is_entered_once_a_batch_and_outside_of_it() {
    struct Slow<'s>(&'s Cell<u64>, &'s dyn Fn());
    impl Executor for Slow<'_> {
        fn block_on<F: Future>(&self, future: F) -> F::Output {
            self.0.set(self.0.get() + 1);
            (self.1)();
            let output = BlockOn.block_on(future);
            (self.1)();
            output
        }
    }
    let script = script();
    let entered = Cell::new(0);
    let enter = || script.advance(3_000);
    let executor = Slow(&entered, &enter);
    let mut arm = Awaited::new(&executor, || async { script.advance(100) }, false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(of_kind(&launch, 0).iter().all(|&ticks| ticks == FIXED));
    let items = launch.batch_shape.items;
    assert!(
        of_kind(&launch, 1)
            .iter()
            .all(|&ticks| ticks == items * 100 + FIXED)
    );
    let batches = launch.batches.kind.len() + launch.pilot.ticks.len();
    // The first call has a batch of its own.
    assert_eq!(entered.get(), batches as u64 + launch.warmup.batches + 1);
}

#[test]
fn a_future_that_another_thread_wakes_is_waited_for() {
    let (sender, receiver) = mpsc::channel::<Waker>();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let done = &done;
        scope.spawn(move || {
            let waker = receiver.recv().expect("the future hands over its waker");
            done.store(true, Ordering::Release);
            waker.wake();
        });
        let mut handed = Some(sender);
        let value = BlockOn.block_on(poll_fn(|context| {
            if let Some(sender) = handed.take() {
                sender
                    .send(context.waker().clone())
                    .expect("the other thread waits");
            }
            if done.load(Ordering::Acquire) {
                Poll::Ready(7)
            } else {
                Poll::Pending
            }
        }));
        assert_eq!(value, 7);
    });
}

#[test]
fn outputs_are_dropped_outside_unless_that_is_asked_for() {
    struct Costly<'s>(&'s Script);
    impl Drop for Costly<'_> {
        fn drop(&mut self) {
            self.0.advance(50);
        }
    }
    for (drop_inside, per_op) in [(false, 100), (true, 150)] {
        let script = script();
        let body = async || {
            script.advance(100);
            Costly(&script)
        };
        let mut arm = Awaited::new(BlockOn, body, drop_inside);
        let launch = launched(&mut arm, about(), &plan("case", 1), &script);
        let (items, windows) = (launch.batch_shape.items, launch.batch_shape.windows);
        let expected = windows * (items * per_op + FIXED);
        let batches = of_kind(&launch, 1);
        assert!(!batches.is_empty());
        assert!(
            batches.iter().all(|&ticks| ticks == expected),
            "{drop_inside}: {batches:?}"
        );
    }
}
