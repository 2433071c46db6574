//! What a program prints before its `main` lists its benchmarks: a test runner that reads the list takes no other line.

use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::stderr_file::StderrFile;
use crate::sys;

/// Most of the text that is given back.
const MOST: usize = 1 << 20;

/// What stdout was, and the file that takes its place.
struct Hold {
    stdout: OwnedFd,
    text: StderrFile,
}

static HOLD: Mutex<Option<Hold>> = Mutex::new(None);

/// Keeps what is printed out of stdout, until [`release_stdout`]; for a constructor. In a program that ends without,
/// because its `main` lists other things, stdout gets it then. Nothing is kept where the system does not allow it.
pub fn hold_stdout() {
    // Without a file, stdout is as in any program.
    let _ = hold();
}

fn hold() -> io::Result<()> {
    let text = StderrFile::create()?;
    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    replace_stdout(text.for_child()?.as_fd())?;
    *lock() = Some(Hold { stdout, text });
    // SAFETY: the function lives as long as the process.
    unsafe { sys::atexit(give_back) };
    Ok(())
}

/// Stdout is again what it was. What was kept is written to stderr.
pub fn release_stdout() {
    if let Some(kept) = restored() {
        let _ = io::stderr().write_all(&kept);
    }
}

extern "C" fn give_back() {
    if let Some(kept) = restored() {
        let _ = io::stdout().write_all(&kept);
        let _ = io::stdout().flush();
    }
}

/// Puts stdout back and gives what was kept, if anything is.
fn restored() -> Option<Vec<u8>> {
    let hold = lock().take()?;
    let _ = io::stdout().flush();
    replace_stdout(hold.stdout.as_fd()).ok()?;
    hold.text.tail(MOST).ok()
}

fn replace_stdout(with: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: both are open, and stdout has no owner.
    match unsafe { sys::dup2(with.as_raw_fd(), io::stdout().as_raw_fd()) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn lock() -> MutexGuard<'static, Option<Hold>> {
    HOLD.lock().unwrap_or_else(PoisonError::into_inner)
}
