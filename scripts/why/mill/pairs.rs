//! A case for each pair of builds.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicU32;

use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

#[bench]
fn allocator(b: Bencher<'_>) {
    b.iter(|| mill::allocator::boxes(hide(12)));
}

#[bench]
fn assertion(b: Bencher<'_>) {
    let numbers = sorted(200);
    b.iter(|| mill::assertion::find(hide(&numbers), hide(1 << 30)));
}

#[bench]
fn bounds(b: Bencher<'_>) {
    let bytes = bytes(1024);
    b.iter(|| adler2::adler32_slice(hide(&bytes)));
}

#[bench]
fn branches(b: Bencher<'_>) {
    let rows = mill::branches::Rows::new();
    b.iter(|| rows.score());
}

#[bench]
fn cache(b: Bencher<'_>) {
    let table = mill::cache::Table::new();
    b.iter(|| table.walk());
}

#[bench]
fn chain(b: Bencher<'_>) {
    let numbers: Vec<u64> = mill::numbers(1000).into_iter().map(u64::from).collect();
    b.iter(|| mill::chain::mixed(hide(&numbers)));
}

#[bench]
fn clone(b: Bencher<'_>) {
    let versions = mill::clone::versions();
    b.iter(|| mill::clone::newest(hide(&versions)));
}

#[bench]
fn copy(b: Bencher<'_>) {
    let points = [1; 32_768];
    let picture = Box::new(mill::copy::Picture { points });
    b.iter(|| mill::copy::brightness(hide(&picture)));
}

#[bench]
fn division(b: Bencher<'_>) {
    let (table, keys) = (mill::numbers(256), mill::numbers(300));
    b.iter(|| mill::division::probes(hide(&table), hide(&keys)));
}

#[bench]
fn format(b: Bencher<'_>) {
    let (numbers, mut text) = (mill::numbers(10), String::with_capacity(1000));
    b.iter(|| mill::format::joined(hide(&numbers), &mut text));
}

#[bench]
fn hash(b: Bencher<'_>) {
    let words = mill::hash::words();
    let map = mill::hash::map(&words);
    b.iter(|| mill::hash::found(hide(&map), hide(&words)));
}

#[bench]
fn inline(b: Bencher<'_>) {
    let bytes = bytes(1024);
    let hasher = siphasher::sip::SipHasher13::new();
    b.iter(|| hasher.hash(hide(&bytes)));
}

#[bench]
fn level(b: Bencher<'_>) {
    let (prices, amounts) = (mill::numbers(100), mill::numbers(100));
    b.iter(|| mill::level::weighed(hide(&prices), hide(&amounts)));
}

#[bench]
fn lock(b: Bencher<'_>) {
    let (total, numbers) = (Mutex::new(0), mill::numbers(100));
    b.iter(|| mill::lock::added(hide(&total), hide(&numbers)));
}

#[bench]
fn pages(b: Bencher<'_>) {
    let ring = mill::pages::Ring::new();
    b.iter(|| ring.written(hide(1)));
}

#[bench]
fn placement() -> u64 {
    mill::placement::counted(hide(1000))
}

#[bench]
fn recursion(b: Bencher<'_>) {
    let bytes = bytes(300);
    b.iter(|| mill::recursion::checksum(hide(&bytes)));
}

#[bench]
fn repeated(b: Bencher<'_>) {
    let lines = mill::repeated::lines();
    b.iter(|| mill::repeated::with(hide(&lines), hide("clock")));
}

#[bench]
fn sleep(b: Bencher<'_>) {
    let left = AtomicU32::new(1);
    b.iter(|| mill::sleep::received(hide(&left)));
}

#[bench]
fn spill(b: Bencher<'_>) {
    let lines = mill::spill::lines();
    b.iter(|| mill::spill::lengths(hide(&lines)));
}

#[bench]
fn structure(b: Bencher<'_>) {
    let (known, numbers) = (mill::numbers(200).into_iter().collect(), mill::numbers(40));
    b.iter(|| mill::structure::known(hide(&known), hide(&numbers)));
}

#[bench]
fn vectors(b: Bencher<'_>) {
    let mut points = bytes(600);
    b.iter(|| mill::vectors::brighter(hide(&mut points), hide(1)));
}

#[bench]
fn version(b: Bencher<'_>) {
    let settings = mill::version::settings();
    b.iter(|| mill::version::setting(hide(&settings), hide("the only setting")));
}

#[bench]
fn write(b: Bencher<'_>) {
    let mut log = mill::write::log();
    b.iter(|| mill::write::logged(&mut log, hide(7)));
}

fn bytes(count: usize) -> Vec<u8> {
    mill::numbers(count).into_iter().map(|n| (n >> 24) as u8 | 1).collect()
}

fn sorted(count: usize) -> Vec<u32> {
    let mut numbers = mill::numbers(count);
    numbers.sort_unstable();
    numbers
}
