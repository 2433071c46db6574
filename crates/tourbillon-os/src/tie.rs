//! Processes that do not outlive this one.

use std::process::Command;

/// Has a process end with the thread that starts it, however that ends, where the system can: on Linux. Start it from
/// the main thread, or from one that waits for it.
pub(crate) fn tie(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;

        use crate::sys;

        let own = std::process::id().cast_signed();
        // SAFETY: the function makes calls of the system and allocates nothing.
        unsafe { command.pre_exec(move || end_with(own, sys::SIGKILL)) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Has this process get a signal when its parent ends. Allocates nothing.
///
/// # Errors
/// If the parent has ended by now.
#[cfg(target_os = "linux")]
pub(crate) fn end_with(parent: crate::sys::pid_t, signal: std::ffi::c_int) -> std::io::Result<()> {
    use std::io::Error;

    use crate::sys;

    // SAFETY: sets a number in the kernel's description of this process, and returns an integer.
    unsafe {
        if sys::prctl(sys::PR_SET_PDEATHSIG, signal) != 0 {
            return Err(Error::last_os_error());
        }
        if sys::getppid() != parent {
            return Err(Error::from_raw_os_error(sys::ESRCH));
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use crate::sys;

    #[test]
    fn a_process_whose_parent_has_ended_does_not_begin() {
        let parent = std::os::unix::process::parent_id().cast_signed();
        let other = std::process::id().cast_signed();
        // Signal 0 is none: this process is to go on.
        assert!(super::end_with(parent, 0).is_ok());
        let error = super::end_with(other, 0).expect_err("it is no child of its own");
        assert_eq!(error.raw_os_error(), Some(sys::ESRCH));
    }
}
