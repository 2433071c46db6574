//! A search in sorted numbers.

pub fn find(sorted: &[u32], wanted: u32) -> usize {
    debug_assert!(sorted.is_sorted(), "not sorted");
    sorted.partition_point(|number| *number < wanted)
}
