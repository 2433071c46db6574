//! The reference kernels measured by tango.

use std::hint::black_box;

use peers::{Bracket, with_kernels};
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        fn landmarks() -> impl IntoBenchmarks {
            // A bracket ends when the harness drops the closure that it keeps.
            vec![
                benchmark_fn("empty", |b| {
                    let bracket = Bracket::open("empty");
                    b.iter(move || {
                        let _ = &bracket;
                    })
                }),
                $(
                    benchmark_fn(stringify!($anew), |b| {
                        let bracket = Bracket::open(stringify!($anew));
                        b.iter(move || {
                            let _ = &bracket;
                            peers::$body::<$copies>(black_box(7))
                        })
                    }),
                )+
                $(
                    benchmark_fn(stringify!($carried), |b| {
                        let bracket = Bracket::open(stringify!($carried));
                        let mut y = black_box(7);
                        b.iter(move || {
                            let _ = &bracket;
                            y = peers::$link::<$length>(y);
                            y
                        })
                    }),
                )+
            ]
        }
    };
}

with_kernels!(benches);
tango_benchmarks!(landmarks());
