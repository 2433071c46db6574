//! Streams of items, on a clock whose every reading is known.

use std::cell::{Cell, RefCell};

use tourbillon_engine::{Iterated, Streamed};

use crate::stage::{FIXED, about, launched, of_kind, plan, script};

#[test]
fn items_come_in_order_and_go_on_in_the_next_batch() {
    let script = script();
    let advance = script.clone();
    let items: Vec<u64> = (0..1_000).collect();
    let (next, restarts) = (Cell::new(0), Cell::new(0));
    let body = |&item: &u64| {
        // Batches on one item alone are in between.
        if item == next.get() {
            next.set((item + 1) % 1_000);
            restarts.set(restarts.get() + u64::from(item == 999));
        }
        advance.advance(100);
    };
    let mut arm = Streamed::new(&items, body, false).expect("items");
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert_eq!(launch.batch_shape.items, 666);
    let calls: u64 =
        of_kind(&launch, 1).len() as u64 * 666 + of_kind(&launch, 2).len() as u64 * 1332;
    assert!(
        restarts.get() >= calls / 1_000,
        "{} in {calls}",
        restarts.get()
    );
    for kind in [1, 2] {
        let expected = u64::from(kind) * 666 * 100 + FIXED;
        assert!(
            of_kind(&launch, kind)
                .iter()
                .all(|&ticks| ticks == expected)
        );
    }
}

#[test]
fn one_item_alone_is_read_beside_the_stream() {
    let script = script();
    let advance = script.clone();
    let items: Vec<u64> = (0..1_000).collect();
    let last = Cell::new(u64::MAX);
    let body = |&item: &u64| {
        // The same item again is fast.
        advance.advance(if last.replace(item) == item { 10 } else { 100 });
    };
    let mut arm = Streamed::new(&items, body, false).expect("items");
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let fixed = launch.fixed_item.as_ref().expect("one item alone");
    let rounds = of_kind(&launch, 1).len();
    assert_eq!(fixed.short_ticks.len(), rounds.div_ceil(3));
    assert_eq!(fixed.long_ticks.len(), fixed.short_ticks.len());
    let items = launch.batch_shape.items;
    for (short, long) in fixed.short_ticks.iter().zip(&fixed.long_ticks) {
        // The first call finds another item after it.
        assert!((items * 10..items * 10 + 120).contains(short), "{short}");
        assert_eq!(*long, 2 * items * 10 + FIXED);
    }

    let mut plain = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let launch = launched(&mut plain, about(), &plan("case", 1), &script);
    assert_eq!(launch.fixed_item, None);
}

#[test]
fn outputs_that_need_dropping_are_dropped_outside() {
    let script = script();
    let advance = script.clone();
    let dropped = script.clone();
    struct Slow<'d>(&'d dyn Fn());
    impl Drop for Slow<'_> {
        fn drop(&mut self) {
            (self.0)();
        }
    }
    let slow = move || dropped.advance(5_000);
    let items = [1_u64, 2, 3];
    let seen = RefCell::new(Vec::new());
    let body = |&item: &u64| {
        seen.borrow_mut().push(item);
        advance.advance(100);
        Slow(&slow)
    };
    let mut arm = Streamed::new(&items, body, false).expect("items");
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let (windows, items) = (launch.batch_shape.windows, launch.batch_shape.items);
    assert!(
        items > 3,
        "a window that goes round: {:?}",
        launch.batch_shape
    );
    let expected = windows * (items * 100 + FIXED);
    assert!(of_kind(&launch, 1).iter().all(|&ticks| ticks == expected));
    assert!(launch.fixed_item.is_some());
    let seen = seen.borrow();
    assert_eq!(seen[..5], [1, 2, 3, 1, 2]);
}

#[test]
fn a_stream_has_items() {
    let none: [u8; 0] = [];
    assert!(Streamed::new(&none, |_| (), false).is_none());
}
