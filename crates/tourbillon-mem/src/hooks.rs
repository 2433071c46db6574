//! What the allocator calls while something is being counted.
//!
//! Out of line, so that code which allocates does not grow by more than a test and a call; and what is
//! rarely wanted apart again, so that what is often wanted keeps nothing on the stack. Nothing here
//! allocates or unwinds.

use std::alloc::Layout;

use crate::usable::{BlockSize, UsableSize};
use crate::{process, tally};

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

/// Counts a block that was allocated while nobody wants more than that, and returns it; null where it
/// was not.
#[inline(always)]
pub(crate) fn allocated(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        return failed();
    }
    tally::with(|tally| tally.alloc(bytes));
    block
}

/// Counts an allocation, with all that is wanted.
///
/// # Safety
/// `block` is null or was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[inline(never)]
pub(crate) unsafe fn watch_allocated(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    if block.is_null() {
        failed();
        return;
    }
    tally::with(|tally| tally.alloc(layout.size()));
    if details_wanted() {
        // SAFETY: the caller's promise.
        unsafe { detail_made(block, layout, usable) };
    }
    if process::open() {
        process::alloc(layout.size());
    }
}

/// Counts a block that is about to be freed while nobody wants more than that.
#[inline(always)]
pub(crate) fn freeing(bytes: usize) {
    tally::with(|tally| tally.free(bytes));
}

/// Counts a block that is about to be freed, with all that is wanted.
///
/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[inline(never)]
pub(crate) unsafe fn watch_freeing(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    tally::with(|tally| tally.free(layout.size()));
    if details_wanted() {
        // SAFETY: the caller's promise.
        let size = unsafe { size_before(block, layout, usable) };
        detail_gone(size);
    }
    if process::open() {
        process::free(layout.size());
    }
}

/// Counts a block that was reallocated from `address` while nobody wants more than that, and returns
/// it; null where it was not.
#[inline(always)]
pub(crate) fn reallocated(address: usize, block: *mut u8, old: usize, new: usize) -> *mut u8 {
    if block.is_null() {
        return failed();
    }
    tally::with(|tally| tally.realloc(old, new, block.addr() != address));
    block
}

/// Counts a reallocation, with all that is wanted.
///
/// # Safety
/// `block` is null or was returned for `change` by the allocator that `usable` belongs to, and is live.
#[inline(never)]
pub(crate) unsafe fn watch_reallocated(
    block: *mut u8,
    change: &Change,
    usable: Option<UsableSize>,
) {
    if block.is_null() {
        failed();
        return;
    }
    let (old, new) = (change.layout.size(), change.new_size);
    let moved = block.addr() != change.address;
    tally::with(|tally| tally.realloc(old, new, moved));
    if details_wanted() {
        detail_gone(change.before);
        // The layout was valid for the allocator, or it would not have returned a block.
        if let Ok(layout) = Layout::from_size_align(new, change.layout.align()) {
            // SAFETY: the caller's promise.
            unsafe { detail_made(block, layout, usable) };
        }
    }
    if process::open() {
        process::realloc(old, new, moved);
    }
}

/// Counts a call that could not be served, whose answer is what is returned.
#[cold]
#[inline(never)]
fn failed() -> *mut u8 {
    tally::with(tally::Tally::fail);
    if process::open() {
        process::fail();
    }
    std::ptr::null_mut()
}

/// Whether the innermost region of this thread wants more than counts.
#[inline(always)]
fn details_wanted() -> bool {
    #[cfg(feature = "full")]
    return tally::with(|tally| tally.details().is_some());
    #[cfg(not(feature = "full"))]
    false
}

/// What a block occupies that will change or go, if anybody wants to know.
///
/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[inline]
pub(crate) unsafe fn size_before(
    block: *mut u8,
    layout: Layout,
    usable: Option<UsableSize>,
) -> Option<BlockSize> {
    match usable {
        // SAFETY: the caller's promise.
        Some(usable) if details_wanted() => unsafe { usable(block, layout) },
        _ => None,
    }
}

/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[cold]
#[inline(never)]
unsafe fn detail_made(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    #[cfg(feature = "full")]
    tally::with(|tally| {
        // SAFETY: the caller's promise.
        let size = usable.and_then(|usable| unsafe { usable(block, layout) });
        if let Some(details) = tally.details() {
            details.made(layout.size(), size);
        }
    });
    #[cfg(not(feature = "full"))]
    let _ = (block, layout, usable);
}

#[cold]
#[inline(never)]
fn detail_gone(size: Option<BlockSize>) {
    #[cfg(feature = "full")]
    tally::with(|tally| {
        if let Some(details) = tally.details() {
            details.gone(size);
        }
    });
    #[cfg(not(feature = "full"))]
    let _ = size;
}
