//! Boxes, by the allocator of the program.

pub fn boxes(count: usize) -> Vec<Box<[u64; 8]>> {
    (0..count).map(|n| Box::new([n as u64; 8])).collect()
}
