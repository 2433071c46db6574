//! Bodies that are not measured in wall time: by what processors spend on them, whether that is spent in
//! their own code or in the kernel, and by numbers that they return.
//!
//! `cargo bench -p examples --bench processors`

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use tourbillon::{Bencher, Metric, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Waits: next to nothing of its millisecond is spent on a processor.
#[bench(group = "wait", clock = cpu)]
fn asleep() {
    thread::sleep(Duration::from_millis(1));
}

/// The same in wall time.
#[bench(group = "wait")]
fn asleep_by_the_wall() {
    thread::sleep(Duration::from_millis(1));
}

fn sum(upto: u64) -> u64 {
    (0..upto).fold(0, |sum, n| hide(sum) + n)
}

/// Two threads work at once: time of processors is that of both.
#[bench(group = "threads", clock = cpu)]
fn two_threads() {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| sum(hide(1_000_000)));
        }
    });
}

/// The work of one of them.
#[bench(group = "threads", clock = cpu)]
fn one_thread() -> u64 {
    sum(hide(1_000_000))
}

fn read_zeroes() -> impl FnMut() -> u64 {
    let mut zeroes = File::open("/dev/zero");
    let mut null = File::create("/dev/null");
    let mut buffer = vec![0; 1 << 16];
    move || {
        if let (Ok(zeroes), Ok(null)) = (&mut zeroes, &mut null) {
            let _ = zeroes.read_exact(&mut buffer);
            let _ = null.write_all(&buffer);
        }
        buffer.iter().map(|byte| u64::from(*byte)).sum()
    }
}

/// The kernel clears 64 KiB; the program adds them up.
#[bench(group = "zeroes", clock = kernel)]
fn in_the_kernel(b: Bencher<'_>) {
    b.iter(read_zeroes());
}

/// The other part of the same.
#[bench(group = "zeroes", clock = user)]
fn in_own_code(b: Bencher<'_>) {
    b.iter(read_zeroes());
}

const PROBES: Metric = Metric::count("probes");

/// Places that an open hash table looks at for a key, at loads of 50 and 90 %. Theory (Knuth, The Art of
/// Computer Programming 3, 1973, 6.4): (1 + 1 / (1 - load)) / 2 for a key that is there, 1.5 and 5.5.
#[bench(group = "table", args(load = [50, 90]))]
fn linear_probing(b: Bencher<'_>, load: u64) {
    const PLACES: u64 = 1 << 16;
    let hasher = RandomState::new();
    let place = |key: u64| hasher.hash_one(key) % PLACES;
    let keys: Vec<u64> = (0..PLACES * load / 100).collect();
    let mut table = vec![None; PLACES as usize];
    for &key in &keys {
        let mut at = place(key);
        while table[at as usize].is_some() {
            at = (at + 1) % PLACES;
        }
        table[at as usize] = Some(key);
    }
    b.with_stream(&keys).measure(PROBES, |&key| {
        let (mut at, mut probes) = (place(key), 1_u32);
        while table[at as usize] != Some(key) {
            at = (at + 1) % PLACES;
            probes += 1;
        }
        probes
    });
}
