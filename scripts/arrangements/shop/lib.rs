//! Work that takes longer where something says so that is in no source file.

/// Steps for each that is asked for: more where the build has the variable.
const EACH: u64 = if option_env!("SHOP_SLOW").is_some() { 3 } else { 2 };

/// Multiplications that wait for each other.
#[inline(never)]
pub fn arithmetic(steps: u64) -> u64 {
    let mut product = steps;
    for step in 0..steps * EACH {
        product = product.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ step;
    }
    product
}

/// Sorts a copy of sixteen numbers.
#[inline(never)]
pub fn sort(numbers: &[u32; 16]) -> u32 {
    let mut block = *numbers;
    block.sort_unstable();
    block[3]
}

/// Writes numbers by a dependency.
#[inline(never)]
pub fn digits(numbers: u64) -> usize {
    let mut buffer = itoa::Buffer::new();
    let lengths = (0..numbers).map(|number| buffer.format(number * 1_234_567).len());
    lengths.sum()
}
