//! The batches that are compared: readings of clocks, and windows.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use tourbillon_clock::Clock;
use tourbillon_timers::Canary;

thread_local! {
    /// Chosen once, as in every program.
    static OURS: Clock = Clock::choose().clock;
}

static QUANTA: LazyLock<quanta::Clock> = LazyLock::new(quanta::Clock::new);

/// The name of a clock, and its batch.
type Reader = (&'static str, fn(u32));
/// The name of a window, and its batch.
type Window = (&'static str, fn(&Clock, &Canary, u32));

/// Clocks with loops of that many readings; the others are divided by the first.
pub(crate) const READERS: &[Reader] = &[
    ("bare instruction", |readings| repeat(readings, bare)),
    ("tourbillon now", |readings| {
        OURS.with(|clock| repeat(readings, || clock.now()));
    }),
    ("tourbillon start", |readings| {
        OURS.with(|clock| repeat(readings, || clock.start()));
    }),
    ("quanta raw", |readings| {
        let clock = &*QUANTA;
        repeat(readings, || clock.raw());
    }),
    ("quanta now", |readings| {
        let clock = &*QUANTA;
        repeat(readings, || clock.now());
    }),
    ("minstant now", |readings| {
        repeat(readings, minstant::Instant::now);
    }),
    ("fastant now", |readings| {
        repeat(readings, fastant::Instant::now);
    }),
    ("std now", |readings| repeat(readings, Instant::now)),
];

/// Windows with loops of that many; the first is subtracted from the others.
pub(crate) const WINDOWS: &[Window] = &[
    ("start, stop", |clock, _, times| {
        for _ in 0..times {
            black_box((clock.start(), clock.stop()));
        }
    }),
    ("begin, start, stop, end", |clock, canary, times| {
        for _ in 0..times {
            let begun = canary.begin();
            black_box((clock.start(), clock.stop()));
            black_box(canary.end(begun));
        }
    }),
];

/// The loop, compiled separately for each clock.
#[inline(always)]
fn repeat<T>(readings: u32, read: impl Fn() -> T) {
    for _ in 0..readings {
        black_box(read());
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bare() -> u64 {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn bare() -> u64 {
    let ticks: u64;
    // SAFETY: reads a register that user code may read.
    unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks) };
    ticks
}
