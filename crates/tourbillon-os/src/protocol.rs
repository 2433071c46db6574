use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};

use crate::signals::act_on;
use crate::{Protocol, sys};

/// Takes the pipes to the coordinator away from stdin and stdout: a worker's first act.
///
/// Afterwards stdin is empty, and what the benchmark prints goes nowhere (or, with `nocapture`, to
/// stderr): it cannot disturb the protocol. SIGXFSZ, which the coordinator ignores, gets its default action
/// back: the benchmark finds signals as in any program.
///
/// # Errors
/// When the null device cannot be opened or a descriptor cannot be made.
pub fn take_protocol(nocapture: bool) -> io::Result<Protocol> {
    act_on(sys::SIGXFSZ, sys::SIG_DFL)?;
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    // The copies are close-on-exec, and their numbers are above 2.
    let protocol = Protocol {
        input: File::from(stdin.as_fd().try_clone_to_owned()?),
        output: File::from(stdout.as_fd().try_clone_to_owned()?),
    };
    let null = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    replace(stdin.as_raw_fd(), null.as_fd())?;
    let shown = if nocapture {
        stderr.as_fd()
    } else {
        null.as_fd()
    };
    replace(stdout.as_raw_fd(), shown)?;
    Ok(protocol)
}

fn replace(number: RawFd, with: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: both are open. `number` is 0 or 1, which nobody owns: whoever uses them means
    // "wherever they lead".
    match unsafe { sys::dup2(with.as_raw_fd(), number) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
