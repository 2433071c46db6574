//! Calls of an allocator, with the meter around it and without, for the assembly test. Compiled with
//! optimisation by the test.

use std::alloc::{GlobalAlloc, Layout};

use tourbillon_mem::Meter;

unsafe extern "Rust" {
    fn inner_alloc(layout: Layout) -> *mut u8;
    fn inner_zeroed(layout: Layout) -> *mut u8;
    fn inner_dealloc(block: *mut u8, layout: Layout);
    fn inner_realloc(block: *mut u8, layout: Layout, new: usize) -> *mut u8;
}

/// An allocator of which only the calls are known.
struct Inner;

// SAFETY: never run; whatever the functions are, they would be called as they came.
unsafe impl GlobalAlloc for Inner {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: never run.
        unsafe { inner_alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: never run.
        unsafe { inner_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: never run.
        unsafe { inner_dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new: usize) -> *mut u8 {
        // SAFETY: never run.
        unsafe { inner_realloc(block, layout, new) }
    }
}

static METER: Meter<Inner> = Meter::new(Inner);
static PLAIN: Inner = Inner;

/// The four calls of one allocator, as functions with names that the test looks for.
macro_rules! calls {
    ($allocator:ident: $alloc:ident, $zeroed:ident, $dealloc:ident, $realloc:ident) => {
        #[unsafe(no_mangle)]
        unsafe fn $alloc(layout: Layout) -> *mut u8 {
            // SAFETY: never run.
            unsafe { $allocator.alloc(layout) }
        }

        #[unsafe(no_mangle)]
        unsafe fn $zeroed(layout: Layout) -> *mut u8 {
            // SAFETY: never run.
            unsafe { $allocator.alloc_zeroed(layout) }
        }

        #[unsafe(no_mangle)]
        unsafe fn $dealloc(block: *mut u8, layout: Layout) {
            // SAFETY: never run.
            unsafe { $allocator.dealloc(block, layout) }
        }

        #[unsafe(no_mangle)]
        unsafe fn $realloc(block: *mut u8, layout: Layout, new: usize) -> *mut u8 {
            // SAFETY: never run.
            unsafe { $allocator.realloc(block, layout, new) }
        }
    };
}

calls!(PLAIN: plain_alloc, plain_zeroed, plain_dealloc, plain_realloc);
calls!(METER: meter_alloc, meter_zeroed, meter_dealloc, meter_realloc);
