//! A table whose size is a power of two.

pub fn probes(table: &[u32], keys: &[u32]) -> u32 {
    let size = table.len() as u32;
    let mut at = 0;
    for key in keys {
        at = table[((at ^ key) & (size - 1)) as usize];
    }
    at
}
