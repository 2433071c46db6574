//! What a child writes, read with overlapped calls: a wait for it can have a time-out.

use std::io;
use std::ops::Range;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::ptr::{self, NonNull};

use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, HANDLE};
use windows_sys::Win32::Storage::FileSystem::ReadFile;
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Threading::CreateEventW;

use super::call::{owned, succeeded};
use super::pipe::PIPE_BYTES;

/// What the system writes to while a read is under way.
struct Target {
    overlapped: OVERLAPPED,
    bytes: [u8; PIPE_BYTES as usize],
}

/// The read end of a pipe.
#[derive(Debug)]
pub(crate) struct Output {
    pipe: OwnedHandle,
    /// Set when a read has ended.
    event: OwnedHandle,
    /// Owned; behind a pointer because the system writes to it.
    target: NonNull<Target>,
    /// Whether a read is under way.
    pending: bool,
    /// What was read and not yet handed on.
    filled: Range<usize>,
    closed: bool,
}

impl Output {
    pub(crate) fn new(pipe: OwnedHandle) -> io::Result<Output> {
        // SAFETY: without a name and with the default security; the handle is new.
        let event = unsafe { owned(CreateEventW(ptr::null(), 1, 0, ptr::null())) }?;
        let target = Box::new(Target {
            overlapped: OVERLAPPED {
                hEvent: event.as_raw_handle(),
                ..OVERLAPPED::default()
            },
            bytes: [0; PIPE_BYTES as usize],
        });
        Ok(Output {
            pipe,
            event,
            target: NonNull::from(Box::leak(target)),
            pending: false,
            filled: 0..0,
            closed: false,
        })
    }

    /// What to wait for until something can be read; `None` if that is so already.
    pub(crate) fn awaited(&mut self) -> io::Result<Option<HANDLE>> {
        self.begin()?;
        Ok(self.pending.then(|| self.event.as_raw_handle()))
    }

    /// Reads; 0 bytes mean that the pipe was closed.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.filled.is_empty() && !self.closed {
            self.begin()?;
            if self.pending {
                self.finish()?;
            }
        }
        let count = buffer.len().min(self.filled.len());
        let from = self.filled.start;
        // SAFETY: no read is under way, so the bytes are only this process's.
        let bytes = unsafe { &(*self.target.as_ptr()).bytes };
        buffer[..count].copy_from_slice(&bytes[from..from + count]);
        self.filled.start += count;
        Ok(count)
    }

    /// Begins a read if there is nothing to hand on.
    fn begin(&mut self) -> io::Result<()> {
        if self.pending || self.closed || !self.filled.is_empty() {
            return Ok(());
        }
        let target = self.target.as_ptr();
        // SAFETY: the target lives until the read has ended, and is not touched before.
        let begun = succeeded(unsafe {
            ReadFile(
                self.pipe.as_raw_handle(),
                (&raw mut (*target).bytes).cast(),
                PIPE_BYTES,
                ptr::null_mut(),
                &raw mut (*target).overlapped,
            )
        });
        match begun {
            // Its result is read in the same way, if it has come already.
            Ok(()) => self.pending = true,
            Err(e) if e.raw_os_error() == Some(ERROR_IO_PENDING.cast_signed()) => {
                self.pending = true;
            }
            Err(e) if crate::is_closed(&e) => self.closed = true,
            Err(e) => return Err(e),
        }
        Ok(())
    }

    /// Waits for the end of the read that is under way.
    fn finish(&mut self) -> io::Result<()> {
        let mut count = 0;
        // SAFETY: a read of this pipe with this target is under way.
        let ended = succeeded(unsafe {
            GetOverlappedResult(
                self.pipe.as_raw_handle(),
                &raw const (*self.target.as_ptr()).overlapped,
                &raw mut count,
                1,
            )
        });
        self.pending = false;
        match ended {
            // A write of 0 bytes ends a read, too.
            Ok(()) => self.filled = 0..count as usize,
            Err(e) if crate::is_closed(&e) => self.closed = true,
            Err(e) => return Err(e),
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.pending {
            // SAFETY: the read that is under way with this target.
            unsafe {
                let overlapped = &raw const (*self.target.as_ptr()).overlapped;
                CancelIoEx(self.pipe.as_raw_handle(), overlapped);
            }
            // The system writes to the target until then. An error is the end of the read.
            let _ = self.finish();
        }
        // SAFETY: it came from a box, and no read is under way.
        drop(unsafe { Box::from_raw(self.target.as_ptr()) });
    }
}
