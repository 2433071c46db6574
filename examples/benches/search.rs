//! Binary search, from a hundred items to six and a half million: the item searched for decides what
//! is measured (Sestoft, "Microbenchmarks in Java and C#", 2015, section 11).
//!
//! * `same`: the same item again and again. The branch predictor knows the way, the caches have every
//!   item on it: far too fast, and hardly slower for more items.
//! * `in_order`: one item after the other. Too predictable still: each search goes nearly the way of
//!   the one before.
//! * `hits`: items in random order, drawn before the clock starts: what a search costs.
//! * `learned`: the same, but a thousand items again and again. Random they may be: the predictor learns
//!   them by heart, and small arrays look as fast as with one item.
//! * `mixed`: as many items that are not there as items that are. The array holds odd numbers only.
//! * `drawn`: items in random order, drawn where they are searched for: a search and a draw.
//! * `fetch` and `draw`: what getting at an item costs, without a search.
//!
//! A note below the table shows by how much a search for one of the items alone is too fast.

use std::process::ExitCode;

use examples::search::{Draw, FETCHED, LEARNED, item, odd, search};
use tourbillon::{Bencher, bench, geometric};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Searches for one item of the list after the other, again and again. Fetching it is part of it.
fn measure(b: Bencher<'_>, n: u32, items: &[u32]) -> Result<(), String> {
    let array = odd(n);
    for &item in items.iter().take(1_000) {
        let place = search(&array, item).map(|place| array[place]);
        examples::check::equal("item", place, (item % 2 == 1).then_some(item))?;
    }
    b.with_stream(items).iter(|&item| search(&array, item));
    Ok(())
}

#[bench(args = geometric(100, 6_553_600, 4))]
fn same(b: Bencher<'_>, n: u32) -> Result<(), String> {
    measure(b, n, &vec![item(n / 3); FETCHED])
}

#[bench(args = geometric(100, 6_553_600, 4))]
fn in_order(b: Bencher<'_>, n: u32) -> Result<(), String> {
    let items: Vec<u32> = (0..FETCHED as u32).map(|place| item(place % n)).collect();
    measure(b, n, &items)
}

#[bench(args = geometric(100, 6_553_600, 4))]
fn hits(b: Bencher<'_>, n: u32) -> Result<(), String> {
    let mut draw = Draw::new(1);
    let items: Vec<u32> = (0..FETCHED).map(|_| item(draw.below(n))).collect();
    measure(b, n, &items)
}

#[bench(args = geometric(100, 6_553_600, 4))]
fn learned(b: Bencher<'_>, n: u32) -> Result<(), String> {
    let mut draw = Draw::new(1);
    let few: Vec<u32> = (0..LEARNED).map(|_| item(draw.below(n))).collect();
    measure(b, n, &few.repeat(FETCHED / LEARNED))
}

#[bench(args = geometric(100, 6_553_600, 4))]
fn mixed(b: Bencher<'_>, n: u32) -> Result<(), String> {
    let mut draw = Draw::new(1);
    let items: Vec<u32> = (0..FETCHED).map(|_| draw.below(2 * n)).collect();
    measure(b, n, &items)
}

#[bench(args = geometric(100, 6_553_600, 4))]
fn drawn(b: Bencher<'_>, n: u32) {
    let array = odd(n);
    let mut draw = Draw::new(1);
    b.iter(|| search(&array, item(draw.below(n))));
}

/// Getting the next item out of a list that was prepared.
#[bench]
fn fetch(b: Bencher<'_>) {
    b.with_stream(&vec![1_u32; FETCHED]).fetch();
}

/// Drawing one.
#[bench]
fn draw(b: Bencher<'_>) {
    let mut draw = Draw::new(1);
    b.iter(|| item(draw.below(1_000)));
}
