//! The reference kernels measured by Tourbillon.

use std::process::ExitCode;

use peers::{around, with_kernels};
use tourbillon::{Bencher, bench, hide};

#[bench]
fn empty(b: Bencher<'_>) {
    around("empty", || b.iter(|| ()));
}

macro_rules! benches {
    (anew: $($anew:ident $body:ident $copies:literal),+;
     carried: $($carried:ident $link:ident $length:literal),+;) => {
        $(
            #[bench]
            fn $anew(b: Bencher<'_>) {
                let y = hide(7);
                around(stringify!($anew), || b.iter(move || peers::$body::<$copies>(y)));
            }
        )+
        $(
            #[bench]
            fn $carried(b: Bencher<'_>) {
                around(stringify!($carried), || b.chain(7, peers::$link::<$length>));
            }
        )+
    };
}

with_kernels!(benches);

fn main() -> ExitCode {
    tourbillon::main()
}
