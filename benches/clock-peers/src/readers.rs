//! The clocks that are compared, each read as its documentation says.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use tourbillon_clock::Clock;

/// A clock and a loop that reads it.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    batch: fn(u32),
}

impl Reader {
    /// Reads so often, one after the other.
    pub(crate) fn run(&self, readings: u32) {
        (self.batch)(readings);
    }
}

thread_local! {
    /// Ours, chosen once as every program would.
    static OURS: Clock = Clock::choose().clock;
}

static QUANTA: LazyLock<quanta::Clock> = LazyLock::new(quanta::Clock::new);

/// The bare instruction first: the others are divided by it.
pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "bare instruction",
        batch: |readings| repeat(readings, bare),
    },
    Reader {
        name: "tourbillon now",
        batch: |readings| OURS.with(|clock| repeat(readings, || clock.now())),
    },
    Reader {
        name: "tourbillon start",
        batch: |readings| OURS.with(|clock| repeat(readings, || clock.start())),
    },
    Reader {
        name: "quanta raw",
        batch: |readings| {
            let clock = &*QUANTA;
            repeat(readings, || clock.raw());
        },
    },
    Reader {
        name: "quanta now",
        batch: |readings| {
            let clock = &*QUANTA;
            repeat(readings, || clock.now());
        },
    },
    Reader {
        name: "minstant now",
        batch: |readings| repeat(readings, minstant::Instant::now),
    },
    Reader {
        name: "fastant now",
        batch: |readings| repeat(readings, fastant::Instant::now),
    },
    Reader {
        name: "std now",
        batch: |readings| repeat(readings, Instant::now),
    },
];

/// The loop, compiled for each clock by itself; each reading is kept.
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
