//! An allocator that does nothing, and the two ways in which code calls an allocator.

use std::alloc::{GlobalAlloc, Layout};
use std::arch::asm;
use std::cell::UnsafeCell;

/// A static allocator, known by its type: as with a program's global one, its address is in the code and not in
/// a register.
pub(crate) trait Fixed {
    type Allocator: GlobalAlloc + 'static;

    fn get() -> &'static Self::Allocator;
}

macro_rules! forward {
    ($(#[$doc:meta])* $name:ident, $inline:meta) => {
        $(#[$doc])*
        pub(crate) struct $name<F>(pub(crate) F);

        // SAFETY: every call is forwarded unchanged.
        unsafe impl<F: Fixed> GlobalAlloc for $name<F> {
            #[$inline]
            unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
                // SAFETY: the caller's promise is that of this call.
                unsafe { F::get().alloc(layout) }
            }

            #[$inline]
            unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
                // SAFETY: the caller's promise is that of this call.
                unsafe { F::get().alloc_zeroed(layout) }
            }

            #[$inline]
            unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
                // SAFETY: the caller's promise is that of this call.
                unsafe { F::get().dealloc(block, layout) }
            }

            #[$inline]
            unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
                // SAFETY: the caller's promise is that of this call.
                unsafe { F::get().realloc(block, layout, new_size) }
            }
        }
    };
}

forward! {
    /// Through a function for each of the four calls, as programs reach their global allocator.
    Called, inline(never)
}

forward! {
    /// Inlined into its caller, as by link-time optimisation.
    Inlined, inline(always)
}

/// An allocator that returns the same address at every call, so that its cost is that of the meter around it;
/// no code may write to that memory.
pub(crate) struct Nothing;

struct Place(UnsafeCell<[u64; 2]>);

// SAFETY: only its address is used.
unsafe impl Sync for Place {}

static PLACE: Place = Place(UnsafeCell::new([0; 2]));

/// No instruction, but the compiler assumes one: it would remove a call of an empty function.
#[inline(always)]
fn as_if_something() {
    // SAFETY: no instruction is executed.
    unsafe { asm!("", options(nomem, nostack, preserves_flags)) }
}

// SAFETY: the bodies store nothing in the blocks.
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
