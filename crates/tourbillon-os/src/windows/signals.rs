//! Events of the console that end a run.

use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, OwnedHandle};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::Win32::System::Threading::{
    CreateEventW, GetCurrentProcess, INFINITE, SetEvent, Sleep, TerminateProcess,
};
use windows_sys::core::BOOL;

use super::call::{owned, succeeded};

/// The signals of the C library that stand for the events.
const SIGINT: i32 = 2;
const SIGBREAK: i32 = 21;
const SIGTERM: i32 = 15;

/// The first signal that arrived; 0 for none.
static NOTED: AtomicI32 = AtomicI32::new(0);
/// Whether the first one ends the process at once.
static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(false);
/// How many programs are waited for that a signal ends.
static WAITING: AtomicU32 = AtomicU32::new(0);
/// Set from the first signal on.
static EVENT: OnceLock<OwnedHandle> = OnceLock::new();

/// Ctrl-C, Ctrl-Break, and the end of the console or of the user's session as an event to wait for.
///
/// The first one is noted and sets [`Signals::event`]; the second Ctrl-C or Ctrl-Break ends the process at
/// once with exit code 130. When the console is closed, the system leaves the process five seconds.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    event: BorrowedHandle<'static>,
}

/// Does nothing: no signal is sent for a file that is too large.
pub fn refuse_large_files() {}

impl Signals {
    /// Installs the handler; a second call returns the same. From now on the first signal is noted.
    ///
    /// A process that was started to ignore Ctrl-C goes on to ignore it.
    ///
    /// # Errors
    /// If no event can be made, or the handler cannot be installed.
    pub fn install() -> io::Result<Signals> {
        if EVENT.get().is_none() {
            // SAFETY: without a name and with the default security; the handle is new.
            let event = unsafe { owned(CreateEventW(ptr::null(), 1, 0, ptr::null())) }?;
            if EVENT.set(event).is_ok() {
                // SAFETY: the handler lives as long as the process, and does nothing that a thread may not.
                succeeded(unsafe { SetConsoleCtrlHandler(Some(note), 1) })?;
            }
        }
        let event = EVENT.get().ok_or(io::ErrorKind::NotFound)?.as_handle();
        ENDS_AT_ONCE.store(false, Ordering::Relaxed);
        Ok(Signals { event })
    }

    /// The handler, if it has been installed.
    pub fn installed() -> Option<Signals> {
        let event = EVENT.get()?.as_handle();
        Some(Signals { event })
    }

    /// The number of the first signal that arrived: 2 for Ctrl-C, 21 for Ctrl-Break, 15 for the others.
    pub fn noted(&self) -> Option<i32> {
        Signals::first()
    }

    /// The same; `None` also where no handlers are installed.
    pub fn first() -> Option<i32> {
        match NOTED.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// From now on Ctrl-C and Ctrl-Break end the process at once: it has nothing to lose, and may wait for another
    /// program.
    pub fn end_at_once() {
        ENDS_AT_ONCE.store(true, Ordering::Relaxed);
    }

    /// Whether a signal ends the process at once, except while it waits for a program.
    pub fn ends_at_once() -> bool {
        ENDS_AT_ONCE.load(Ordering::Relaxed)
    }

    /// Until the guard is dropped, a signal is noted, because another program is waited for that it ends. Where nothing was
    /// installed before, Ctrl-C and Ctrl-Break end this process at once apart from that.
    #[must_use]
    pub fn while_waiting() -> Waiting {
        if Signals::installed().is_none() {
            // Where it cannot be installed, the system's own action ends the process.
            let _ = Signals::install();
            Signals::end_at_once();
        }
        WAITING.fetch_add(1, Ordering::Relaxed);
        Waiting(())
    }

    /// Set once a signal has been noted.
    pub(crate) fn event(&self) -> BorrowedHandle<'static> {
        self.event
    }
}

/// While it lives, a signal is noted.
#[derive(Debug)]
pub struct Waiting(());

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The handler, on a thread that the system starts.
unsafe extern "system" fn note(event: u32) -> BOOL {
    let signal = match event {
        CTRL_C_EVENT => SIGINT,
        CTRL_BREAK_EVENT => SIGBREAK,
        _ => SIGTERM,
    };
    let is_second = NOTED.swap(signal, Ordering::Relaxed) != 0;
    let is_waiting = WAITING.load(Ordering::Relaxed) > 0;
    let ends_at_once = ENDS_AT_ONCE.load(Ordering::Relaxed) && !is_waiting;
    if (is_second || ends_at_once) && signal != SIGTERM {
        // SAFETY: ends this process and runs none of its code.
        unsafe { TerminateProcess(GetCurrentProcess(), 130) };
    }
    if let Some(event) = EVENT.get() {
        // SAFETY: an event that is never closed.
        unsafe { SetEvent(event.as_raw_handle()) };
    }
    if signal == SIGTERM {
        // The system ends the process when this returns. The main thread ends it before.
        // SAFETY: takes a number.
        unsafe { Sleep(INFINITE) };
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a test binary of its own name: the handler belongs to the process. No other test looks at signals.
    #[test]
    fn the_first_event_is_noted() {
        let signals = Signals::install().unwrap();
        assert_eq!(signals.noted(), None);
        // SAFETY: the handler, called as the system does.
        assert_eq!(unsafe { note(CTRL_BREAK_EVENT) }, 1);
        assert_eq!(signals.noted(), Some(SIGBREAK));
        assert_eq!(Signals::install().unwrap().noted(), Some(SIGBREAK));
    }
}
