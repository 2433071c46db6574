//! The same work timed by the harness and by the body itself, which begins with a cost that does not depend on the
//! number of iterations and varies from call to call.

use std::time::{SystemTime, UNIX_EPOCH};

use tourbillon::{Bencher, bench, hide};

/// Spins, of four cycles each: of the fixed cost, of each of the up to seven steps by which it varies, of an iteration.
const SETTINGS: [(u64, u64, u64); 11] = [
    (1_000_000, 200_000, 7_000),
    (0, 0, 40),
    (100_000, 0, 150),
    (100_000, 8_000, 150),
    (2_000_000, 150_000, 300),
    (2_000_000, 150_000, 1_000),
    (500_000, 40_000, 10_000),
    (2_000_000, 0, 100_000),
    (1_000_000, 80_000, 1_000_000),
    (0, 0, 3_000_000),
    (2_000_000, 150_000, 10_000_000),
];

#[bench(args(spins = SETTINGS), group = "self timed", reference)]
fn iter(b: Bencher<'_>, spins: (u64, u64, u64)) {
    let (_, _, each) = spins;
    let mut number = 1;
    b.iter(|| number = spin(number, each));
}

#[bench(args(spins = SETTINGS), group = "self timed")]
fn own(b: Bencher<'_>, spins: (u64, u64, u64)) {
    let (fixed, step, each) = spins;
    let mut number = 1;
    b.iter_controlled(|count, control| {
        control.pause();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let steps = now.map_or(0, |now| u64::from(now.subsec_nanos()) / 7 % 8);
        control.resume();
        number = spin(number, fixed + steps * step);
        for _ in 0..count {
            number = spin(number, each);
        }
    });
}

/// Each call needs the number of the call before: they do not overlap, neither here nor in the loop of the harness.
#[inline(never)]
fn spin(mut number: u64, count: u64) -> u64 {
    for step in 0..count {
        number = hide(
            number
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(step),
        );
    }
    number
}
