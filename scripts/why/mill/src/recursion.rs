//! A checksum from the end.

pub fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = 7_u32;
    for byte in bytes.iter().rev() {
        sum = sum.rotate_left(5) ^ u32::from(*byte);
    }
    sum
}
