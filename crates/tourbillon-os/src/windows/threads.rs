//! The threads of this process.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};

use super::call::owned;

/// Threads that were there when the worker began: its own, and those with which the system loads libraries,
/// which end by themselves.
static EARLIER: OnceLock<BTreeSet<u32>> = OnceLock::new();

/// Remembers the present threads as those that are not a benchmark's.
pub(crate) fn remember_threads() {
    if let Some(present) = present() {
        let _ = EARLIER.set(present);
    }
}

/// The calling thread and those that were started since [`remember_threads`]; all threads if it was not
/// called. `None` if they cannot be listed.
///
/// # Cost
/// Lists the threads of all processes: some milliseconds.
pub(crate) fn threads() -> Option<u32> {
    let present = present()?;
    let count = match EARLIER.get() {
        Some(earlier) => present.difference(earlier).count() + 1,
        None => present.len(),
    };
    u32::try_from(count).ok()
}

/// The ids of the present threads of this process.
fn present() -> Option<BTreeSet<u32>> {
    use std::os::windows::io::AsRawHandle;
    // SAFETY: takes numbers; the handle is new.
    let list = unsafe { owned(CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0)) }.ok()?;
    let mut entry = THREADENTRY32 {
        dwSize: size_of::<THREADENTRY32>() as u32,
        ..THREADENTRY32::default()
    };
    let mut ids = BTreeSet::new();
    // SAFETY: a handle that is open, and a place for an entry that names its size.
    let mut found = unsafe { Thread32First(list.as_raw_handle(), &raw mut entry) };
    while found != 0 {
        if entry.th32OwnerProcessID == std::process::id() {
            ids.insert(entry.th32ThreadID);
        }
        // SAFETY: as above.
        found = unsafe { Thread32Next(list.as_raw_handle(), &raw mut entry) };
    }
    (!ids.is_empty()).then_some(ids)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_new_thread_is_listed_until_it_ends() {
        let before = present().unwrap();
        let (end, wait) = channel::<()>();
        let thread = std::thread::spawn(move || wait.recv());
        let id = loop {
            // Other tests start threads, too.
            let new = &present().unwrap() - &before;
            if let Some(id) = new.first() {
                break *id;
            }
        };
        assert!(!before.contains(&id));
        drop(end);
        let _ = thread.join().unwrap();
        assert!(threads().unwrap() >= 1);
    }
}
