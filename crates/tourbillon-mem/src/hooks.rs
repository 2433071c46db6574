//! What the allocator calls while something is being counted.
//!
//! Out of line, so that code which allocates does not grow by more than a test and a call. Nothing here
//! allocates or unwinds.

use std::alloc::Layout;

use crate::usable::{BlockSize, UsableSize};
use crate::{gate, process, tally};

/// What a reallocation was asked to do.
pub(crate) struct Change {
    /// Where the block was.
    pub(crate) address: usize,
    /// As what it had been asked for.
    pub(crate) layout: Layout,
    /// Bytes it is to have.
    pub(crate) new_size: usize,
    /// What it occupied.
    pub(crate) before: Option<BlockSize>,
}

/// # Safety
/// `block` is null or was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[cold]
#[inline(never)]
pub(crate) unsafe fn allocated(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    tally::with(|tally| {
        if block.is_null() {
            return tally.fail();
        }
        tally.alloc(layout.size());
        #[cfg(feature = "full")]
        if let Some(details) = tally.details() {
            // SAFETY: the caller's promise.
            details.made(layout.size(), unsafe { ask(block, layout, usable) });
        }
    });
    if gate::process_open() {
        if block.is_null() {
            process::fail();
        } else {
            process::alloc(layout.size());
        }
    }
    #[cfg(not(feature = "full"))]
    let _ = usable;
}

/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[cold]
#[inline(never)]
pub(crate) unsafe fn freeing(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    tally::with(|tally| {
        tally.free(layout.size());
        #[cfg(feature = "full")]
        if let Some(details) = tally.details() {
            // SAFETY: the caller's promise.
            details.gone(unsafe { ask(block, layout, usable) });
        }
    });
    if gate::process_open() {
        process::free(layout.size());
    }
    #[cfg(not(feature = "full"))]
    let _ = (block, usable);
}

/// What a block occupies that is about to be reallocated, if anybody wants to know.
///
/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[cold]
pub(crate) unsafe fn size_before(
    block: *mut u8,
    layout: Layout,
    usable: Option<UsableSize>,
) -> Option<BlockSize> {
    #[cfg(feature = "full")]
    if tally::with(|tally| tally.details().is_some()) {
        // SAFETY: the caller's promise.
        return unsafe { ask(block, layout, usable) };
    }
    let _ = (block, layout, usable);
    None
}

/// # Safety
/// `block` is null or was returned for `change` by the allocator that `usable` belongs to, and is live.
#[cold]
#[inline(never)]
pub(crate) unsafe fn reallocated(block: *mut u8, change: Change, usable: Option<UsableSize>) {
    let (old, new) = (change.layout.size(), change.new_size);
    let moved = block.addr() != change.address;
    tally::with(|tally| {
        if block.is_null() {
            return tally.fail();
        }
        tally.realloc(old, new, moved);
        #[cfg(feature = "full")]
        if let Some(details) = tally.details() {
            let layout = Layout::from_size_align(new, change.layout.align());
            // SAFETY: the caller's promise.
            let after = layout
                .ok()
                .and_then(|layout| unsafe { ask(block, layout, usable) });
            details.gone(change.before);
            details.made(new, after);
        }
    });
    if gate::process_open() {
        if block.is_null() {
            process::fail();
        } else {
            process::realloc(old, new, moved);
        }
    }
    #[cfg(not(feature = "full"))]
    let _ = (usable, change.before);
}

/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[cfg(feature = "full")]
unsafe fn ask(block: *const u8, layout: Layout, usable: Option<UsableSize>) -> Option<BlockSize> {
    // SAFETY: the caller's promise.
    usable.and_then(|usable| unsafe { usable(block, layout) })
}
