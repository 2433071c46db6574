//! Ordinary code measured by zenbench.

use peers::with_bodies;
use zenbench::prelude::*;

#[path = "../../../examples/benches/reproducible/plain.rs"]
mod plain;

macro_rules! benches {
    ($($name:ident $body:ident $input:expr;)+) => {
        fn bodies(suite: &mut Suite) {
            $(
                suite.bench(stringify!($name), |b| {
                    let input = $input;
                    b.iter(|| plain::$body(black_box(input)));
                });
            )+
        }
    };
}

with_bodies!(benches);
zenbench::main!(bodies);
