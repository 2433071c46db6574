//! The end of a process that is asked for.

use std::io;
use std::process::Child;

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
