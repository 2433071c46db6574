//! The meter around another allocator, with the sizes that it reports.

#![cfg(target_os = "linux")]

use std::alloc::Layout;

use mimalloc::MiMalloc;
use tourbillon_mem::{BlockSize, Meter, assert_allocs, count, footprint, installed};

unsafe fn usable(block: *const u8, _layout: Layout) -> Option<BlockSize> {
    // SAFETY: by the promise to `with_usable_size`, the block is a live one of mimalloc's.
    let usable_bytes = unsafe { libmimalloc_sys::mi_usable_size(block.cast()) };
    Some(BlockSize {
        usable_bytes,
        chunk_bytes: None,
    })
}

// SAFETY: `usable` asks mimalloc about mimalloc's own blocks, which neither allocates nor unwinds.
#[global_allocator]
static ALLOC: Meter<MiMalloc> = unsafe { Meter::new(MiMalloc).with_usable_size(usable) };

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

#[test]
fn usable_bytes_are_the_allocators_and_headers_are_unknown() {
    for bytes in [1, 7, 16, 100, 1000, 100_000] {
        let owned = footprint(|| vec![1_u8; bytes]).owned;
        assert_eq!(owned.requested_bytes, bytes as u64);
        let good = libmimalloc_usable(bytes);
        assert_eq!(owned.usable_bytes, Some(good), "{bytes}");
        assert_eq!(owned.chunk_bytes, None);
        assert_eq!(owned.overhead_bytes(), Some(good - bytes as u64));
    }
}

/// What mimalloc rounds a size up to.
fn libmimalloc_usable(bytes: usize) -> u64 {
    // SAFETY: a pure function of the size.
    unsafe { libmimalloc_sys::mi_good_size(bytes) as u64 }
}

#[test]
fn large_alignments_and_zeroed_blocks_go_through() {
    #[repr(align(4096))]
    struct Page([u8; 4096]);
    let boxed = footprint(|| Box::new(Page([1; 4096])));
    assert_eq!((boxed.owned.blocks, boxed.owned.requested_bytes), (1, 4096));
    let zeroed = footprint(|| vec![0_u64; 100_000]);
    assert_eq!(
        (zeroed.owned.blocks, zeroed.owned.requested_bytes),
        (1, 800_000)
    );
    assert_eq!(Page([1; 4096]).0[0], 1);
}
