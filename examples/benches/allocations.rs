//! What an op asks of the allocator: with a meter as the global allocator, a line below each time shows
//! it. The times are of other processes, in which the meter does not count.
//!
//! `cargo bench -p examples --features memory --bench allocations`

use std::collections::BTreeMap;
use std::process::ExitCode;

use tourbillon::mem::Meter;
use tourbillon::{Bencher, bench, hide, keep};

#[global_allocator]
static ALLOC: Meter = Meter::system();

fn main() -> ExitCode {
    tourbillon::main()
}

/// A block for the copy, which then has to grow: two requests.
#[bench]
fn concat() -> String {
    hide("hello ").to_owned() + hide("world")
}

/// The same in one block.
#[bench]
fn concat_in_one() -> String {
    let (hello, world) = (hide("hello "), hide("world"));
    let mut text = String::with_capacity(hello.len() + world.len());
    text.push_str(hello);
    text.push_str(world);
    text
}

/// Room for eight at a time: one op of eight allocates.
#[bench]
fn push_eight_at_a_time(b: Bencher<'_>) {
    let mut list = Vec::new();
    b.iter(|| {
        if list.len() == list.capacity() {
            list = Vec::with_capacity(8);
        }
        list.push(hide(1_u64));
    });
}

/// Grown from nothing: every reallocation may copy what is there.
#[bench]
fn collect_grown(b: Bencher<'_>) {
    b.drop_inside().iter(|| {
        let mut list = Vec::new();
        for number in 0..hide(1_000_u64) {
            list.push(number);
        }
        list
    });
}

/// The size was known beforehand.
#[bench]
fn collect_reserved(b: Bencher<'_>) {
    b.drop_inside()
        .iter(|| (0..hide(1_000_u64)).collect::<Vec<u64>>());
}

/// A node for some items each, and the most that was live at once.
#[bench]
fn map(b: Bencher<'_>) {
    b.drop_inside().iter(|| {
        let pairs = (0..hide(1_000_u64)).map(|number| (number, number));
        pairs.collect::<BTreeMap<u64, u64>>()
    });
}

/// What threads of the body ask for is counted too, with what it takes to start one.
#[bench]
fn on_a_thread(b: Bencher<'_>) {
    b.iter(|| {
        std::thread::scope(|scope| {
            scope.spawn(|| keep(vec![hide(1_u8); 10_000]));
        });
    });
}
