//! The bodies: code that only allocates.

use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;

/// Blocks that are live at once.
const BLOCKS: usize = 16;

/// The calls of one pass over a body.
#[derive(Clone, Copy)]
pub(crate) struct Pass {
    /// Calls of the allocator.
    pub(crate) calls: u32,
    /// Blocks that are allocated and freed.
    pub(crate) blocks: u32,
}

/// Each block is allocated and freed, every other one grows.
pub(crate) const MIX: Pass = Pass {
    calls: (2 * BLOCKS + BLOCKS / 2) as u32,
    blocks: BLOCKS as u32,
};

/// Each block is allocated and freed at once.
pub(crate) const PAIRS: Pass = Pass {
    calls: (2 * BLOCKS) as u32,
    blocks: BLOCKS as u32,
};

fn layout(index: usize) -> Layout {
    // From a few bytes to 1.5 KiB, as in ordinary programs; always valid.
    Layout::from_size_align(24 + 97 * index, 8).unwrap_or(Layout::new::<u64>())
}

/// Allocates, grows and frees blocks, `passes` times; nothing is written to them.
#[inline(never)]
pub(crate) fn mix<A: GlobalAlloc>(allocator: &A, passes: u32) {
    for _ in 0..passes {
        let mut blocks = [std::ptr::null_mut(); BLOCKS];
        for (index, block) in blocks.iter_mut().enumerate() {
            // SAFETY: the size is not zero.
            *block = black_box(unsafe { allocator.alloc(layout(index)) });
        }
        for (index, block) in blocks.iter_mut().enumerate().step_by(2) {
            let new_size = layout(index).size() * 2;
            // SAFETY: allocated above with this layout; the new size is not zero.
            *block = black_box(unsafe { allocator.realloc(*block, layout(index), new_size) });
        }
        for (index, block) in blocks.into_iter().enumerate() {
            let size = layout(index).size() * if index % 2 == 0 { 2 } else { 1 };
            let grown = Layout::from_size_align(size, 8).unwrap_or(Layout::new::<u64>());
            // SAFETY: this is the layout of the block now.
            unsafe { allocator.dealloc(block, grown) };
        }
    }
}

/// Allocates a block and frees it, sixteen times per pass.
#[inline(never)]
pub(crate) fn pairs<A: GlobalAlloc>(allocator: &A, passes: u32) {
    for _ in 0..passes {
        for index in 0..BLOCKS {
            // SAFETY: the size is not zero.
            let block = black_box(unsafe { allocator.alloc(layout(index)) });
            // SAFETY: allocated above with this layout.
            unsafe { allocator.dealloc(block, layout(index)) };
        }
    }
}
