//! The meter around a scripted allocator: blocks that move or stay, calls that fail. A separate program without
//! a test harness, whose threads would allocate at any time: so the counts of the whole process are exact.

use std::alloc::{GlobalAlloc, Layout, System, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;
use std::ptr;
use std::sync::Barrier;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};

use tourbillon_mem::{Counts, Meter, count, footprint, installed, tally, tally_process};

/// Passes on what it does not have to change.
struct Scripted;

/// Whether blocks move when they are reallocated; else they stay, with room to grow.
static MOVES: AtomicBool = AtomicBool::new(false);
static FAILS: AtomicBool = AtomicBool::new(false);
static ALLOCS: AtomicUsize = AtomicUsize::new(0);
static ZEROED: AtomicUsize = AtomicUsize::new(0);
static REALLOCS: AtomicUsize = AtomicUsize::new(0);

/// As much room for each block as the largest here will need, so that it can grow where it is.
const ROOM: usize = 4096;

fn roomy(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size().max(ROOM), layout.align()).unwrap_or(layout)
}

// SAFETY: blocks are the system's, with more room than asked for, and freed as what they were
// allocated; a moved block is copied before the old one is freed.
unsafe impl GlobalAlloc for Scripted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCS.fetch_add(1, Relaxed);
        if FAILS.load(Relaxed) {
            return ptr::null_mut();
        }
        // SAFETY: the caller's promise, for a block with more room.
        unsafe { System.alloc(roomy(layout)) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ZEROED.fetch_add(1, Relaxed);
        if FAILS.load(Relaxed) {
            return ptr::null_mut();
        }
        // SAFETY: the caller's promise, for a block with more room.
        unsafe { System.alloc_zeroed(roomy(layout)) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, for the block with more room that it was.
        unsafe { System.dealloc(block, roomy(layout)) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        REALLOCS.fetch_add(1, Relaxed);
        if FAILS.load(Relaxed) {
            return ptr::null_mut();
        }
        let Ok(new) = Layout::from_size_align(new_size, layout.align()) else {
            return ptr::null_mut();
        };
        if !MOVES.load(Relaxed) && roomy(new) == roomy(layout) {
            return block;
        }
        // SAFETY: the caller's promises; both blocks have as many bytes as are copied.
        unsafe {
            let moved = System.alloc(roomy(new));
            if !moved.is_null() {
                let bytes = layout.size().min(new_size);
                ptr::copy_nonoverlapping(block, moved, bytes);
                System.dealloc(block, roomy(layout));
            }
            moved
        }
    }
}

#[global_allocator]
static ALLOC: Meter<Scripted> = Meter::new(Scripted);

const SMALL: Layout = Layout::new::<[u8; 100]>();

fn main() {
    assert!(installed());
    a_block_that_stays_is_in_place_and_one_that_moves_is_copied();
    all_four_calls_reach_the_allocator_as_they_are();
    calls_that_fail_change_nothing_but_their_own_count();
    the_size_of_blocks_is_unknown_without_a_function_for_it();
    the_process_is_the_sum_of_its_threads();
    nested_regions_of_the_process_have_peaks_of_their_own();
    more_threads_than_have_counters_of_their_own_are_counted_exactly();
}

fn a_block_that_stays_is_in_place_and_one_that_moves_is_copied() {
    for (moves, new_size) in [
        (false, 300),
        (true, 300),
        (false, 40),
        (true, 40),
        (true, 100),
    ] {
        // SAFETY: the layout has a size that is not zero.
        let block = unsafe { black_box(alloc(SMALL)) };
        MOVES.store(moves, Relaxed);
        // SAFETY: allocated above with this layout; the new size is not zero.
        let (block, used) = count(|| unsafe { black_box(realloc(block, SMALL, new_size)) });
        MOVES.store(false, Relaxed);
        let copied = if moves { new_size.min(100) } else { 0 };
        let expected = Counts {
            reallocs_in_place: u64::from(!moves),
            reallocs_moved: u64::from(moves),
            allocated_bytes: new_size.saturating_sub(100) as u64,
            freed_bytes: 100_usize.saturating_sub(new_size) as u64,
            copied_bytes: copied as u64,
            peak_bytes: new_size.saturating_sub(100) as u64,
            ..Counts::default()
        };
        assert_eq!(used.counts, expected);
        assert_eq!(used.sizes.first(), [new_size]);
        let layout = Layout::from_size_align(new_size, 1).expect("a size that exists");
        // SAFETY: this is what the block is now.
        unsafe { dealloc(block, layout) };
    }
}

fn all_four_calls_reach_the_allocator_as_they_are() {
    let calls = || [&ALLOCS, &ZEROED, &REALLOCS].map(|calls| calls.load(Relaxed));
    let steps = || {
        // SAFETY: sizes are not zero, and each block is used as what it is.
        unsafe {
            let block = black_box(alloc(SMALL));
            let block = black_box(realloc(block, SMALL, 200));
            dealloc(block, Layout::new::<[u8; 200]>());
            dealloc(black_box(alloc_zeroed(SMALL)), SMALL);
        }
    };
    // Counting or not makes no difference to the allocator.
    for counted in [false, true] {
        let before = calls();
        if counted {
            let ((), used) = tally(steps).expect("installed");
            assert_eq!((used.allocs, used.frees, used.reallocs_in_place), (2, 2, 1));
        } else {
            steps();
        }
        let after = calls();
        assert_eq!([0, 1, 2].map(|k| after[k] - before[k]), [1, 1, 1]);
    }
}

fn calls_that_fail_change_nothing_but_their_own_count() {
    // SAFETY: sizes are not zero, and the block stays what it was when it cannot be reallocated.
    unsafe {
        let block = black_box(alloc(SMALL));
        let (all_null, used) = tally_process(|| {
            FAILS.store(true, Relaxed);
            let made = [
                black_box(alloc(SMALL)),
                black_box(alloc_zeroed(SMALL)),
                black_box(realloc(block, SMALL, 5000)),
            ];
            FAILS.store(false, Relaxed);
            made.iter().all(|block| block.is_null())
        })
        .expect("installed");
        let expected = Counts {
            failed: 3,
            ..Counts::default()
        };
        assert!(all_null);
        assert_eq!((used.thread, used.process), (expected, expected));
        dealloc(block, SMALL);
    }
}

fn the_size_of_blocks_is_unknown_without_a_function_for_it() {
    let owned = footprint(|| vec![1_u8; 100]).owned;
    assert_eq!((owned.usable_bytes, owned.chunk_bytes), (None, None));
    assert_eq!((owned.requested_bytes, owned.overhead_bytes()), (100, None));
    // Without blocks, no size is unknown.
    let nothing = footprint(|| 5_u8).owned;
    assert_eq!(
        (nothing.usable_bytes, nothing.chunk_bytes),
        (Some(0), Some(0))
    );
}

fn the_process_is_the_sum_of_its_threads() {
    let ((mine, theirs), used) = tally_process(|| {
        std::thread::scope(|scope| {
            let workers = [1_u64, 2, 3].map(|seed| scope.spawn(move || work(seed)));
            let ((), mine) = tally(|| drop(black_box(vec![1_u8; 10]))).expect("installed");
            (mine, workers.map(|worker| worker.join().expect("no panic")))
        })
    })
    .expect("installed");
    assert_eq!((mine.allocs, mine.allocated_bytes), (1, 10));
    let sum = |what: fn(&Counts) -> u64| theirs.iter().map(what).sum::<u64>();
    // Threads allocate a little at their start and end, beyond what they counted themselves.
    let elsewhere = used.requests_elsewhere() - sum(Counts::requests);
    assert!(elsewhere < 20, "{used}");
    assert!(used.process.reallocs_in_place >= sum(|counts| counts.reallocs_in_place));
    assert!(used.process.frees >= sum(|counts| counts.frees));
    // Everything is freed, except what the threads themselves keep.
    let kept = used.process.live_bytes();
    assert!(kept.unsigned_abs() < 2000, "{used}");
}

/// Some thousand allocations of which none remains.
fn work(seed: u64) -> Counts {
    let body = || {
        for round in 0..1000 {
            let mut list = black_box(Vec::with_capacity(1));
            (0..=(round * seed) % 100).for_each(|item| list.push(item));
        }
    };
    let ((), counts) = tally(body).expect("installed");
    assert_eq!((counts.live_bytes(), counts.live_blocks()), (0, 0));
    assert_eq!(counts.allocs, 1000);
    counts
}

fn nested_regions_of_the_process_have_peaks_of_their_own() {
    let (inner, outer) = tally_process(|| {
        let held = black_box(vec![1_u8; 50]);
        drop(black_box(vec![1_u8; 900]));
        let ((), inner) = tally_process(|| drop(black_box(vec![1_u8; 500]))).expect("installed");
        drop(held);
        inner
    })
    .expect("installed");
    assert_eq!(
        (inner.process.peak_bytes, inner.process.peak_blocks),
        (500, 1)
    );
    assert_eq!(
        (outer.process.peak_bytes, outer.process.peak_blocks),
        (950, 2)
    );
    assert_eq!(inner.process, inner.thread);
    assert_eq!(outer.process, outer.thread);
    assert_eq!(outer.to_string(), outer.process.to_string());
}

/// Threads that are there before the region opens and stay until it has closed, so that their own
/// beginning and end are not in it.
fn more_threads_than_have_counters_of_their_own_are_counted_exactly() {
    const THREADS: usize = 24;
    let turn = AtomicUsize::new(usize::MAX);
    let [begin, made, done, leave] = [(); 4].map(|()| Barrier::new(THREADS + 1));
    std::thread::scope(|scope| {
        let workers: [_; THREADS] = std::array::from_fn(|index| {
            let (turn, begin, all_made, done, leave) = (&turn, &begin, &made, &done, &leave);
            scope.spawn(move || {
                begin.wait();
                // All blocks are made one after another before the first is freed, then all threads
                // work at the same time.
                while turn.load(Acquire) != index {
                    std::thread::yield_now();
                }
                let (block, made) = tally(|| black_box(vec![1_u8; 100])).expect("installed");
                turn.fetch_add(1, AcqRel);
                all_made.wait();
                let ((), freed) = tally(|| drop(block)).expect("installed");
                let later = work(index as u64);
                done.wait();
                leave.wait();
                [made, freed, later]
            })
        });
        begin.wait();
        let ((), used) = tally_process(|| {
            turn.store(0, Release);
            made.wait();
            done.wait();
        })
        .expect("installed");
        leave.wait();
        let parts: Vec<Counts> = workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("no panic"))
            .collect();
        let sum = |what: fn(&Counts) -> u64| parts.iter().map(what).sum::<u64>();
        assert!(used.thread.is_zero());
        for (what, of_process) in [
            (sum(|part| part.allocs), used.process.allocs),
            (sum(|part| part.frees), used.process.frees),
            (sum(Counts::requests), used.process.requests()),
            (
                sum(|part| part.allocated_bytes),
                used.process.allocated_bytes,
            ),
            (sum(|part| part.freed_bytes), used.process.freed_bytes),
            (sum(|part| part.copied_bytes), used.process.copied_bytes),
        ] {
            assert_eq!(what, of_process, "{used}");
        }
        assert_eq!(used.process.live_bytes(), 0);
        assert!(used.process.peak_blocks >= THREADS as u64, "{used}");
        assert!(used.process.peak_bytes >= 100 * THREADS as u64, "{used}");
    });
}
