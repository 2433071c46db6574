//! Pairs of functions measured by zenbench, which takes turns inside a group.

use peers::with_pairs;
use zenbench::black_box as hide;
use zenbench::prelude::*;

#[path = "../../../examples/benches/pairs/plain.rs"]
mod plain;

macro_rules! benches {
    ($($group:literal: $($case:ident = $body:expr),+;)+) => {
        fn pairs(suite: &mut Suite) {
            $(suite.group($group, |group| {
                $(
                    let mut body = hide($body);
                    group.bench(stringify!($case), move |b| b.iter(&mut body));
                )+
            });)+
        }
    };
}

with_pairs!(benches);
zenbench::main!(pairs);
