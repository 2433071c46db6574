//! A case for each way in which code and data are reached.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use parts::Turning;
use tourbillon::bench;

const INPUT: u64 = 77;

#[bench]
fn far() -> u64 {
    parts::near(black_box(INPUT))
}

#[bench]
fn wheels() -> u64 {
    let n = black_box(INPUT);
    black_box(&parts::WHEELS)[n as usize % 2].teeth(n)
}

#[bench]
fn inlined() -> u64 {
    parts::inlined(black_box(INPUT))
}

#[bench]
fn generic() -> Option<u64> {
    parts::largest(black_box(&[1, INPUT, 3]))
}

#[bench]
fn statics() -> u64 {
    parts::counted()
}

#[bench]
fn local() -> u64 {
    parts::LOCAL.with(|local| local.get())
}

#[bench]
fn by_name() -> u64 {
    unsafe extern "C" {
        fn parts_by_name(n: u64) -> u64;
    }
    unsafe { parts_by_name(black_box(INPUT)) }
}

#[bench]
fn jumps() -> u64 {
    parts::chosen(black_box(INPUT))
}

#[bench]
fn floats() -> f64 {
    parts::scaled(black_box(2.5))
}

#[bench]
fn texts() -> String {
    parts::named(black_box(INPUT))
}

#[bench]
fn dropped() {
    drop(black_box(parts::Winding(1)));
}

#[bench]
fn default_method() -> u64 {
    std::mem::ManuallyDrop::new(parts::Winding(1)).turned(black_box(INPUT))
}

#[bench]
fn computed() -> u64 {
    *black_box(&parts::SUM)
}

#[bench]
fn by_macro() -> u64 {
    parts::stepped(black_box(INPUT))
}

#[bench]
fn caller() -> u64 {
    parts::asked()
}

#[bench]
fn line() -> u64 {
    black_box(u64::from(line!()))
}

#[bench]
fn checked() -> u64 {
    parts::checked(black_box(&[1, 2, 3]), black_box(2))
}

#[bench]
fn weak() -> u64 {
    unsafe { parts::parts_weak() }
}

#[bench]
fn resolved() -> u64 {
    unsafe { parts::parts_resolved() }
}

#[bench]
fn assembled() -> u64 {
    parts::assembled(black_box(INPUT))
}

#[bench]
fn dialled() -> u64 {
    dial::shifted(black_box(INPUT))
}

#[bench]
fn built() -> u64 {
    black_box(&works::TABLE)[1]
}

#[bench]
fn turned() -> u64 {
    works::turns(black_box(INPUT))
}

#[bench]
fn embedded() -> usize {
    black_box(works::WORDS).iter().filter(|byte| **byte == b'e').count()
}

#[bench]
fn closure() -> u64 {
    let more = black_box(4);
    works::applied(black_box(INPUT), &|n| n.wrapping_mul(19) + more)
}

static OWN: [AtomicU64; 2] = [AtomicU64::new(1), AtomicU64::new(2)];

#[bench]
fn shared() -> u64 {
    OWN[0].fetch_add(1, Ordering::Relaxed) + OWN[1].load(Ordering::Relaxed)
}

#[bench(args = [3, 4])]
fn with_argument(n: u64) -> u64 {
    parts::near(black_box(n)) ^ 5
}

#[bench]
fn library() -> f64 {
    unsafe extern "C" {
        fn cos(x: f64) -> f64;
    }
    unsafe { cos(black_box(0.5)) }
}

#[bench]
fn reading() -> usize {
    let files = std::fs::read_dir("times").expect("a folder").count();
    let text = std::fs::read_to_string("times/noon.txt");
    files + text.expect("a file").len()
}

fn main() -> ExitCode {
    tourbillon::main()
}
