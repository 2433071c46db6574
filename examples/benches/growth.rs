//! Textbook algorithms whose growth is known, for `scripts/growth.sh`: sorts, searches, scans, the product of matrices,
//! and insertions into a hash table.
//!
//! Each fails when it grows faster than its `at_most`. The sizes are those for which the textbook's answer is meant: the
//! sorts of the standard library begin above the lengths that they sort by insertion alone, and the hash table stays
//! within a second-level cache of 512 KiB. What caches do to a growth is seen in `scan`, `binary_search` and `chase`.

use std::collections::HashSet;
use std::process::ExitCode;

use examples::chase::{BYTES_PER_NODE, Ring};
use examples::search::{Draw, FETCHED, item, odd, search};
use examples::shuffle::Shuffler;
use examples::sort;
use tourbillon::{Bencher, Bytes, bench, doubling};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Measures `sort` on `n` items in random orders, another one in each call.
fn sorts(b: Bencher<'_>, n: u32, sort: impl Fn(&mut [u32])) {
    let mut shuffler = Shuffler::new(u64::from(n));
    b.with_state(|| (0..n).collect::<Vec<u32>>())
        .reset(move |items: &mut Vec<u32>| shuffler.shuffle(items))
        .iter_mut(|items| sort(items));
}

#[bench(args = doubling(64, 4_096), at_most = "n^2")]
fn selection_sort(b: Bencher<'_>, n: u32) {
    sorts(b, n, sort::selection);
}

#[bench(args = doubling(64, 65_536), at_most = "n log n")]
fn quick_sort(b: Bencher<'_>, n: u32) {
    sorts(b, n, sort::quick);
}

#[bench(args = doubling(64, 65_536), at_most = "n log n")]
fn heap_sort(b: Bencher<'_>, n: u32) {
    sorts(b, n, sort::heap);
}

#[bench(args = doubling(256, 65_536), at_most = "n log n")]
fn std_sort(b: Bencher<'_>, n: u32) {
    sorts(b, n, <[u32]>::sort);
}

#[bench(args = doubling(256, 65_536), at_most = "n log n")]
fn std_unstable_sort(b: Bencher<'_>, n: u32) {
    sorts(b, n, <[u32]>::sort_unstable);
}

/// A search for items in random order; fetching one is part of it.
#[bench(args = doubling(64, 1_048_576), at_most = "log n")]
fn binary_search(b: Bencher<'_>, n: u32) {
    let array = odd(n);
    let mut draw = Draw::new(1);
    let items: Vec<u32> = (0..FETCHED).map(|_| item(draw.below(n))).collect();
    b.with_stream(&items).iter(|&item| search(&array, item));
}

/// A search for an item that is not there.
#[bench(args = doubling(64, 1_048_576), at_most = "n")]
fn linear_search(b: Bencher<'_>, n: u32) {
    let array = odd(n);
    b.iter(|| array.iter().position(|&item| item == 0));
}

/// A sum, from what the first cache holds to what none does.
#[bench(args(bytes = doubling(4 << 10, 256 << 20)), at_most = "n")]
fn scan(b: Bencher<'_>, bytes: usize) {
    let items = vec![1_u64; bytes / size_of::<u64>()];
    b.throughput(Bytes(bytes as u64)).iter(|| {
        items
            .iter()
            .fold(0, |sum: u64, item| sum.wrapping_add(*item))
    });
}

/// A step from one node to the next in random order: the same work at all sizes, except for caches.
#[bench(args(bytes = doubling(4 << 10, 64 << 20)))]
fn chase(b: Bencher<'_>, bytes: usize) {
    let ring = Ring::new(bytes / BYTES_PER_NODE, 1);
    b.chain(0, |place| ring.next(place));
}

#[bench(args = doubling(8, 256), at_most = "n^3")]
fn matrix_product(b: Bencher<'_>, n: usize) {
    let left: Vec<f64> = (0..n * n).map(|place| place as f64).collect();
    let right = left.clone();
    let mut product = vec![0.0; n * n];
    b.iter(|| {
        product.fill(0.0);
        for row in 0..n {
            for inner in 0..n {
                let factor = left[row * n + inner];
                let (from, to) = (&right[inner * n..][..n], &mut product[row * n..][..n]);
                for (sum, item) in to.iter_mut().zip(from) {
                    *sum += factor * item;
                }
            }
        }
        product[n]
    });
}

/// Insertions into a table that is large enough from the start.
#[bench(args = doubling(64, 16_384), at_most = "n")]
fn hash_insert(b: Bencher<'_>, n: u64) {
    let mut set = HashSet::with_capacity(n as usize);
    b.iter(|| {
        set.clear();
        for item in 0..n {
            set.insert(item);
        }
        set.len()
    });
}
