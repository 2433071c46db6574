//! The cost of the first reading of a process, which includes the calibration of a clock.

use std::process::ExitCode;
use std::time::Instant;

/// Makes a clock, reads it once, and prints the time of both in microseconds.
///
/// A calibration that runs before `main`, as those of minstant and fastant, is not included.
pub(crate) fn show(name: &str) -> ExitCode {
    let began = Instant::now();
    match name {
        "tourbillon" => {
            if let Ok(clock) = tourbillon_clock::Clock::by_name(COUNTER) {
                std::hint::black_box(clock.now());
            }
        }
        "tourbillon-choose" => {
            std::hint::black_box(tourbillon_clock::Clock::choose().clock.now());
        }
        "quanta" => {
            std::hint::black_box(quanta::Instant::now());
        }
        "minstant" => {
            std::hint::black_box(minstant::Instant::now());
        }
        "fastant" => {
            std::hint::black_box(fastant::Instant::now());
        }
        _ => {
            eprintln!(
                "clock-peers: no clock is called {name:?}; there are tourbillon, \
                 tourbillon-choose, quanta, minstant and fastant"
            );
            return ExitCode::from(1);
        }
    }
    println!("{}", began.elapsed().as_nanos() as f64 / 1e3);
    ExitCode::SUCCESS
}

const COUNTER: &str = if cfg!(target_arch = "x86_64") {
    "tsc"
} else {
    "cntvct"
};
