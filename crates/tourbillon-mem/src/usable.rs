//! The real size of a block, as reported by the allocator.

use std::alloc::Layout;

/// What a block occupies, as reported by the allocator: see [`Meter`](crate::Meter::with_usable_size).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Bytes that the program could write: the requested ones and the rounding.
    pub usable_bytes: usize,
    /// Bytes that the block takes from the heap, the allocator's header included; `None` if not known.
    pub chunk_bytes: Option<usize>,
}

/// A function that returns what a live block occupies; `None` if the allocator does not report it.
///
/// It runs inside of the allocator, so it must neither allocate nor panic.
///
/// # Safety
/// The block was returned by the allocator that the function belongs to, with this layout, and was
/// not freed since.
pub type UsableSize = unsafe fn(block: *const u8, layout: Layout) -> Option<BlockSize>;

/// The size reported by the allocator of [`System`](std::alloc::System).
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
    // SAFETY: the block is a live one of malloc's: `System` returns what malloc and its aligned form
    // return.
    let usable_bytes = unsafe { malloc_usable_size(block.cast()) };
    Some(BlockSize {
        usable_bytes,
        chunk_bytes: glibc_chunk(usable_bytes),
    })
}

/// Elsewhere not reported: on Windows, `System` puts a header of its own before some blocks.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
)))]
pub(crate) unsafe fn system(_block: *const u8, _layout: Layout) -> Option<BlockSize> {
    None
}

/// What glibc takes from the heap for a block, by its layout of blocks; `None` if the block does not look
/// like one of glibc's: another allocator may have replaced it.
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
