//! The reference kernels measured by criterion.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use peers::{around, with_kernels};

fn empty(c: &mut Criterion) {
    c.bench_function("empty", |b| around("empty", || b.iter(|| ())));
}

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        $(
            fn $anew(c: &mut Criterion) {
                c.bench_function(stringify!($anew), |b| {
                    around(stringify!($anew), || {
                        b.iter(|| peers::$body::<$copies>(black_box(7)));
                    });
                });
            }
        )+
        $(
            fn $carried(c: &mut Criterion) {
                c.bench_function(stringify!($carried), |b| {
                    around(stringify!($carried), || {
                        let mut y = black_box(7);
                        b.iter(|| {
                            y = peers::$link::<$length>(y);
                            y
                        });
                    });
                });
            }
        )+
        criterion_group!(landmarks, empty, $($anew,)+ $($carried),+);
    };
}

with_kernels!(benches);
criterion_main!(landmarks);
