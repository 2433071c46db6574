//! Requests for memory, given back at once.

use std::rc::Rc;

use tourbillon::{Bencher, bench, hide};

use crate::plain;

#[bench(args = [16_usize, 1_024])]
fn vector(bytes: usize) -> Vec<u8> {
    plain::vector(hide(bytes))
}

#[bench]
fn boxed() -> Box<[u64; 4]> {
    Box::new(hide([1, 2, 3, 4]))
}

#[bench]
fn text() -> String {
    String::from(hide("a text that is long enough for a block of its own"))
}

#[bench]
fn push_100() -> Vec<u32> {
    plain::push_all(hide(100))
}

#[bench]
fn clone_rc(b: Bencher<'_>) {
    let shared = Rc::new(hide(7_u64));
    b.iter(|| Rc::clone(hide(&shared)));
}
