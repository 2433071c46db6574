//! Ordinary code measured by Tourbillon.

use std::process::ExitCode;

use peers::with_bodies;
use tourbillon::{Bencher, bench, hide};

#[path = "../../../examples/benches/reproducible/plain.rs"]
mod plain;

macro_rules! benches {
    ($($name:ident $body:ident $input:expr;)+) => {
        $(
            #[bench]
            fn $name(b: Bencher<'_>) {
                let input = $input;
                b.iter(|| plain::$body(hide(input)));
            }
        )+
    };
}

with_bodies!(benches);

fn main() -> ExitCode {
    tourbillon::main()
}
