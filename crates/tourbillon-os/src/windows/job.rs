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
#[cfg(feature = "commands")]
use windows_sys::Win32::System::JobObjects::{
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JobObjectBasicAccountingInformation,
    QueryInformationJobObject,
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

    /// What the system counted for all members, those that have ended included.
    #[cfg(feature = "commands")]
    pub(crate) fn counts(&self) -> io::Result<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> {
        let mut counts = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: the size is that of the structure, which there is room for.
        succeeded(unsafe {
            QueryInformationJobObject(
                self.handle(),
                JobObjectBasicAccountingInformation,
                (&raw mut counts).cast(),
                size_of_val(&counts) as u32,
                ptr::null_mut(),
            )
        })?;
        Ok(counts)
    }

    /// Ends all members. Harmless if none is left.
    pub(crate) fn terminate(&self) {
        // SAFETY: takes a handle that is open, and a number.
        unsafe { TerminateJobObject(self.handle(), KILLED) };
    }
}
