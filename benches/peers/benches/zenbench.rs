//! The reference kernels measured by zenbench.

use peers::{around, with_kernels};
use zenbench::prelude::*;

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        fn landmarks(suite: &mut Suite) {
            suite.bench("empty", |b| around("empty", || b.iter(|| ())));
            $(
                suite.bench(stringify!($anew), |b| {
                    around(stringify!($anew), || {
                        b.iter(|| peers::$body::<$copies>(black_box(7)));
                    });
                });
            )+
            $(
                suite.bench(stringify!($carried), |b| {
                    around(stringify!($carried), || {
                        let mut y = black_box(7);
                        b.iter(|| {
                            y = peers::$link::<$length>(y);
                            y
                        });
                    });
                });
            )+
        }
    };
}

with_kernels!(benches);
zenbench::main!(landmarks);
