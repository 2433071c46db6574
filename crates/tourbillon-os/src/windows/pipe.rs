//! Pipes: from a child, to a child, and between two children.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::{
    DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, FILE_TYPE_PIPE, GetFileType,
    PIPE_ACCESS_INBOUND,
};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, CreatePipe, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT,
    PeekNamedPipe,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::call::{owned, succeeded, with_end};

/// What a pipe holds before a write has to wait.
pub(crate) const PIPE_BYTES: u32 = 1 << 16;

/// Attempts to find a name that is free.
const ATTEMPTS: u32 = 64;

/// A pipe from this process: the child's end, and this process's.
pub(crate) fn to_child() -> io::Result<(OwnedHandle, File)> {
    let (mut read, mut write): (HANDLE, HANDLE) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: both are places for a handle; the default security makes neither inheritable.
    succeeded(unsafe { CreatePipe(&raw mut read, &raw mut write, ptr::null(), PIPE_BYTES) })?;
    // SAFETY: the call succeeded, and both are new.
    unsafe { Ok((owned(read)?, File::from(owned(write)?))) }
}

/// A pipe to this process: its end, to be read with overlapped calls, and the child's.
///
/// Anonymous pipes cannot be read with a time-out, so it has a name, which no other process can open again.
pub(crate) fn from_child() -> io::Result<(OwnedHandle, OwnedHandle)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    let mut attempts = 0;
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!(r"\\.\pipe\tourbillon-{process}-{number}");
        match named(&name) {
            // Another program has taken the name.
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied && attempts < ATTEMPTS => {
                attempts += 1;
            }
            made => {
                let ours = made?;
                let theirs = OpenOptions::new().write(true).open(&name)?;
                return Ok((ours, theirs.into()));
            }
        }
    }
}

fn named(name: &str) -> io::Result<OwnedHandle> {
    let name = with_end(OsStr::new(name))?;
    let mode = PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE;
    let kind = PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS;
    // SAFETY: the name ends with 0 and outlives the call; the handle is new.
    unsafe {
        owned(CreateNamedPipeW(
            name.as_ptr(),
            mode,
            kind,
            1,
            0,
            PIPE_BYTES,
            0,
            ptr::null(),
        ))
    }
}

/// Whether the write end of a pipe that is read from has been closed, and everything was read.
pub(crate) fn hung_up(pipe: &File) -> bool {
    let none = ptr::null_mut();
    // SAFETY: asks for nothing but whether the pipe can be looked at.
    let seen = unsafe {
        PeekNamedPipe(
            pipe.as_raw_handle(),
            none,
            0,
            none.cast(),
            none.cast(),
            none.cast(),
        )
    };
    seen == 0 && crate::is_closed(&io::Error::last_os_error())
}

/// A copy of a handle that children inherit which have it in their list.
pub(crate) fn inheritable(handle: RawHandle) -> io::Result<OwnedHandle> {
    let mut copy: HANDLE = ptr::null_mut();
    // SAFETY: a copy of a handle of this process, for this process.
    succeeded(unsafe {
        let own = GetCurrentProcess();
        DuplicateHandle(own, handle, own, &raw mut copy, 0, 1, DUPLICATE_SAME_ACCESS)
    })?;
    // SAFETY: the call succeeded, and the copy is new.
    unsafe { owned(copy) }
}

/// The handles of all living [`InheritedPipe`]s, as numbers.
static INHERITED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn inherited_pipes() -> MutexGuard<'static, Vec<usize>> {
    INHERITED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handles of all living [`InheritedPipe`]s.
pub(crate) fn inherited() -> Vec<HANDLE> {
    let pipes = inherited_pipes();
    pipes.iter().map(|&handle| handle as HANDLE).collect()
}

/// What a path begins with that stands for a handle.
const BY_HANDLE: &str = "handle:";

/// A pipe that processes inherit that are started while it lives, under a path.
///
/// Every process that another thread starts meanwhile inherits it, too.
#[derive(Debug)]
pub struct InheritedPipe(OwnedHandle);

impl InheritedPipe {
    /// A copy of an end of a pipe to be inherited.
    ///
    /// # Errors
    /// If this process has too many handles.
    pub fn new(pipe: impl AsHandle) -> io::Result<InheritedPipe> {
        let copy = inheritable(pipe.as_handle().as_raw_handle())?;
        inherited_pipes().push(copy.as_raw_handle() as usize);
        Ok(InheritedPipe(copy))
    }

    /// The path under which a process that has inherited it can open it, once.
    pub fn path(&self) -> String {
        format!("{BY_HANDLE}{:x}", self.0.as_raw_handle() as usize)
    }
}

impl Drop for InheritedPipe {
    fn drop(&mut self) {
        let number = self.0.as_raw_handle() as usize;
        inherited_pipes().retain(|handle| *handle != number);
    }
}

/// Opens a pipe that this process has inherited, by its [`path`](InheritedPipe::path), once. A handle is open
/// for what it was made for, whatever the options are.
///
/// # Errors
/// If there is no such pipe.
pub fn open_inherited(_options: &OpenOptions, path: &str) -> io::Result<File> {
    let number = path.strip_prefix(BY_HANDLE);
    let number = number.and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let handle = number.unwrap_or_default() as HANDLE;
    // SAFETY: a number that is no handle is an error of the call.
    if handle.is_null() || unsafe { GetFileType(handle) } != FILE_TYPE_PIPE {
        return Err(io::Error::from(io::ErrorKind::NotFound));
    }
    // SAFETY: a handle of a pipe that the coordinator made for this process, which is opened once.
    let file = unsafe { File::from_raw_handle(handle) };
    // Processes that the benchmark starts do not inherit it.
    // SAFETY: changes a flag of a handle that is open.
    succeeded(unsafe { SetHandleInformation(file.as_raw_handle(), HANDLE_FLAG_INHERIT, 0) })?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn an_inherited_pipe_is_opened_by_its_path() {
        let (mut reader, writer) = io::pipe().unwrap();
        let inherited = InheritedPipe::new(&writer).unwrap();
        let path = inherited.path();
        assert!(inherited_pipes().contains(&(inherited.0.as_raw_handle() as usize)));
        // As in a child, where the handle has no other owner.
        let kept = std::mem::ManuallyDrop::new(inherited);
        let mut opened = open_inherited(OpenOptions::new().write(true), &path).unwrap();
        inherited_pipes().retain(|handle| *handle != kept.0.as_raw_handle() as usize);
        drop(writer);
        opened.write_all(b"it is\n").unwrap();
        drop(opened);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "it is\n");
    }

    #[test]
    fn a_path_that_is_no_pipe_is_an_error() {
        for path in [
            "",
            "handle:",
            "handle:0",
            "handle:zz",
            "handle:fffffff0",
            "/dev/fd/3",
        ] {
            let opened = open_inherited(&OpenOptions::new(), path);
            assert_eq!(
                opened.unwrap_err().kind(),
                io::ErrorKind::NotFound,
                "{path}"
            );
        }
    }

    #[test]
    fn a_pipe_is_hung_up_when_its_writer_is_gone() {
        let (theirs, mut ours) = to_child().unwrap();
        let theirs = File::from(theirs);
        assert!(!hung_up(&theirs));
        ours.write_all(b"x").unwrap();
        drop(ours);
        let mut rest = Vec::new();
        (&theirs).read_to_end(&mut rest).unwrap();
        assert!(hung_up(&theirs));
    }
}
