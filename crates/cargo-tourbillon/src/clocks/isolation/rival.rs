//! The second process, which keeps a processor busy, and the work that both do.

use std::hint::black_box;
use std::io::{self, Read};
use std::process::{Child, Stdio};
use std::thread;

use tourbillon_builds::Invocation;

use crate::exit::{self, Stop};

/// The hidden subcommand that runs the second process.
const NAME: &str = "clocks-rival";

/// Its first output.
const READY: &[u8] = b"ready\n";

/// A running second process. It ends when this is dropped, and when this process ends, because its
/// standard input is closed then.
#[derive(Debug)]
pub(super) struct Rival {
    child: Child,
}

impl Rival {
    /// Starts it on the processors of this thread, and waits until it is running.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or ends early.
    pub(super) fn start() -> io::Result<Rival> {
        let mut child = Invocation::new(std::env::current_exe()?)
            .words(&[NAME])
            .process()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdout = child.stdout.take();
        // From here on, dropping it ends it.
        let rival = Rival { child };
        let mut output = [0; READY.len()];
        if let Some(stdout) = &mut stdout {
            stdout.read_exact(&mut output)?;
        }
        if output == READY {
            Ok(rival)
        } else {
            Err(io::Error::other("unexpected output of the second process"))
        }
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // Both are harmless if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The second process: works in one thread until its standard input ends.
pub(crate) fn run() -> Result<(), Stop> {
    // Ends with the process.
    thread::spawn(|| {
        loop {
            work(10_000);
        }
    });
    exit::print("ready\n")?;
    io::copy(&mut io::stdin().lock(), &mut io::sink())
        .map(|_| ())
        .map_err(|error| Stop::Environment(format!("stdin cannot be read: {error}")))
}

/// Does `turns` multiplications in a chain, some nanoseconds each, without memory and system calls.
pub(super) fn work(turns: u64) {
    let mut state = black_box(1_u64);
    for _ in 0..turns {
        // Each turn depends on the last.
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
    }
    black_box(state);
}

/// Turns that take about `wished_ns`; `elapsed_ns` measures a number of turns.
///
/// Doubles them until they take a tenth of that, so that a coarse clock is enough.
pub(super) fn turns_for(wished_ns: u64, mut elapsed_ns: impl FnMut(u64) -> u64) -> u64 {
    let mut turns = 1 << 16;
    loop {
        let ns = elapsed_ns(turns);
        if ns >= wished_ns / 10 || turns >= 1 << 40 {
            let scaled = u128::from(turns) * u128::from(wished_ns) / u128::from(ns.max(1));
            return u64::try_from(scaled).unwrap_or(u64::MAX).max(1);
        }
        turns *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_of_work_follows_the_time() {
        // 3 ns a turn, on a clock that ticks once in 10 ms.
        let coarse = |turns: u64| turns * 3 / 10_000_000 * 10_000_000;
        let turns = turns_for(100_000_000, coarse);
        assert!((15_000_000..75_000_000).contains(&turns), "{turns}");
        assert_eq!(turns_for(1_000, |turns| turns * 3), 1_000 / 3);
    }

    #[test]
    fn a_clock_that_stands_still_does_not_make_it_endless() {
        assert!(turns_for(1_000_000, |_| 0) > 0);
    }
}
