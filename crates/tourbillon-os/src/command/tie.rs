//! Processes that do not outlive this one.

use std::io;
use std::process::{Child, Command};

/// Has a process end with this one, however that ends, where the system can: on Linux. Start it from the main thread.
pub fn tie(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let end_with_parent = || {
            // SAFETY: sets a number in the kernel's description of the new process.
            match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        };
        // SAFETY: the function makes a system call and allocates nothing.
        unsafe { command.pre_exec(end_with_parent) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Asks a process to end, as SIGTERM does. Harmless if it has ended.
///
/// # Errors
/// If the system refuses.
pub fn ask_to_end(child: &mut Child) -> io::Result<()> {
    if child.try_wait()?.is_some() {
        return Ok(());
    }
    #[cfg(unix)]
    if let Ok(process) = libc::pid_t::try_from(child.id()) {
        // SAFETY: no memory is involved; the process has not been waited for, so that its id cannot have been reused.
        unsafe { libc::kill(process, libc::SIGTERM) };
    }
    #[cfg(not(unix))]
    child.kill()?;
    Ok(())
}
