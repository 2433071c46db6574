use std::os::fd::{AsFd, AsRawFd};

use crate::sys;

/// Columns of the terminal behind a stream; `None` when it is none or does not say.
pub fn terminal_width(stream: &impl AsFd) -> Option<u16> {
    let mut size = sys::winsize {
        ws_row: 0,
        ws_col: 0,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the request writes one winsize to where the pointer points.
    let result = unsafe { sys::ioctl(stream.as_fd().as_raw_fd(), sys::TIOCGWINSZ, &raw mut size) };
    (result == 0 && size.ws_col > 0).then_some(size.ws_col)
}
