//! The job that holds a worker and every process that it starts.

use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::JobObjects::{
    CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
};

use super::call::{owned, succeeded};

/// Exit code of processes that a job ended.
const KILLED: u32 = 9;

/// A job without a way out: processes that its members start are members. They end when its handle is
/// closed, which the system does however this process ends.
#[derive(Debug)]
pub(crate) struct Job(OwnedHandle);

impl Job {
    pub(crate) fn new() -> io::Result<Job> {
        // SAFETY: without a name and with the default security; the handle is new.
        let job = Job(unsafe { owned(CreateJobObjectW(ptr::null(), ptr::null())) }?);
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        // A crash ends the process at once: no dialog, no report to the vendor of the system.
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        // SAFETY: the size is that of the structure, which is only read.
        succeeded(unsafe {
            SetInformationJobObject(
                job.handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        })?;
        Ok(job)
    }

    pub(crate) fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    /// Ends all members. Harmless if none is left.
    pub(crate) fn terminate(&self) {
        // SAFETY: takes a handle that is open, and a number.
        unsafe { TerminateJobObject(self.handle(), KILLED) };
    }
}
