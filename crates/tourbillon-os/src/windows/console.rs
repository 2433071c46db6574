//! The console behind a stream.

use std::os::windows::io::{AsHandle, AsRawHandle};

use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, ENABLE_PROCESSED_OUTPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING,
    GetConsoleMode, GetConsoleScreenBufferInfo, GetStdHandle, SMALL_RECT, STD_ERROR_HANDLE,
    STD_OUTPUT_HANDLE, SetConsoleMode, SetStdHandle,
};

/// Columns of the console behind a stream; `None` if it is none.
pub fn terminal_width(stream: &impl AsHandle) -> Option<u16> {
    let window = window(stream)?;
    extent(window.Left, window.Right)
}

/// Lines of the console behind a stream; `None` if it is none.
pub fn terminal_height(stream: &impl AsHandle) -> Option<u16> {
    let window = window(stream)?;
    extent(window.Top, window.Bottom)
}

fn window(stream: &impl AsHandle) -> Option<SMALL_RECT> {
    let mut shown = CONSOLE_SCREEN_BUFFER_INFO::default();
    let console = stream.as_handle().as_raw_handle();
    // SAFETY: there is room for what the call writes.
    let is_console = unsafe { GetConsoleScreenBufferInfo(console, &raw mut shown) } != 0;
    is_console.then_some(shown.srWindow)
}

fn extent(first: i16, last: i16) -> Option<u16> {
    let extent = i32::from(last) - i32::from(first) + 1;
    u16::try_from(extent).ok().filter(|extent| *extent > 0)
}

/// From now on what is printed to stdout goes to stderr.
pub(crate) fn stdout_to_stderr() {
    // SAFETY: takes and gives handles that nothing owns.
    unsafe { SetStdHandle(STD_OUTPUT_HANDLE, GetStdHandle(STD_ERROR_HANDLE)) };
}

/// Has the console behind a stream follow escape sequences, and returns whether it does: true for a stream
/// that is no console.
pub fn follow_escapes(stream: &impl AsHandle) -> bool {
    let console = stream.as_handle().as_raw_handle();
    let mut mode = 0;
    // SAFETY: a place for the mode.
    if unsafe { GetConsoleMode(console, &raw mut mode) } == 0 {
        return true;
    }
    let wanted = mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING;
    // SAFETY: takes numbers. Consoles before Windows 10 refuse the mode.
    mode == wanted || unsafe { SetConsoleMode(console, wanted) } != 0
}
