//! The worker's side: its pipes to the coordinator, and both ways to end.

use std::ffi::{c_char, c_int};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::io::{AsHandle, IntoRawHandle};
use std::sync::OnceLock;

use windows_sys::Win32::System::Console::{
    STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle,
};
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SetErrorMode,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, PROCESS_POWER_THROTTLING_CURRENT_VERSION,
    PROCESS_POWER_THROTTLING_EXECUTION_SPEED, PROCESS_POWER_THROTTLING_STATE,
    ProcessPowerThrottling, SetProcessInformation, TerminateProcess,
};

use super::call::succeeded;
use super::pipe::hung_up;
use super::threads::remember_threads;
use crate::Protocol;

// Of the C library, which every program is linked with.
unsafe extern "C" {
    fn _open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn _dup2(from: c_int, to: c_int) -> c_int;
    fn _close(number: c_int) -> c_int;
}
const O_RDWR: c_int = 2;
const O_BINARY: c_int = 0x8000;

/// Takes the pipes to the coordinator away from stdin and stdout: a worker's first act.
///
/// Afterwards stdin is empty, and output of the benchmark is discarded (or goes to stderr, with
/// `nocapture`), so it cannot disturb the protocol; also that of code in C. A crash shows no dialog. The
/// process asks for full speed: without a window, Windows 11 may take it for one in the background.
///
/// # Errors
/// If the null device cannot be opened or a handle cannot be copied.
pub fn take_protocol(nocapture: bool) -> io::Result<Protocol> {
    // SAFETY: takes and returns numbers.
    unsafe { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX) };
    remember_threads();
    ask_for_speed();
    let (stdin, stdout) = (io::stdin(), io::stdout());
    // No process inherits the copies.
    let protocol = Protocol {
        input: File::from(stdin.as_handle().try_clone_to_owned()?),
        output: File::from(stdout.as_handle().try_clone_to_owned()?),
    };
    replace_numbers(nocapture)?;
    let null = || OpenOptions::new().read(true).write(true).open("NUL");
    replace(STD_INPUT_HANDLE, null()?)?;
    let shown = if nocapture {
        io::stderr().as_handle().try_clone_to_owned()?.into()
    } else {
        null()?
    };
    replace(STD_OUTPUT_HANDLE, shown)?;
    Ok(protocol)
}

/// Has the system never slow this process down to save power (EcoQoS), nor prefer efficiency cores for it.
fn ask_for_speed() {
    let state = PROCESS_POWER_THROTTLING_STATE {
        Version: PROCESS_POWER_THROTTLING_CURRENT_VERSION,
        // This process decides, and decides against it.
        ControlMask: PROCESS_POWER_THROTTLING_EXECUTION_SPEED,
        StateMask: 0,
    };
    // Windows before version 1709 of Windows 10 refuses, and slows no process down.
    // SAFETY: the size is that of the structure, which is only read.
    unsafe {
        SetProcessInformation(
            GetCurrentProcess(),
            ProcessPowerThrottling,
            (&raw const state).cast(),
            size_of_val(&state) as u32,
        )
    };
}

/// Gives the C library other files for its numbers 0 and 1, and closes the pipes there.
fn replace_numbers(nocapture: bool) -> io::Result<()> {
    // SAFETY: the name ends with 0; numbers that are not open are errors of the calls.
    unsafe {
        let null = _open(c"NUL".as_ptr(), O_RDWR | O_BINARY);
        if null < 0 {
            return Err(io::Error::last_os_error());
        }
        let shown = if nocapture { 2 } else { null };
        // A program without numbers for its streams has nothing to replace.
        _dup2(null, 0);
        _dup2(shown, 1);
        _close(null);
    }
    Ok(())
}

/// Gives this process another stream, for its whole life.
fn replace(stream: STD_HANDLE, with: File) -> io::Result<()> {
    let handle = with.into_raw_handle();
    // SAFETY: a handle that is open, and never closed.
    succeeded(unsafe { SetStdHandle(stream, handle) })
}

/// Makes this process end when its coordinator ends, in whatever way that ends: the job that it was started
/// in does so.
///
/// `input` is the pipe from the coordinator, as returned by [`take_protocol`]; it shows whether the
/// coordinator has ended already.
///
/// # Errors
/// Of kind `BrokenPipe`, if the coordinator has already ended.
pub fn tie_to_coordinator(input: &File) -> io::Result<()> {
    if coordinator_gone(input) {
        let text = "the coordinator is gone";
        return Err(io::Error::new(io::ErrorKind::BrokenPipe, text));
    }
    Ok(())
}

/// Whether the coordinator has ended: it keeps the pipe open while it lives. A system call, to be made
/// between two samples.
pub fn coordinator_gone(input: &File) -> bool {
    hung_up(input)
}

static LAST: OnceLock<fn() -> Option<u8>> = OnceLock::new();

/// Calls `last` when this process ends by `exit`, which also follows a return from `main`. If `last`
/// returns a code, the process ends at once with that code; with `None` the end proceeds. It is called
/// on the thread that ends the process, when the system has ended all others.
///
/// It is not called when a crash or `TerminateProcess` ends the process. Only the first call has an effect.
pub fn at_exit(last: fn() -> Option<u8>) {
    // Kept by the linker because it is read.
    // SAFETY: a static that is never written.
    let _ = unsafe { std::ptr::read_volatile(&raw const CALLBACK) };
    let _ = LAST.set(last);
}

/// What the system calls when threads and the process begin and end: `ExitProcess`, with which Rust
/// programs end, calls no function of `atexit`. The linker collects the functions of this section, in
/// alphabetical order (Microsoft's documentation of the PE format, "The .tls Section").
#[unsafe(link_section = ".CRT$XLY")]
#[used]
static CALLBACK: unsafe extern "system" fn(*mut u8, u32, *mut u8) = on_event;

unsafe extern "system" fn on_event(_image: *mut u8, event: u32, _reserved: *mut u8) {
    /// The process ends (`DLL_PROCESS_DETACH`).
    const ENDS: u32 = 0;
    if event == ENDS
        && let Some(code) = LAST.get().and_then(|last| last())
    {
        // SAFETY: ends this process and runs none of its code.
        unsafe { TerminateProcess(GetCurrentProcess(), u32::from(code)) };
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use windows_sys::Win32::System::Diagnostics::Debug::{
        IMAGE_DIRECTORY_ENTRY_TLS, IMAGE_NT_HEADERS64,
    };
    use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
    use windows_sys::Win32::System::SystemServices::{IMAGE_DOS_HEADER, IMAGE_TLS_DIRECTORY64};

    use super::*;

    #[test]
    fn the_system_finds_the_callback() {
        at_exit(|| None);
        let mut found = false;
        // SAFETY: the headers of this program, as the linker has written them; the list ends with 0.
        unsafe {
            let image: *const u8 = GetModuleHandleW(ptr::null()).cast();
            let offset = (*image.cast::<IMAGE_DOS_HEADER>()).e_lfanew;
            let headers = image.offset(offset as isize).cast::<IMAGE_NT_HEADERS64>();
            let tls =
                (*headers).OptionalHeader.DataDirectory[usize::from(IMAGE_DIRECTORY_ENTRY_TLS)];
            let tls = image.add(tls.VirtualAddress as usize);
            let list = (*tls.cast::<IMAGE_TLS_DIRECTORY64>()).AddressOfCallBacks;
            let mut callback = list as *const usize;
            while *callback != 0 {
                found |= *callback == on_event as *const () as usize;
                callback = callback.add(1);
            }
        }
        assert!(found);
    }
}
