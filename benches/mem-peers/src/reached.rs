//! The two ways in which code reaches an allocator.

use std::alloc::{GlobalAlloc, Layout};

/// A static allocator, known by its type: as with a program's global one, where it lies is in the code
/// and not in a register.
pub(crate) trait Fixed {
    type Allocator: GlobalAlloc + 'static;

    fn get() -> &'static Self::Allocator;
}

macro_rules! passes_on {
    ($(#[$doc:meta])* $name:ident, $inline:meta) => {
        $(#[$doc])*
        pub(crate) struct $name<F>(pub(crate) F);

        // SAFETY: every call is passed on as it is.
        unsafe impl<F: Fixed> GlobalAlloc for $name<F> {
            #[$inline]
            unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
                // SAFETY: the caller's promise is that of this very call.
                unsafe { F::get().alloc(layout) }
            }

            #[$inline]
            unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
                // SAFETY: the caller's promise is that of this very call.
                unsafe { F::get().alloc_zeroed(layout) }
            }

            #[$inline]
            unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
                // SAFETY: the caller's promise is that of this very call.
                unsafe { F::get().dealloc(block, layout) }
            }

            #[$inline]
            unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
                // SAFETY: the caller's promise is that of this very call.
                unsafe { F::get().realloc(block, layout, new_size) }
            }
        }
    };
}

passes_on! {
    /// Through a function for each of the four calls, as programs reach their global allocator.
    Called, inline(never)
}

passes_on! {
    /// Compiled as one with the code that calls, as link-time optimisation may do it.
    Inlined, inline(always)
}
