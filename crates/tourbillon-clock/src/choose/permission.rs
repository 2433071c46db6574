//! Whether this process may read the processor's counter.

use std::ffi::c_int;

use crate::sys;
use crate::system_error::SystemError;

#[cfg(target_os = "android")]
use sys::__errno as number_place;
#[cfg(not(target_os = "android"))]
use sys::__errno_location as number_place;

/// Asks the kernel, as a forbidden reading would end the process with SIGSEGV.
///
/// Kernels that do not know the question (Arm before 6.12) do not forbid either.
pub fn check() -> Result<(), String> {
    let mut mode: c_int = 0;
    // SAFETY: PR_GET_TSC writes one int through the pointer, which lives for the call.
    let answer = unsafe { sys::prctl(sys::PR_GET_TSC, &raw mut mode, 0, 0, 0) };
    if answer != 0 {
        let error = SystemError::last();
        // SAFETY: the place of the calling thread's number, which lives as long as the thread.
        return match unsafe { *number_place() } {
            sys::EINVAL => Ok(()),
            _ => Err(format!("whether it may be read is not known ({error})")),
        };
    }
    if mode == sys::PR_TSC_ENABLE {
        Ok(())
    } else {
        Err("reading it is forbidden to this process (prctl PR_SET_TSC)".to_owned())
    }
}
