//! Bodies with which nothing is wrong: `scripts/notes.sh` measures them again and again, on an idle machine and beside
//! load, and counts the notes.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Multiplications that wait for each other.
#[bench]
fn pure() -> u64 {
    let mut product = hide(3_u64);
    for _ in 0..100 {
        product = product.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ 1;
    }
    product
}

/// As short as a body is.
#[bench]
fn short() -> u64 {
    hide(3_u64).rotate_left(hide(7))
}

#[bench]
fn text(b: Bencher<'_>) {
    let mut text = String::with_capacity(64);
    b.iter(|| {
        text.clear();
        _ = write!(text, "{:>8} of {}", hide(17), hide(1_234_567));
        text.len()
    });
}

/// Grows in every call, by what the allocator has.
#[bench]
fn growing() -> Vec<u64> {
    let mut grown = Vec::new();
    for number in 0..hide(2_000) {
        grown.push(number);
    }
    grown
}

/// Sorts what was prepared.
#[bench]
fn sort(b: Bencher<'_>) {
    let mut seed = 1_u32;
    let prepare = move || {
        let numbers: Vec<u32> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed
        })
        .take(256)
        .collect();
        numbers
    };
    b.with_inputs(prepare)
        .iter_mut(|numbers| numbers.sort_unstable());
}

/// Adds words of different lengths.
#[bench]
fn stream(b: Bencher<'_>) {
    let words: Vec<String> = (0..1_000).map(|at| "x".repeat(at % 40)).collect();
    b.with_stream(&words)
        .iter(|word| word.bytes().map(u64::from).sum::<u64>());
}

#[bench]
fn sleep() {
    thread::sleep(Duration::from_micros(20));
}

#[bench(threads = [2])]
fn mutex(b: Bencher<'_>) {
    let counter = Mutex::new(0_u64);
    b.iter_threads(|_thread| || *counter.lock().unwrap_or_else(PoisonError::into_inner) += 1);
}

/// Asks another thread, which works on when it is no longer asked, and ends late.
#[bench]
fn asked(b: Bencher<'_>) {
    let (ask, asked) = mpsc::channel::<u64>();
    let (answer, answers) = mpsc::channel();
    thread::spawn(move || {
        while let Ok(question) = asked.recv() {
            if answer.send(question.rotate_left(7)).is_err() {
                break;
            }
        }
        let late = Instant::now();
        while late.elapsed() < Duration::from_millis(5) {}
    });
    b.iter(|| {
        _ = ask.send(hide(1));
        answers.recv()
    });
}

/// Threads of a pool, which wait for more.
#[bench]
fn pool(b: Bencher<'_>) {
    b.iter(|| smol::block_on(smol::unblock(|| hide(1_u64).rotate_left(7))));
}

/// A timer, by a thread that waits for events and is woken up by a counter of events.
#[bench]
fn timer(b: Bencher<'_>) {
    b.iter(|| smol::block_on(smol::Timer::after(Duration::from_micros(20))));
}

/// Bytes to a socket, and back.
#[cfg(unix)]
#[bench]
fn socket(b: Bencher<'_>) -> std::io::Result<()> {
    use std::io::{Read, Write};

    let (mut near, mut far) = std::os::unix::net::UnixStream::pair()?;
    let mut bytes = [1; 64];
    b.iter(|| {
        near.write_all(&bytes)?;
        far.read_exact(&mut bytes)
    });
    Ok(())
}

/// A byte to a pipe, and back.
#[cfg(unix)]
#[bench]
fn pipe(b: Bencher<'_>) -> std::io::Result<()> {
    use std::io::{Read, Write};

    let (mut from, mut to) = std::io::pipe()?;
    let mut byte = [1];
    b.iter(|| {
        to.write_all(&byte)?;
        from.read_exact(&mut byte)
    });
    Ok(())
}
