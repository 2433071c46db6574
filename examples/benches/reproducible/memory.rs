//! What waits for memory: an answer in cycles is not expected to be as steady there.

use std::collections::HashMap;

use examples::chase::{BYTES_PER_NODE, Ring};
use examples::search::Draw;
use tourbillon::{Bencher, bench, hide};

use crate::plain::Sip;

const MIB: usize = 1 << 20;

#[bench(args(mib = [1_usize, 16, 64]))]
fn chase(b: Bencher<'_>, mib: usize) {
    let ring = Ring::new(mib * MIB / BYTES_PER_NODE, 1);
    b.chain(0, |place| ring.next(place));
}

/// Sixty-four numbers from all over 32 MiB.
#[bench]
fn gather(b: Bencher<'_>) {
    let numbers: Vec<u32> = (0..8 * MIB as u32).collect();
    let mut draw = Draw::new(3);
    let places: Vec<usize> = (0..1 << 16)
        .map(|_| draw.below(numbers.len() as u32) as usize)
        .collect();
    let mut chunks = places.chunks_exact(64).cycle();
    b.iter(move || {
        let places = chunks.next().unwrap_or_default();
        places
            .iter()
            .map(|place| numbers[*place])
            .fold(0, u32::wrapping_add)
    });
}

#[bench]
fn stream(b: Bencher<'_>) {
    let numbers = vec![1_u64; 32 * MIB / 8];
    b.iter(|| hide(&numbers[..]).iter().sum::<u64>());
}

#[bench]
fn map_of_a_million(b: Bencher<'_>) {
    let map: HashMap<u64, u64, Sip> = (0..1_000_000).map(|key| (key, key)).collect();
    let mut draw = Draw::new(5);
    b.iter(move || map.get(&u64::from(draw.below(1_000_000))).copied());
}
