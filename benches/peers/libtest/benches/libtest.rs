//! The reference kernels measured by the harness of the standard distribution.

#![feature(test)]

extern crate test;

use peers::{around, with_kernels};
use test::{Bencher, black_box};

#[bench]
fn empty(b: &mut Bencher) {
    around("empty", || b.iter(|| ()));
}

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        $(
            #[bench]
            fn $anew(b: &mut Bencher) {
                around(stringify!($anew), || {
                    b.iter(|| peers::$body::<$copies>(black_box(7)));
                });
            }
        )+
        $(
            #[bench]
            fn $carried(b: &mut Bencher) {
                around(stringify!($carried), || {
                    let mut y = black_box(7);
                    b.iter(|| {
                        y = peers::$link::<$length>(y);
                        y
                    });
                });
            }
        )+
    };
}

with_kernels!(benches);
