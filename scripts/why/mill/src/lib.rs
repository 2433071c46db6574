//! A function for each pair of builds; scripts/why/pairs.py has what the second build changes.

pub mod allocator;
pub mod assertion;
pub mod branches;
pub mod cache;
pub mod chain;
pub mod clone;
pub mod copy;
pub mod division;
pub mod format;
pub mod hash;
pub mod level;
pub mod lock;
pub mod pages;
pub mod placement;
pub mod recursion;
pub mod repeated;
pub mod sleep;
pub mod spill;
pub mod structure;
pub mod vectors;
pub mod version;
pub mod write;

/// Numbers without an order, the same in every process.
pub fn numbers(count: usize) -> Vec<u32> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    (0..count).map(|_| next()).collect()
}
