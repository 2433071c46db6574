//! Regions: nested, unwinding, of other threads, of the whole process.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Barrier, Mutex, mpsc};

use tourbillon_mem::{Counts, count, count_process, installed, tally, try_count};

fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

#[test]
fn nothing_is_a_result() {
    assert!(installed());
    let ((), used) = count(|| ());
    assert_eq!(used.counts, Counts::default());
    assert!(used.is_zero());
    assert_eq!(used.to_string(), "0 allocs");
    assert_eq!(used.sizes.to_string(), "no blocks");
}

#[test]
fn what_is_kept_and_what_was_for_a_while_are_apart() {
    let (kept, used) = tally(|| {
        drop(block(1000));
        let kept = block(100);
        drop((block(10), block(20)));
        kept
    })
    .unwrap();
    let expected = Counts {
        allocs: 4,
        frees: 3,
        allocated_bytes: 1130,
        freed_bytes: 1030,
        peak_bytes: 1000,
        peak_blocks: 3,
        ..Counts::default()
    };
    assert_eq!(used, expected);
    assert_eq!((used.live_bytes(), used.live_blocks()), (100, 1));
    let ((), used) = tally(|| drop(kept)).unwrap();
    assert_eq!((used.live_bytes(), used.live_blocks()), (-100, -1));
    assert_eq!((used.peak_bytes, used.peak_blocks), (0, 0));
}

#[test]
fn regions_inside_of_regions_count_the_same_events() {
    let (inner, outer) = count(|| {
        let first = block(1000);
        drop(first);
        let (kept, inner) = count(|| {
            let ((), innermost) = count(|| drop(block(300)));
            assert_eq!(innermost.peak_bytes, 300);
            assert_eq!(innermost.sizes.first(), [300]);
            block(7)
        });
        drop(block(2));
        drop(kept);
        inner
    });
    assert_eq!((inner.allocs, inner.frees, inner.peak_bytes), (2, 1, 300));
    assert_eq!(inner.sizes.first(), [300, 7]);
    assert_eq!((outer.allocs, outer.frees, outer.peak_bytes), (4, 4, 1000));
    assert_eq!(outer.sizes.first(), [1000, 300, 7, 2]);
    assert_eq!(outer.live_bytes(), 0);
}

#[test]
fn the_peak_of_a_part_is_one_of_the_whole() {
    let (_, outer) = tally(|| {
        let _held = block(50);
        let ((), inner) = tally(|| drop(block(500))).unwrap();
        assert_eq!((inner.peak_bytes, inner.peak_blocks), (500, 1));
    })
    .unwrap();
    assert_eq!((outer.peak_bytes, outer.peak_blocks), (550, 2));
}

#[test]
fn a_panic_inside_leaves_counting_as_it_was() {
    let (caught, outer) = count(|| {
        let _held = block(11);
        catch_unwind(AssertUnwindSafe(|| {
            count(|| {
                let _lost = block(33);
                // No message is printed or allocated for this one.
                std::panic::resume_unwind(Box::new(5_u64));
            })
        }))
        .map(|((), _)| ())
    });
    assert!(caught.is_err());
    assert_eq!(outer.sizes.first()[..2], [11, 33]);
    assert!(outer.peak_bytes >= 44);
    // The payload lives on.
    assert_eq!(outer.live_bytes(), 8);
    let ((), after) = count(|| drop(block(1)));
    assert_eq!((after.allocs, after.peak_bytes), (1, 1));
    assert_eq!(after.sizes.first(), [1]);
}

#[test]
fn what_another_thread_does_meanwhile_is_not_counted() {
    let (begin, end) = (Barrier::new(2), Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            begin.wait();
            (1..1000).for_each(|bytes| drop(block(bytes)));
            end.wait();
        });
        let ((), used) = count(|| {
            begin.wait();
            end.wait();
        });
        assert!(used.is_zero(), "{used}");
    });
}

#[test]
fn blocks_that_cross_threads_are_counted_where_each_thing_happens() {
    let slot = Mutex::new(None);
    let ((), here) = tally(|| *slot.lock().unwrap() = Some(block(5000))).unwrap();
    assert_eq!((here.allocs, here.live_bytes()), (1, 5000));
    let there = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let body = || {
                drop(slot.lock().unwrap().take());
                drop(block(70));
            };
            tally(body).unwrap().1
        });
        other.join().unwrap()
    });
    let expected = Counts {
        allocs: 1,
        frees: 2,
        allocated_bytes: 70,
        freed_bytes: 5070,
        ..Counts::default()
    };
    // Less is live than at the beginning all the time, so there is no peak above it.
    assert_eq!(there, expected);
    assert_eq!((there.live_bytes(), there.live_blocks()), (-5000, -1));
}

#[test]
fn threads_of_the_body_are_counted_for_the_process() {
    let (kept, used) = count_process(|| {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        drop(block(3_000_000));
                        block(1_000_000)
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap())
                .collect::<Vec<_>>()
        })
    });
    // Other tests run at the same time, so there may be more, but not less.
    assert!(used.allocated_elsewhere_bytes() >= 16_000_000, "{used}");
    assert!(used.requests_elsewhere() >= 8, "{used}");
    assert!(used.process.peak_bytes >= 4_000_000, "{used}");
    assert!(used.thread.allocated_bytes < 1_000_000, "{used}");
    assert!(used.to_string().contains("on other threads"), "{used}");
    assert_eq!(kept.len(), 4);
}

/// Thread-locals are dropped when the counters of the thread must still be there.
#[test]
fn counting_works_while_a_thread_shuts_down() {
    struct Late(mpsc::Sender<u64>);
    impl Drop for Late {
        fn drop(&mut self) {
            let ((), used) = try_count(|| drop(block(123))).unwrap();
            let _ = self.0.send(used.allocated_bytes);
        }
    }
    thread_local! {
        static LATE: std::cell::RefCell<Option<Late>> = const { std::cell::RefCell::new(None) };
    }
    let (send, receive) = mpsc::channel();
    std::thread::spawn(|| LATE.set(Some(Late(send))))
        .join()
        .unwrap();
    assert_eq!(receive.recv().unwrap(), 123);
}

/// 64 GiB that are never written: possible only with lazily zeroed memory.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn zeroed_memory_stays_lazy() {
    use std::alloc::{Layout, alloc_zeroed, dealloc};

    let layout = Layout::from_size_align(64 << 30, 8).unwrap();
    let (block, used) = count(|| {
        // SAFETY: the layout has a size that is not zero.
        unsafe { black_box(alloc_zeroed(layout)) }
    });
    if block.is_null() {
        // A machine that does not overcommit memory; the failure is counted.
        assert_eq!((used.allocs, used.failed), (0, 1));
        return;
    }
    assert_eq!((used.allocs, used.allocated_bytes), (1, 64 << 30));
    // SAFETY: allocated above with this layout.
    unsafe { dealloc(block, layout) };
}

/// More than a process can have; with 32 bits it might get that much.
#[cfg(target_pointer_width = "64")]
#[test]
fn what_cannot_be_served_is_not_a_block() {
    let (result, used) = count(|| black_box(Vec::<u8>::new()).try_reserve(isize::MAX as usize));
    assert!(result.is_err());
    assert_eq!(
        used.counts,
        Counts {
            failed: 1,
            ..Counts::default()
        }
    );
    assert_eq!(
        used.to_string(),
        "0 allocs (0 B), 1 failed, kept 0 B, peak 0 B"
    );
}
