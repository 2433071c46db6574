//! Programs that a signal to this program ends, after time to print and store what they have.

use std::io;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

use tourbillon_clock::Stopwatch;
use tourbillon_os::Signals;
use tourbillon_os::command::Guarded;

/// How often a program is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// Time from a signal until the program is asked to end. An interrupt at a terminal has reached it at once; a bench
/// program that gets another signal ends without its results.
const BEFORE_ASKED_NS: u64 = 5_000_000_000;
/// Time from a signal until it is ended by force.
const BEFORE_ENDED_NS: u64 = 30_000_000_000;

/// What a program that still runs after a signal gets.
#[derive(Debug, Default)]
pub struct Patience {
    /// Since the signal was seen.
    since: Option<Stopwatch>,
    is_asked: bool,
}

impl Patience {
    /// Ends the program if its time is over.
    pub fn look(&mut self, program: &mut Guarded) -> io::Result<()> {
        if Signals::first().is_none() {
            return Ok(());
        }
        let since = self.since.get_or_insert_with(Stopwatch::start);
        let elapsed_ns = since.elapsed_ns();
        if elapsed_ns >= BEFORE_ENDED_NS {
            program.end_all()?;
        } else if elapsed_ns >= BEFORE_ASKED_NS && !self.is_asked {
            self.is_asked = true;
            program.ask_to_end()?;
        }
        Ok(())
    }
}

/// Runs a program that prints for itself, and does not outlive this one.
///
/// # Errors
///
/// That it cannot be started.
pub fn status(process: &mut Command) -> io::Result<ExitStatus> {
    let mut program = Guarded::start(process)?;
    let mut patience = Patience::default();
    loop {
        if let Some(status) = program.child().try_wait()? {
            return Ok(status);
        }
        patience.look(&mut program)?;
        thread::sleep(LOOK);
    }
}
