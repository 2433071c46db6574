//! Sorting copies of one order, and searching: branch predictors learn the small ones by heart.

use tourbillon::{Bencher, bench, hide};

use crate::plain;

/// Measures what it takes to sort a copy.
fn measure<const N: usize>(b: Bencher<'_>) {
    let numbers: [u32; N] = plain::numbers();
    b.iter(|| plain::sorted(hide(&numbers)));
}

#[bench]
fn sort_8(b: Bencher<'_>) {
    measure::<8>(b);
}

#[bench]
fn sort_32(b: Bencher<'_>) {
    measure::<32>(b);
}

#[bench]
fn sort_100(b: Bencher<'_>) {
    measure::<100>(b);
}

#[bench]
fn sort_1000(b: Bencher<'_>) {
    measure::<1_000>(b);
}

#[bench]
fn find_in_1000(b: Bencher<'_>) {
    let numbers = plain::sorted(&plain::numbers::<1_000>());
    let wanted = numbers[321];
    b.iter(|| hide(&numbers).binary_search(&hide(wanted)));
}

#[bench]
fn median_of_100(b: Bencher<'_>) {
    let numbers: [u32; 100] = plain::numbers();
    b.iter(|| {
        let mut copy = *hide(&numbers);
        *copy.select_nth_unstable(50).1
    });
}
