//! Bodies without a harness: functions that prepare what a body needs and return it. Other harnesses measure the same
//! ones (`benches/peers`), each with a `hide` of its own.

use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

use examples::chase::{BYTES_PER_NODE, Ring};

use super::hide;

/// Numbers that look random, always the same.
pub(crate) fn numbers(count: usize) -> Vec<u32> {
    let mut state = 0x9E37_79B9_u32;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..count).map(next).collect()
}

fn words(count: usize) -> Vec<&'static str> {
    let all = "the quick brown fox jumps over the lazy dog".split(' ');
    all.cycle().take(count).collect()
}

pub(crate) fn concat(n: usize) -> impl FnMut() -> String {
    let words = words(n);
    move || words.concat()
}

pub(crate) fn push_str(n: usize) -> impl FnMut() -> String {
    let words = words(n);
    move || {
        let mut all = String::new();
        for word in &words {
            all.push_str(word);
        }
        all
    }
}

pub(crate) fn with_capacity(n: u64) -> impl FnMut() -> Vec<u64> {
    move || {
        let mut all = Vec::with_capacity(n as usize);
        for number in 0..hide(n) {
            all.push(number);
        }
        all
    }
}

pub(crate) fn doubling(n: u64) -> impl FnMut() -> Vec<u64> {
    move || {
        let mut all = Vec::new();
        for number in 0..hide(n) {
            all.push(number);
        }
        all
    }
}

pub(crate) fn hash_map(n: usize) -> impl FnMut() -> usize {
    let keys = numbers(n);
    let map: HashMap<u32, usize> = keys.iter().copied().zip(0..).collect();
    move || keys.iter().filter_map(|key| map.get(key)).sum()
}

pub(crate) fn tree_map(n: usize) -> impl FnMut() -> usize {
    let keys = numbers(n);
    let map: BTreeMap<u32, usize> = keys.iter().copied().zip(0..).collect();
    move || keys.iter().filter_map(|key| map.get(key)).sum()
}

pub(crate) fn sorted_slice(n: usize) -> impl FnMut() -> usize {
    let keys = numbers(n);
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    move || {
        let found = keys.iter().filter_map(|key| sorted.binary_search(key).ok());
        found.sum()
    }
}

pub(crate) fn branch(n: usize) -> impl FnMut() -> u64 {
    let numbers = numbers(n);
    move || {
        let mut large = 0;
        for number in &numbers {
            if hide(*number) > u32::MAX / 2 {
                large = hide(large + 1);
            }
        }
        large
    }
}

pub(crate) fn no_branch(n: usize) -> impl FnMut() -> u64 {
    let numbers = numbers(n);
    move || {
        let mut large = 0;
        for number in &numbers {
            large += u64::from(hide(*number) > u32::MAX / 2);
        }
        large
    }
}

pub(crate) fn chase(kib: usize) -> impl FnMut() -> usize {
    let ring = Ring::new((kib << 10) / BYTES_PER_NODE, 1);
    let mut at = 0;
    move || {
        for _ in 0..64 {
            at = ring.next(at);
        }
        at
    }
}

pub(crate) fn write_number(value: u32) -> impl FnMut() -> usize {
    let mut text = String::with_capacity(64);
    move || {
        text.clear();
        _ = write!(text, "{}", hide(value));
        text.len()
    }
}

pub(crate) fn to_string(value: u32) -> impl FnMut() -> String {
    move || hide(value).to_string()
}

pub(crate) fn digits_of(value: u32) -> impl FnMut() -> [u8; 10] {
    move || {
        let mut digits = [0; 10];
        let mut rest = hide(value);
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        digits
    }
}

pub(crate) fn from_str(text: &'static str) -> impl FnMut() -> u32 {
    move || hide(text).parse().unwrap_or(0)
}

pub(crate) fn parse(text: &'static str) -> impl FnMut() -> u32 {
    move || {
        let digits = hide(text).bytes();
        digits.fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'))
    }
}

pub(crate) fn position(n: usize) -> impl FnMut() -> Option<usize> {
    let mut bytes = vec![b'a'; n];
    bytes[n - 1] = b'z';
    move || hide(&bytes).iter().position(|byte| *byte == b'z')
}

pub(crate) fn in_text(n: usize) -> impl FnMut() -> Option<usize> {
    let text = "a".repeat(n - 1) + "z";
    move || hide(&text).find('z')
}

pub(crate) fn strings(n: usize) -> impl FnMut() -> Vec<String> {
    let texts: Vec<String> = words(n).into_iter().map(str::to_owned).collect();
    move || texts.clone()
}

pub(crate) fn shared_strings(n: usize) -> impl FnMut() -> Vec<Arc<str>> {
    let texts: Vec<Arc<str>> = words(n).into_iter().map(Arc::from).collect();
    move || texts.clone()
}

pub(crate) fn ring(n: u64) -> impl FnMut() {
    let mut queue: VecDeque<u64> = (0..n).collect();
    move || {
        let first = queue.pop_front();
        queue.extend(first);
    }
}

pub(crate) fn linked(n: u64) -> impl FnMut() {
    let mut queue: LinkedList<u64> = (0..n).collect();
    move || {
        let first = queue.pop_front();
        queue.extend(first);
    }
}

pub(crate) fn by_rows(n: usize) -> impl FnMut() -> u32 {
    let cells = numbers(n * n);
    move || {
        let mut sum = 0_u32;
        for row in 0..n {
            for column in 0..n {
                sum = hide(sum.wrapping_add(cells[row * n + column]));
            }
        }
        sum
    }
}

pub(crate) fn by_columns(n: usize) -> impl FnMut() -> u32 {
    let cells = numbers(n * n);
    move || {
        let mut sum = 0_u32;
        for column in 0..n {
            for row in 0..n {
                sum = hide(sum.wrapping_add(cells[row * n + column]));
            }
        }
        sum
    }
}

pub(crate) fn arithmetic() -> impl FnMut() -> u64 {
    || {
        (0..200).fold(hide(3_u64), |product, _| {
            hide(product.wrapping_mul(0x5851_F42D))
        })
    }
}

pub(crate) fn sort() -> impl FnMut() -> u32 {
    let numbers = numbers(256);
    move || {
        let mut block = [0; 16];
        block.copy_from_slice(&hide(&numbers)[..16]);
        block.sort_unstable();
        block[0]
    }
}

pub(crate) fn clone_numbers() -> impl FnMut() -> Vec<u32> {
    let numbers = numbers(256);
    move || hide(&numbers).clone()
}

pub(crate) fn format_numbers() -> impl FnMut() -> usize {
    let numbers = numbers(8);
    move || {
        let digits = numbers.iter().map(|number| number.to_string().len());
        digits.sum()
    }
}
