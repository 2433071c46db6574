//! Short code that is made of branches: 3 to 40 cycles.

use std::cmp::Ordering;

use tourbillon::{bench, hide};

use crate::plain;

#[bench(args = 1..9_u64)]
fn xor(n: u64) -> u64 {
    plain::xor(hide(n))
}

#[bench]
fn last_x_of_7() -> Option<usize> {
    plain::last_x_of_7(hide("abxdefgh"))
}

#[bench]
fn find_in_8() -> Result<usize, usize> {
    plain::find_in_8(hide((&[2, 3, 5, 7, 11, 13, 17, 19], 13)))
}

#[bench]
fn gcd() -> u32 {
    plain::gcd(hide((84, 36)))
}

#[bench]
fn collatz() -> u32 {
    plain::collatz(hide(6))
}

#[bench]
fn count_bits() -> u32 {
    plain::count_bits(hide(0b1011_0101))
}

#[bench]
fn one_digit() -> Option<u8> {
    plain::one_digit(hide("7"))
}

#[bench]
fn ends_of_4() -> (i32, i32) {
    plain::ends_of_4(hide([3, -1, 4, 1]))
}

#[bench]
fn leading_digit() -> u32 {
    let mut number = hide(7_351_u32);
    while number >= 10 {
        number /= 10;
    }
    number
}

#[bench]
fn clamp() -> i32 {
    hide(140).clamp(hide(0), hide(100))
}

#[bench]
fn grade() -> char {
    match hide(73_u32) {
        0..50 => 'E',
        50..60 => 'D',
        60..75 => 'C',
        75..90 => 'B',
        _ => 'A',
    }
}

#[bench]
fn compare_chain() -> u32 {
    let (a, b, c) = (hide(5_u32), hide(9_u32), hide(7_u32));
    if a > b {
        a - b
    } else if b > c + a {
        b * 3
    } else if c > a {
        c * 5 + b
    } else {
        a
    }
}

#[bench]
fn compare_versions() -> Ordering {
    hide([1_u32, 27, 3]).cmp(&hide([1, 27, 8]))
}

#[bench]
fn leap_year() -> bool {
    let year = hide(2_024_u32);
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[bench]
fn days_of_month() -> u32 {
    match hide(9_u32) {
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[bench]
fn fizz() -> u32 {
    let number = hide(15_u32);
    match (number.is_multiple_of(3), number.is_multiple_of(5)) {
        (true, true) => 15,
        (true, false) => 3,
        (false, true) => 5,
        (false, false) => number,
    }
}

#[bench]
fn reverse_8_bits() -> u32 {
    let mut bits = hide(0b0110_1001_u32);
    let mut reversed = 0;
    for _ in 0..hide(8) {
        reversed = reversed << 1 | bits & 1;
        bits >>= 1;
    }
    reversed
}

#[bench]
fn vowels() -> usize {
    let is_vowel = |byte: &u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u');
    hide("reproduce")
        .as_bytes()
        .iter()
        .filter(|byte| is_vowel(byte))
        .count()
}

#[bench]
fn root() -> u32 {
    let square = hide(30_u32);
    let mut root = 0;
    while (root + 1) * (root + 1) <= square {
        root += 1;
    }
    root
}

#[bench]
fn power() -> u64 {
    let (mut base, mut exponent, mut product) = (hide(3_u64), hide(11_u32), 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}
