//! The checks on Windows and macOS, which describe the machine by calls and not by files.

mod checks;
mod facts;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(windows)]
mod windows;

pub(super) use checks::all;
pub(super) use facts::{Earlier, Facts};

/// What this machine reports; `None` on other systems.
#[cfg(not(any(windows, target_os = "macos")))]
pub(super) fn reported(_clock: &tourbillon_clock::Choice, _earlier: &Earlier) -> Option<Facts> {
    None
}

/// What this machine reports.
#[cfg(any(windows, target_os = "macos"))]
pub(super) fn reported(clock: &tourbillon_clock::Choice, earlier: &Earlier) -> Option<Facts> {
    #[cfg(target_os = "macos")]
    use macos as this;
    #[cfg(windows)]
    use windows as this;
    let counter = if clock.refused.is_empty() {
        Ok(clock.why.clone())
    } else {
        Err(clock.why.clone())
    };
    Some(this::reported(&Earlier::now().since(earlier), counter))
}
