//! The reference kernels measured by brunch.

use std::hint::black_box;

use brunch::Bench;
use peers::{around, with_kernels};

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        brunch::benches!(
            around("empty", || Bench::new("empty").run(|| ())),
            $(
                around(stringify!($anew), || {
                    Bench::new(stringify!($anew)).run(|| peers::$body::<$copies>(black_box(7)))
                }),
            )+
            $(
                around(stringify!($carried), || {
                    let mut y = black_box(7);
                    Bench::new(stringify!($carried)).run(|| {
                        y = peers::$link::<$length>(y);
                        y
                    })
                }),
            )+
        );
    };
}

with_kernels!(benches);
