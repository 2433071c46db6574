//! Sorting, from a hundred items to more than a million: three textbook algorithms and the two of
//! the standard library.
//!
//! Every call sorts items in another order. Sorting copies of one order would flatter the small
//! sizes: the branch predictor learns it by heart.

use std::process::ExitCode;

use examples::shuffle::Shuffler;
use examples::sort;
use tourbillon::{Bencher, Items, bench, doubling, geometric};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Measures `sort` on `length` items that are shuffled in place before each call.
///
/// A shuffle finds what the call before it has left and fails unless that is sorted, so every call
/// but the last is checked, outside the timed region. One more call, on a few items, is checked
/// first: it is there even where each body runs only once.
fn measure(b: Bencher<'_>, length: u32, sort: impl Fn(&mut [u32])) {
    let mut shuffler = Shuffler::new(u64::from(length));
    let mut shuffle = move |items: &mut Vec<u32>| {
        assert!(
            (0..).zip(&*items).all(|(place, &item)| place == item),
            "the items are not sorted"
        );
        shuffler.shuffle(items);
    };
    let sorted = |length| (0..length).collect::<Vec<u32>>();

    let mut few = sorted(100);
    shuffle(&mut few);
    sort(&mut few);
    shuffle(&mut few);

    b.throughput(Items(u64::from(length)))
        .with_state(|| sorted(length))
        .reset(shuffle)
        .iter_mut(|items| sort(items));
}

#[bench(args = doubling(100, 3_200), group = "sort")]
fn selection(b: Bencher<'_>, n: u32) {
    measure(b, n, sort::selection);
}

#[bench(args = geometric(100, 1_638_400, 4), group = "sort")]
fn quick(b: Bencher<'_>, n: u32) {
    measure(b, n, sort::quick);
}

#[bench(args = geometric(100, 409_600, 4), group = "sort")]
fn heap(b: Bencher<'_>, n: u32) {
    measure(b, n, sort::heap);
}

#[bench(args = geometric(100, 1_638_400, 4), group = "sort")]
fn std_stable(b: Bencher<'_>, n: u32) {
    measure(b, n, <[u32]>::sort);
}

#[bench(args = geometric(100, 1_638_400, 4), group = "sort")]
fn std_unstable(b: Bencher<'_>, n: u32) {
    measure(b, n, <[u32]>::sort_unstable);
}
