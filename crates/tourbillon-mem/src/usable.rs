//! How many bytes a block really has: the allocator's own answer.

use std::alloc::Layout;

/// What a block occupies, by the allocator's own account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Bytes that the program could write: what was requested and the rounding after it.
    pub usable_bytes: usize,
    /// Bytes that the block takes from the heap, the allocator's header included; `None` where that
    /// is not known.
    pub chunk_bytes: Option<usize>,
}

/// A function that tells what a live block occupies; `None` where the allocator does not say.
///
/// It runs inside of the allocator, so it must neither allocate nor panic.
///
/// # Safety
/// The block was returned by the allocator that the function belongs to, with this layout, and was
/// not freed since.
pub type UsableSize = unsafe fn(block: *const u8, layout: Layout) -> Option<BlockSize>;

/// The answer of the system's allocator, which [`System`](std::alloc::System) is a name for.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
))]
pub(crate) unsafe fn system(block: *const u8, _layout: Layout) -> Option<BlockSize> {
    use std::ffi::c_void;

    unsafe extern "C" {
        #[cfg_attr(target_vendor = "apple", link_name = "malloc_size")]
        fn malloc_usable_size(block: *const c_void) -> usize;
    }
    // SAFETY: the block is a live one of malloc's, as `System` passes on what malloc and its aligned
    // form return.
    let usable_bytes = unsafe { malloc_usable_size(block.cast()) };
    Some(BlockSize {
        usable_bytes,
        chunk_bytes: glibc_chunk(usable_bytes),
    })
}

/// Elsewhere blocks are not asked: on Windows, `System` puts a header of its own before some.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
)))]
pub(crate) unsafe fn system(_block: *const u8, _layout: Layout) -> Option<BlockSize> {
    None
}

/// What glibc takes from the heap for a block, by the way it lays blocks out; `None` when the block
/// does not look like one of its: another allocator may have been put in its place.
///
/// A chunk is a multiple of two words (of 16 bytes on 32-bit x86 too), and all but one word of it is
/// usable. One that was mapped on its own is whole pages, and all but two words are usable.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
))]
fn glibc_chunk(usable_bytes: usize) -> Option<usize> {
    const WORD: usize = size_of::<usize>();
    const UNIT: usize = if WORD == 8 || cfg!(target_arch = "x86") {
        16
    } else {
        2 * WORD
    };
    const PAGE: usize = 4096;
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return None;
    }
    [(WORD, UNIT), (2 * WORD, PAGE)]
        .into_iter()
        .find(|(header, multiple)| (usable_bytes + header).is_multiple_of(*multiple))
        .map(|(header, _)| usable_bytes + header)
}
