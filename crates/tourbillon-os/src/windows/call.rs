//! Results of system calls, and what they take.

use std::io;
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::core::BOOL;

/// The result of a call that returns whether it succeeded.
pub(crate) fn succeeded(result: BOOL) -> io::Result<()> {
    match result {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The new handle that a call returned.
///
/// # Safety
/// It has no other owner.
pub(crate) unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call succeeded; the caller vouches for the rest.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// A wait in milliseconds, rounded up: a wait of less than one must not become a busy loop.
pub(crate) fn milliseconds(timeout: Duration) -> u32 {
    let milliseconds = timeout.as_micros().div_ceil(1000);
    // The largest number means an endless wait.
    u32::try_from(milliseconds).map_or(u32::MAX - 1, |wait| wait.min(u32::MAX - 1))
}

/// A text for a call that expects a 0 at its end.
///
/// # Errors
/// If the text has a 0 inside.
pub(crate) fn with_end(text: &std::ffi::OsStr) -> io::Result<Vec<u16>> {
    use std::os::windows::ffi::OsStrExt;
    let mut units: Vec<u16> = text.encode_wide().collect();
    if units.contains(&0) {
        let what = format!("{text:?} contains a NUL character");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    units.push(0);
    Ok(units)
}
