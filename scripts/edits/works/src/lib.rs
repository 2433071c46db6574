//! Work in the package of the benchmarks.

/// What a build script writes.
pub static TABLE: [u64; 3] = include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// What a build script sets.
#[inline(never)]
pub fn turns(n: u64) -> u64 {
    n * u64::from(env!("WORKS_TURNS").as_bytes()[0])
}

/// A file that is a part of the program.
pub static WORDS: &[u8] = include_bytes!("../texts/words.txt");

/// Work in a closure that is given to another function.
#[inline(never)]
pub fn applied(n: u64, work: &dyn Fn(u64) -> u64) -> u64 {
    work(n) + 1
}
