//! Two chains of multiplications.

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

pub fn mixed(numbers: &[u64]) -> u64 {
    let (mut one, mut other) = (1_u64, 2_u64);
    for pair in numbers.chunks_exact(2) {
        one = (one ^ pair[0]).wrapping_mul(FACTOR);
        other = (other ^ pair[1]).wrapping_mul(FACTOR);
    }
    one ^ other
}
