//! The second process, which keeps a processor busy.

use std::io::{self, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::work;
use crate::exit::{self, Stop};

/// The hidden subcommand that runs the second process.
pub(crate) const NAME: &str = "clocks-rival";

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
    /// # Errors When it cannot be started, or ends early.
    pub(super) fn start() -> io::Result<Rival> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(NAME)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take();
        // From here on, dropping it ends it.
        let rival = Rival { child };
        wait_ready(stdout)?;
        Ok(rival)
    }
}

fn wait_ready(stdout: Option<ChildStdout>) -> io::Result<()> {
    let mut output = [0; READY.len()];
    if let Some(mut stdout) = stdout {
        stdout.read_exact(&mut output)?;
    }
    if output == READY {
        Ok(())
    } else {
        Err(io::Error::other("unexpected output of the second process"))
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
    // It only computes, so it cannot panic.
    let _ = worker.join();
    waited
}
