//! A meter inside an allocator that changes requests is detected.

use std::alloc::{GlobalAlloc, Layout};

use tourbillon_mem::{Meter, check_installed, installed, tally};

/// Makes every block 16 bytes larger, as allocators that store notes next to the blocks.
struct Larger(Meter);

fn larger(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size() + 16, layout.align()).unwrap_or(layout)
}

// SAFETY: blocks are those of the system, larger than requested, and freed with the layout with which they
// were allocated.
unsafe impl GlobalAlloc for Larger {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise, for a larger block.
        unsafe { self.0.alloc(larger(layout)) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, for the larger block that it was.
        unsafe { self.0.dealloc(block, larger(layout)) }
    }
}

#[global_allocator]
static ALLOC: Larger = Larger(Meter::system());

#[test]
fn counts_that_would_not_be_the_programs_are_refused() {
    assert!(!installed());
    let error = check_installed().unwrap_err();
    assert!(!error.is_absent());
    assert!(
        error
            .to_string()
            .contains("make it the outermost global allocator")
    );
    assert_eq!(tally(|| ()).unwrap_err(), error);
}
