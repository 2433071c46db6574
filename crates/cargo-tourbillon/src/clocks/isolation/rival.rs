//! The second process: it does nothing but keep a processor busy.

use std::io::{self, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::work;
use crate::exit::{self, Stop};

/// The subcommand that makes this program the second process; not in the help.
pub(crate) const NAME: &str = "clocks-rival";

/// What it says when it is at work.
const READY: &[u8] = b"ready\n";

/// A second process at work. It ends when this is dropped, and with this process however that ends:
/// its standard input is then closed.
#[derive(Debug)]
pub(super) struct Rival {
    child: Child,
}

impl Rival {
    /// Starts it, on the processors that this thread may run on, and waits until it is at work.
    ///
    /// # Errors
    ///
    /// Where no process can be started, and where it ends before it has said anything.
    pub(super) fn start() -> io::Result<Rival> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(NAME)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take();
        // From here on it is ended whatever happens.
        let rival = Rival { child };
        wait_ready(stdout)?;
        Ok(rival)
    }
}

fn wait_ready(stdout: Option<ChildStdout>) -> io::Result<()> {
    let mut said = [0; READY.len()];
    if let Some(mut stdout) = stdout {
        stdout.read_exact(&mut said)?;
    }
    if said == READY {
        Ok(())
    } else {
        Err(io::Error::other("the second process said something else"))
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // Killing one that has ended fails, and waiting for it does not block: both are fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the second process does: works in one thread until its standard input ends.
pub(crate) fn run() -> Result<(), Stop> {
    let over = Arc::new(AtomicBool::new(false));
    let worker = {
        let over = Arc::clone(&over);
        thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                work::work(10_000);
            }
        })
    };
    let waited = exit::print("ready\n").and_then(|()| {
        let read = io::copy(&mut io::stdin().lock(), &mut io::sink());
        read.map(|_| ())
            .map_err(|error| Stop::Environment(format!("stdin cannot be read: {error}")))
    });
    over.store(true, Ordering::Relaxed);
    // It cannot have panicked: all it does is arithmetic.
    let _ = worker.join();
    waited
}
