//! Bodies without a harness, each a function of one input that can be copied: other harnesses measure
//! the same ones (`benches/peers`).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

/// The standard hasher with the same keys in every process.
pub(crate) type Sip = BuildHasherDefault<DefaultHasher>;

/// Whole numbers below `n`, one folded into the other.
#[inline]
pub(crate) fn xor(n: u64) -> u64 {
    (0..n).fold(0, |all, number| all ^ number)
}

/// Where the last `x` is among the first seven bytes.
#[inline]
pub(crate) fn last_x_of_7(text: &str) -> Option<usize> {
    text[..7].bytes().rev().position(|byte| byte == b'x')
}

/// Where a number is among eight sorted ones.
#[inline]
pub(crate) fn find_in_8((numbers, wanted): (&[u32; 8], u32)) -> Result<usize, usize> {
    numbers.binary_search(&wanted)
}

/// The greatest common divisor (Euclid).
#[inline]
pub(crate) fn gcd((mut one, mut other): (u32, u32)) -> u32 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Steps to 1 of the sequence of Collatz.
#[inline]
pub(crate) fn collatz(mut number: u64) -> u32 {
    let mut steps = 0;
    while number != 1 {
        number = if number.is_multiple_of(2) {
            number / 2
        } else {
            3 * number + 1
        };
        steps += 1;
    }
    steps
}

/// Bits that are set, a turn of the loop for each.
#[inline]
pub(crate) fn count_bits(mut bits: u32) -> u32 {
    let mut count = 0;
    while bits != 0 {
        bits &= bits - 1;
        count += 1;
    }
    count
}

/// The number of one digit, if it is one.
#[inline]
pub(crate) fn one_digit(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

/// The least and the largest of four.
#[inline]
pub(crate) fn ends_of_4(numbers: [i32; 4]) -> (i32, i32) {
    let (mut least, mut most) = (numbers[0], numbers[0]);
    for number in &numbers[1..] {
        if *number < least {
            least = *number;
        }
        if *number > most {
            most = *number;
        }
    }
    (least, most)
}

/// The sum of the even ones.
#[inline]
pub(crate) fn sum_even(numbers: &[u32]) -> u32 {
    numbers.iter().filter(|number| **number % 2 == 0).sum()
}

/// How often a number is larger than the one before.
#[inline]
pub(crate) fn count_rises(numbers: &[u32]) -> usize {
    numbers.windows(2).filter(|pair| pair[0] < pair[1]).count()
}

/// Where a letter is.
#[inline]
pub(crate) fn find_z(text: &str) -> Option<usize> {
    text.find('z')
}

/// Words in a text.
#[inline]
pub(crate) fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A text in capitals.
#[inline]
pub(crate) fn capitals(text: &str) -> String {
    text.to_uppercase()
}

/// SipHash of some bytes.
#[inline]
pub(crate) fn sip(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// A map of a thousand numbers.
pub(crate) fn thousand() -> HashMap<u64, u64, Sip> {
    (0..1_000).map(|key| (key * 7, key)).collect()
}

/// What the map has for a key.
#[inline]
pub(crate) fn look_up((map, key): (&HashMap<u64, u64, Sip>, u64)) -> Option<u64> {
    map.get(&key).copied()
}

/// A vector of so many bytes.
#[inline]
pub(crate) fn vector(bytes: usize) -> Vec<u8> {
    vec![7; bytes]
}

/// A vector that grows as it is filled.
#[inline]
pub(crate) fn push_all(count: u32) -> Vec<u32> {
    let mut numbers = Vec::new();
    for number in 0..count {
        numbers.push(number);
    }
    numbers
}

/// A number with three decimals, as text.
#[inline]
pub(crate) fn three_decimals(number: f64) -> String {
    format!("{number:.3}")
}

/// The number that a text writes.
#[inline]
pub(crate) fn float(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// Numbers that look random, the same ones in every process.
pub(crate) fn numbers<const N: usize>() -> [u32; N] {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    std::array::from_fn(|_| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    })
}

/// A copy, sorted.
#[inline]
pub(crate) fn sorted<const N: usize>(numbers: &[u32; N]) -> [u32; N] {
    let mut copy = *numbers;
    copy.sort_unstable();
    copy
}

/// A text of 64 bytes with one `z`, near its end.
pub(crate) const TEXT: &str = "the quick brown fox jumps over the sleepy dog beside a lazy brook";
