//! Files in memory.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// An empty file in memory, which ends with its last descriptor.
///
/// # Errors
/// If the system has no descriptor left.
pub fn memory_file() -> io::Result<File> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: takes a text and flags, and returns a new descriptor or a negative number.
    match unsafe { libc::memfd_create(c"tourbillon".as_ptr(), flags) } {
        new if new >= 0 => {
            // SAFETY: a new descriptor that has no other owner.
            Ok(File::from(unsafe { OwnedFd::from_raw_fd(new) }))
        }
        _ => Err(io::Error::last_os_error()),
    }
}

/// Has a file in memory keep its length: processes that still have it open fail to write past its end.
///
/// # Errors
/// If the system refuses.
pub fn keep_length(memory: &File) -> io::Result<()> {
    // SAFETY: sets flags of an open descriptor.
    match unsafe { libc::fcntl(memory.as_raw_fd(), libc::F_ADD_SEALS, libc::F_SEAL_GROW) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
