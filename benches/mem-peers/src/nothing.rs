//! An allocator that does nothing, so that what counts around it is all that costs.

use std::alloc::{GlobalAlloc, Layout};
use std::arch::asm;
use std::cell::UnsafeCell;

/// Hands out the same memory again and again; no code may write to it.
pub(crate) struct Nothing;

struct Place(UnsafeCell<[u64; 2]>);

// SAFETY: only its address is used.
unsafe impl Sync for Place {}

static PLACE: Place = Place(UnsafeCell::new([0; 2]));

/// No instruction, but one that the compiler believes to be there: a call of a function that does
/// nothing at all would be removed.
#[inline(always)]
fn as_if_something() {
    // SAFETY: nothing is done.
    unsafe { asm!("", options(nomem, nostack, preserves_flags)) }
}

// SAFETY: not an allocator to store anything in; the bodies do not.
unsafe impl GlobalAlloc for Nothing {
    #[inline]
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        as_if_something();
        PLACE.0.get().cast()
    }

    #[inline]
    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {
        as_if_something();
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, _layout: Layout, _new_size: usize) -> *mut u8 {
        as_if_something();
        block
    }
}
