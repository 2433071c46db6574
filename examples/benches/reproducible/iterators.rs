//! Chains of iterators over a few dozen numbers.

use tourbillon::{Bencher, bench, hide};

use crate::plain;

/// Measures what `body` makes of 32 numbers.
fn measure<R>(b: Bencher<'_>, body: impl Fn(&[u32]) -> R) {
    let numbers: [u32; 32] = plain::numbers();
    let numbers = numbers.map(|number| number % 100);
    b.iter(|| body(hide(&numbers[..])));
}

#[bench]
fn sum_even(b: Bencher<'_>) {
    measure(b, plain::sum_even);
}

#[bench]
fn count_rises(b: Bencher<'_>) {
    measure(b, plain::count_rises);
}

#[bench]
fn largest_of_chunks(b: Bencher<'_>) {
    measure(b, |numbers| {
        let largest = numbers.chunks(5).filter_map(|chunk| chunk.iter().max());
        largest.sum::<u32>()
    });
}

#[bench]
fn take_while(b: Bencher<'_>) {
    measure(b, |numbers| {
        let below = numbers.iter().take_while(|number| **number < 95);
        below.count()
    });
}

#[bench]
fn flat_map(b: Bencher<'_>) {
    measure(b, |numbers| {
        let digits = numbers.iter().flat_map(|number| [number / 10, number % 10]);
        digits.fold(0, |all, digit| all ^ digit)
    });
}

#[bench]
fn every_third(b: Bencher<'_>) {
    measure(b, |numbers| numbers.iter().skip(1).step_by(3).sum::<u32>());
}

#[bench]
fn chain(b: Bencher<'_>) {
    measure(b, |numbers| {
        let (front, back) = numbers.split_at(11);
        back.iter()
            .chain(front)
            .rev()
            .fold(0_u32, |all, number| all.rotate_left(1) ^ number)
    });
}

#[bench]
fn place_of_largest(b: Bencher<'_>) {
    measure(b, |numbers| {
        let largest = numbers
            .iter()
            .enumerate()
            .max_by_key(|(_, number)| **number);
        largest.map(|(place, _)| place)
    });
}

#[bench]
fn zip_position(b: Bencher<'_>) {
    measure(b, |numbers| {
        let mut pairs = numbers.iter().zip(numbers.iter().rev());
        pairs.position(|(one, other)| one == other)
    });
}

#[bench]
fn collect_odd(b: Bencher<'_>) {
    measure(b, |numbers| {
        let odd = numbers.iter().filter(|number| **number % 2 == 1);
        odd.copied().collect::<Vec<u32>>()
    });
}
