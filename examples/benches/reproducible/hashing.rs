//! Hashes of a few bytes, and maps that use them. The keys of the hasher are the same in every process.

use std::collections::HashSet;

use tourbillon::{Bencher, bench, hide};

use crate::plain;
use crate::plain::{Sip, TEXT};

#[bench]
fn sip_8() -> u64 {
    plain::sip(&hide(TEXT).as_bytes()[..8])
}

#[bench]
fn sip_64() -> u64 {
    plain::sip(&hide(TEXT).as_bytes()[..64])
}

/// FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[bench]
fn fnv_8() -> u64 {
    fnv(&hide(TEXT).as_bytes()[..8])
}

#[bench]
fn fnv_64() -> u64 {
    fnv(&hide(TEXT).as_bytes()[..64])
}

#[bench]
fn map_get(b: Bencher<'_>) {
    let map = plain::thousand();
    b.iter(|| plain::look_up(hide((&map, 4_200))));
}

#[bench]
fn set_lacks(b: Bencher<'_>) {
    let words: HashSet<&str, Sip> = TEXT.split(' ').collect();
    b.iter(|| !words.contains(hide("absent")));
}
