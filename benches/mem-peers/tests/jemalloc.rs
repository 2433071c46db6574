//! The meter around jemalloc; here, as jemalloc takes two minutes to build.

use std::alloc::Layout;

use tikv_jemallocator::Jemalloc;
use tourbillon_mem::{BlockSize, Meter, assert_allocs, count, footprint, installed};

unsafe fn usable(block: *const u8, _layout: Layout) -> Option<BlockSize> {
    // SAFETY: by the promise to `with_usable_size`, the block is a live one of jemalloc's.
    let usable_bytes = unsafe { tikv_jemalloc_sys::malloc_usable_size(block.cast()) };
    Some(BlockSize {
        usable_bytes,
        chunk_bytes: None,
    })
}

// SAFETY: `usable` asks jemalloc about jemalloc's own blocks, which neither allocates nor unwinds.
#[global_allocator]
static ALLOC: Meter<Jemalloc> = unsafe { Meter::new(Jemalloc).with_usable_size(usable) };

#[test]
fn counts_are_those_of_the_program_whatever_the_allocator() {
    assert!(installed());
    let (list, used) = count(|| {
        let mut list = Vec::new();
        (0..1000_u32).for_each(|item| list.push(item));
        list
    });
    assert_eq!((used.allocs, used.requests()), (1, 9));
    assert_eq!((used.live_bytes(), used.peak_bytes), (4096, 4096));
    assert_allocs!(0, drop(list));
}

/// Jemalloc's size classes: multiples of 16 up to 128, then four to each doubling.
#[test]
fn usable_bytes_are_the_allocators_and_headers_are_unknown() {
    for (bytes, usable) in [
        (1, 8),
        (9, 16),
        (17, 32),
        (100, 112),
        (130, 160),
        (1000, 1024),
    ] {
        let owned = footprint(|| vec![1_u8; bytes]).owned;
        assert_eq!(owned.requested_bytes, bytes as u64);
        assert_eq!(owned.usable_bytes, Some(usable), "{bytes}");
        assert_eq!(owned.chunk_bytes, None);
    }
}

/// What the allocator itself counts for this thread: the usable bytes of all that was allocated.
#[test]
fn jemallocs_own_count_agrees() {
    fn allocated() -> u64 {
        let (mut bytes, mut length) = (0_u64, size_of::<u64>());
        let name = c"thread.allocated".as_ptr();
        // SAFETY: the name is one of jemalloc's, whose value is a number of 64 bits.
        let failed = unsafe {
            tikv_jemalloc_sys::mallctl(
                name,
                (&raw mut bytes).cast(),
                &raw mut length,
                std::ptr::null_mut(),
                0,
            )
        };
        assert_eq!(failed, 0);
        bytes
    }
    // The first count of a process tries whether there is a meter: with a block that it does not count.
    tourbillon_mem::tally(|| ()).unwrap();
    for count in [1, 10, 500] {
        let before = allocated();
        let ((), used) = tourbillon_mem::tally(|| {
            for _ in 0..count {
                // A size class of its own, so that requested and usable are the same.
                drop(std::hint::black_box(Vec::<u8>::with_capacity(1024)));
            }
        })
        .unwrap();
        assert_eq!(allocated() - before, used.allocated_bytes);
    }
}
