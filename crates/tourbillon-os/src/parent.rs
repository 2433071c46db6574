use std::fs::File;
use std::io;
use std::os::fd::AsFd;

use crate::poll;
#[cfg(target_os = "linux")]
use crate::sys;

/// Sees to it that this process ends when its coordinator does, however that ends.
///
/// On Linux the kernel kills it at that moment, whatever it is doing. Elsewhere nothing does: the
/// worker finds out by [`coordinator_gone`], or by writing its next frame.
///
/// `input` is the pipe from the coordinator, as [`crate::take_protocol`] gives it; it tells whether
/// the coordinator was gone before the kernel could be asked. What the benchmark forks is not tied:
/// the kernel forgets the wish in a fork.
///
/// # Errors
/// When the kernel refuses, or (kind `BrokenPipe`) when the coordinator is already gone.
pub fn tie_to_coordinator(input: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: sets a number in the kernel's description of this process; SIGKILL cannot run
        // any code of ours.
        if unsafe { sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    if coordinator_gone(input) {
        return Err(io::Error::new(
            io::ErrorKind::BrokenPipe,
            "the coordinator is gone",
        ));
    }
    Ok(())
}

/// Whether the coordinator has ended: it keeps the pipe open as long as it lives. A system call,
/// for between two samples.
pub fn coordinator_gone(input: &File) -> bool {
    poll::hung_up(input.as_fd())
}
