//! Processes that do not outlive this one.

use std::process::Command;

/// Has a process end with the thread that starts it, however that ends, where the system can: on Linux. Start it from
/// the main thread, or from one that waits for it.
pub fn tie(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::io;
        use std::os::unix::process::CommandExt;

        use crate::sys;

        let end_with_parent = || {
            // SAFETY: sets a number in the kernel's description of the new process.
            match unsafe { sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL) } {
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
