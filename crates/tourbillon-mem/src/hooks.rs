//! What the allocator calls while something is counted.
//!
//! Out of line, so code that allocates grows by a test and a call only. The rare case, in which a region
//! wants more than counts, is separated once more, so the common case needs no stack. Nothing here
//! allocates or unwinds.

use std::alloc::Layout;

use crate::counts::Event;
use crate::usable::{BlockSize, UsableSize};
use crate::{process, tally};

/// A reallocation, and what the block occupied before.
pub(crate) struct Change {
    pub(crate) address: usize,
    pub(crate) layout: Layout,
    pub(crate) new_size: usize,
    pub(crate) before: Option<BlockSize>,
}

/// Counts an allocation for the thread only, and returns the block; null if the allocation failed.
#[inline(always)]
pub(crate) fn allocated(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        return failed();
    }
    tally::with(|tally| tally.count(Event::Alloc { bytes }));
    block
}

/// Counts an allocation with everything that is wanted.
///
/// # Safety
/// `block` is null or was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[inline(never)]
pub(crate) unsafe fn watch_allocated(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    if block.is_null() {
        failed();
        return;
    }
    let bytes = layout.size();
    tally::with(|tally| tally.count(Event::Alloc { bytes }));
    if details_wanted() {
        // SAFETY: the caller's promise.
        unsafe { detail_made(block, layout, usable) };
    }
    process::count(Event::Alloc { bytes });
}

/// Counts a free for the thread only, before the block is freed.
#[inline(always)]
pub(crate) fn freeing(bytes: usize) {
    tally::with(|tally| tally.count(Event::Free { bytes }));
}

/// Counts a free with everything that is wanted, before the block is freed.
///
/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
#[inline(never)]
pub(crate) unsafe fn watch_freeing(block: *mut u8, layout: Layout, usable: Option<UsableSize>) {
    let bytes = layout.size();
    freeing(bytes);
    if details_wanted() {
        // SAFETY: the caller's promise.
        detail_gone(unsafe { size_before(block, layout, usable) });
    }
    process::count(Event::Free { bytes });
}

/// Counts a reallocation of the block at `address` for the thread only, and returns the block; null if
/// the reallocation failed.
#[inline(always)]
pub(crate) fn reallocated(address: usize, block: *mut u8, old: usize, new: usize) -> *mut u8 {
    if block.is_null() {
        return failed();
    }
    let moved = block.addr() != address;
    tally::with(|tally| tally.count(Event::Realloc { old, new, moved }));
    block
}

/// Counts a reallocation with everything that is wanted.
///
/// # Safety
/// `block` is null or was returned for `change` by the allocator that `usable` belongs to, and is live.
#[inline(never)]
pub(crate) unsafe fn watch_reallocated(
    block: *mut u8,
    change: &Change,
    usable: Option<UsableSize>,
) {
    let (old, new) = (change.layout.size(), change.new_size);
    if reallocated(change.address, block, old, new).is_null() {
        return;
    }
    if details_wanted() {
        detail_gone(change.before);
        // The layout was valid for the allocator, which returned a block.
        if let Ok(layout) = Layout::from_size_align(new, change.layout.align()) {
            // SAFETY: the caller's promise.
            unsafe { detail_made(block, layout, usable) };
        }
    }
    let moved = block.addr() != change.address;
    process::count(Event::Realloc { old, new, moved });
}

/// Counts a call that the allocator could not serve, and returns null.
#[cold]
#[inline(never)]
fn failed() -> *mut u8 {
    tally::with(|tally| tally.count(Event::Fail));
    process::count(Event::Fail);
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

/// What a block occupies before it changes or goes, if the innermost region wants to know.
///
/// # Safety
/// `block` was returned for `layout` by the allocator that `usable` belongs to, and is live.
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
