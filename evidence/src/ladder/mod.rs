//! A ladder of measurements, each of which is wrong in its own way (after Mark0 to Mark6 in Sestoft,
//! "Microbenchmarks in Java and C#", 2015, section 3).
//!
//! Every rung measures for real, by a method that is really used, and is shown next to what the same
//! code really takes. `cargo run --profile bench -p examples --bin ladder` climbs it.

mod inputs;
mod loops;
mod processes;
mod rung;
mod subtracted;

pub use processes::{ONE_PROCESS, one_process};
use rung::Figure;
pub use rung::Rung;

/// The rungs, from the bottom, one after the other as they are measured.
pub fn rungs() -> impl Iterator<Item = Rung> {
    let climb: [fn() -> Rung; 11] = [
        loops::once,
        loops::folded,
        loops::dead,
        loops::one_run,
        loops::no_spread,
        loops::fixed_count,
        subtracted::loop_subtracted,
        subtracted::standard_black_box,
        inputs::same_input,
        processes::one,
        processes::several,
    ];
    climb.into_iter().map(|measure| measure())
}

/// The body of most rungs: twenty multiplications, each of which needs the one before.
#[inline(always)]
fn multiply(x: f64) -> f64 {
    (0..20).fold(x, |product, _| product * x)
}

/// What `body` takes, in nanoseconds per call: measured in this process, as `tourbillon::time` does
/// it. A body below the resolution has an upper bound only.
fn right<R>(body: impl FnMut() -> R) -> Figure {
    let timing = tourbillon::Timer::new().quiet().time("right", body);
    match (timing.nanos_per_op(), timing.upper()) {
        (Some(ns), _) => ns.into(),
        (None, Some(bound)) => Figure(format!("< {bound:.2} ns")),
        (None, None) => Figure("not measured".to_owned()),
    }
}

/// What `multiply` takes, measured right.
fn right_multiply() -> Figure {
    let x = 1.000_1;
    right(move || multiply(tourbillon::hide(x)))
}
