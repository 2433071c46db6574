//! The allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::usable::UsableSize;
use crate::{hooks, tally, usable};

/// A global allocator that passes every call on to another one, and counts while a region is open.
///
/// # Examples
/// ```
/// use tourbillon_mem::Meter;
///
/// #[global_allocator]
/// static ALLOC: Meter = Meter::system();
///
/// let (text, used) = tourbillon_mem::count(|| "a".repeat(16));
/// assert_eq!((used.allocs, used.allocated_bytes), (1, 16));
/// # drop(text);
/// ```
///
/// # Accuracy
/// Counts every block that the optimised program requests from Rust's allocator; the compiler may remove
/// an allocation whose block is unused. All four calls are passed on unchanged, so zeroed memory stays
/// lazy and blocks still grow in place. A failed call is not a block. Allocations of C code, mapped
/// memory and stacks are not counted.
///
/// # Cost
/// While nothing is counted: one relaxed load and a branch that is not taken, for each call. While
/// something is counted: a few additions in memory of the calling thread. `scripts/mem-cost.sh` measures
/// both, and `scripts/mem-off.sh` whether the first changes the results of benchmarks.
#[derive(Debug)]
pub struct Meter<A = System> {
    inner: A,
    usable: Option<UsableSize>,
}

impl Meter {
    /// Counts calls of the system's allocator.
    #[must_use]
    pub const fn system() -> Self {
        Self {
            inner: System,
            usable: Some(usable::system),
        }
    }
}

impl<A> Meter<A> {
    /// Counts calls of `inner`; the real size of its blocks stays unknown.
    #[must_use]
    pub const fn new(inner: A) -> Self {
        Self {
            inner,
            usable: None,
        }
    }

    /// Adds the function that returns the real size of a block of `A`.
    ///
    /// # Safety
    /// `usable` may be called with any live block of `A` and the layout it was asked for with; it
    /// must neither allocate nor unwind.
    ///
    /// # Examples
    /// ```
    /// use std::alloc::{Layout, System};
    ///
    /// use tourbillon_mem::{BlockSize, Meter};
    ///
    /// unsafe fn whole_words(_block: *const u8, layout: Layout) -> Option<BlockSize> {
    ///     let usable_bytes = layout.size().next_multiple_of(8);
    ///     Some(BlockSize { usable_bytes, chunk_bytes: None })
    /// }
    ///
    /// // SAFETY: `whole_words` reads no block, allocates nothing and cannot unwind.
    /// let meter = unsafe { Meter::new(System).with_usable_size(whole_words) };
    /// # let _ = meter;
    /// ```
    #[must_use]
    pub const unsafe fn with_usable_size(mut self, usable: UsableSize) -> Self {
        self.usable = Some(usable);
        self
    }
}

// SAFETY: every call is passed on unchanged to `inner`, which upholds the contract, and its result is
// returned unchanged; the hooks neither allocate nor unwind.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Meter<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if tally::is_counting() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { Self::counted_alloc(layout, self) };
        }
        // SAFETY: the caller's promise is that of this very call.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if tally::is_counting() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { Self::counted_alloc_zeroed(layout, self) };
        }
        // SAFETY: the caller's promise is that of this very call.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if tally::is_counting() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { Self::counted_dealloc(block, layout, self) };
        }
        // SAFETY: the caller's promise is that of this very call.
        unsafe { self.inner.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if tally::is_counting() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { Self::counted_realloc(block, layout, new_size, self) };
        }
        // SAFETY: the caller's promise is that of this very call.
        unsafe { self.inner.realloc(block, layout, new_size) }
    }
}

/// The calls while something is counted. They are separate from those above, which are a test and a
/// jump into the inner allocator while nothing is counted. The `watched` ones, which keep all arguments
/// until the inner allocator returns, are separate again. The `counted` ones take the meter last: a
/// receiver would move the arguments to other registers before the test (tests/assembly.rs).
impl<A: GlobalAlloc> Meter<A> {
    /// # Safety
    /// As [`GlobalAlloc::alloc`].
    #[cold]
    #[inline(never)]
    unsafe fn counted_alloc(layout: Layout, meter: &Self) -> *mut u8 {
        if tally::more_wanted() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { meter.watched_alloc(layout) };
        }
        // SAFETY: the caller's promise is that of this very call.
        let block = unsafe { meter.inner.alloc(layout) };
        hooks::allocated(block, layout.size())
    }

    /// # Safety
    /// As [`GlobalAlloc::alloc_zeroed`].
    #[cold]
    #[inline(never)]
    unsafe fn counted_alloc_zeroed(layout: Layout, meter: &Self) -> *mut u8 {
        if tally::more_wanted() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { meter.watched_alloc_zeroed(layout) };
        }
        // SAFETY: the caller's promise is that of this very call.
        let block = unsafe { meter.inner.alloc_zeroed(layout) };
        hooks::allocated(block, layout.size())
    }

    /// # Safety
    /// As [`GlobalAlloc::dealloc`].
    #[cold]
    #[inline(never)]
    unsafe fn counted_dealloc(block: *mut u8, layout: Layout, meter: &Self) {
        if tally::more_wanted() {
            // SAFETY: the block is live until the next call, by the caller's promise.
            unsafe { hooks::watch_freeing(block, layout, meter.usable) };
        } else {
            hooks::freeing(layout.size());
        }
        // SAFETY: the caller's promise is that of this very call.
        unsafe { meter.inner.dealloc(block, layout) }
    }

    /// # Safety
    /// As [`GlobalAlloc::realloc`].
    #[cold]
    #[inline(never)]
    unsafe fn counted_realloc(
        block: *mut u8,
        layout: Layout,
        new_size: usize,
        meter: &Self,
    ) -> *mut u8 {
        if tally::more_wanted() {
            // SAFETY: the caller's promise is that of this very call.
            return unsafe { meter.watched_realloc(block, layout, new_size) };
        }
        let address = block.addr();
        // SAFETY: the caller's promise is that of this very call.
        let block = unsafe { meter.inner.realloc(block, layout, new_size) };
        hooks::reallocated(address, block, layout.size(), new_size)
    }

    /// # Safety
    /// As [`GlobalAlloc::alloc`].
    #[inline(never)]
    unsafe fn watched_alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is that of this very call.
        let block = unsafe { self.inner.alloc(layout) };
        // SAFETY: the block is what `inner` returned for this layout just now.
        unsafe { hooks::watch_allocated(block, layout, self.usable) };
        block
    }

    /// # Safety
    /// As [`GlobalAlloc::alloc_zeroed`].
    #[inline(never)]
    unsafe fn watched_alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is that of this very call.
        let block = unsafe { self.inner.alloc_zeroed(layout) };
        // SAFETY: the block is what `inner` returned for this layout just now.
        unsafe { hooks::watch_allocated(block, layout, self.usable) };
        block
    }

    /// # Safety
    /// As [`GlobalAlloc::realloc`].
    #[inline(never)]
    unsafe fn watched_realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the block is live until the next call, by the caller's promise.
        let before = unsafe { hooks::size_before(block, layout, self.usable) };
        let address = block.addr();
        // SAFETY: the caller's promise is that of this very call.
        let block = unsafe { self.inner.realloc(block, layout, new_size) };
        let change = hooks::Change {
            address,
            layout,
            new_size,
            before,
        };
        // SAFETY: the block is what `inner` returned for `new_size` just now.
        unsafe { hooks::watch_reallocated(block, &change, self.usable) };
        block
    }
}
