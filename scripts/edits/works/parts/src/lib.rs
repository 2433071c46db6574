//! Parts that benchmarks use, each in its own way.

mod wheels;

pub use wheels::{Large, Small, Wheel, WHEELS};

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Far from its use.
pub const FAR: u64 = 1_234_577;

#[inline(never)]
pub fn near(n: u64) -> u64 {
    between(n).rotate_left(5)
}

#[inline(never)]
fn between(n: u64) -> u64 {
    n ^ FAR
}

#[inline]
pub fn inlined(n: u64) -> u64 {
    n.wrapping_mul(31) ^ 3
}

#[inline(never)]
pub fn largest<T: Ord + Copy>(all: &[T]) -> Option<T> {
    all.iter().copied().max()
}

pub static COUNTER: AtomicU64 = AtomicU64::new(17);

#[inline(never)]
pub fn counted() -> u64 {
    COUNTER.load(Ordering::Relaxed)
}

thread_local! {
    pub static LOCAL: Cell<u64> = const { Cell::new(23) };
}

/// By its name alone.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn parts_by_name(n: u64) -> u64 {
    n.wrapping_sub(41)
}

/// A table of jumps.
#[inline(never)]
pub fn chosen(n: u64) -> u64 {
    match n % 8 {
        0 => n / 3,
        1 => n * 5,
        2 => n ^ 7,
        3 => n << 2,
        4 => n.rotate_left(9),
        5 => n.wrapping_sub(11),
        6 => n | 13,
        _ => n & 0xFF,
    }
}

#[inline(never)]
pub fn scaled(x: f64) -> f64 {
    x * 1.0625 + 0.5
}

#[inline(never)]
pub fn named(n: u64) -> String {
    format!("wheel {n} of many")
}

/// Works when it is dropped.
pub struct Winding(pub u64);

impl Drop for Winding {
    #[inline(never)]
    fn drop(&mut self) {
        COUNTER.fetch_add(self.0 & 0, Ordering::Relaxed);
        LOCAL.with(|local| local.set(local.get() ^ 1));
    }
}

/// Has a method of its own.
pub trait Turning {
    fn turned(&self, n: u64) -> u64 {
        n.wrapping_mul(29)
    }
}

impl Turning for Winding {}

const fn computed(n: u64) -> u64 {
    if n == 0 { 1 } else { n + computed(n - 1) }
}

/// Computed by the compiler.
pub static SUM: u64 = computed(12);

macro_rules! steps {
    ($name:ident, $count:literal) => {
        #[inline(never)]
        pub fn $name(n: u64) -> u64 {
            let mut sum = n;
            for step in 0..$count {
                sum = sum.rotate_left(1) ^ step;
            }
            sum
        }
    };
}

steps!(stepped, 6);

#[inline(never)]
#[track_caller]
pub fn asked() -> u64 {
    std::panic::Location::caller().line().into()
}

/// Panics, but not here.
#[inline(never)]
pub fn checked(all: &[u64], at: usize) -> u64 {
    all[at] + all[at / 2]
}

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".text",
    ".weak parts_weak",
    ".type parts_weak, @function",
    "parts_weak:",
    "mov $51, %eax",
    "ret",
    ".size parts_weak, . - parts_weak",
    ".globl parts_resolved",
    ".type parts_resolved, @gnu_indirect_function",
    "parts_resolved:",
    "lea parts_first(%rip), %rax",
    "ret",
    ".size parts_resolved, . - parts_resolved",
    ".type parts_first, @function",
    "parts_first:",
    "mov $61, %eax",
    "ret",
    ".size parts_first, . - parts_first",
    options(att_syntax)
);

#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    pub fn parts_weak() -> u64;
    pub fn parts_resolved() -> u64;
}

#[inline(never)]
pub fn assembled(n: u64) -> u64 {
    let result: u64;
    unsafe {
        std::arch::asm!("lea {0}, [{1} + 71]", out(reg) result, in(reg) n);
    }
    result
}

/// Nothing that is used.
pub fn unused(n: u64) -> u64 {
    private(n)
}

fn private(n: u64) -> u64 {
    n + 2
}
