//! The reference kernels measured by divan.

use divan::{Bencher, black_box};
use peers::{around, with_kernels};

#[divan::bench]
fn empty(b: Bencher) {
    around("empty", || b.bench_local(|| ()));
}

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        $(
            #[divan::bench]
            fn $anew(b: Bencher) {
                around(stringify!($anew), || {
                    b.bench_local(|| peers::$body::<$copies>(black_box(7)));
                });
            }
        )+
        $(
            #[divan::bench]
            fn $carried(b: Bencher) {
                around(stringify!($carried), || {
                    let mut y = black_box(7);
                    b.bench_local(|| {
                        y = peers::$link::<$length>(y);
                        y
                    });
                });
            }
        )+
    };
}

with_kernels!(benches);

fn main() {
    divan::main();
}
