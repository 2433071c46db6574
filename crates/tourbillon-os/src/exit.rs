use crate::sys;

/// Calls `last` when this process ends by `exit`, which is also what follows a return from `main`. A
/// code that it returns ends the process at once, in place of the code that was given; `None` lets the
/// end go on. It is called on the thread that ends the process, with others still running.
///
/// A process that a signal or `_exit` ends does not come by here. The first call counts.
pub fn at_exit(last: fn() -> Option<u8>) {
    static LAST: std::sync::OnceLock<fn() -> Option<u8>> = std::sync::OnceLock::new();
    extern "C" fn call() {
        if let Some(code) = LAST.get().and_then(|last| last()) {
            // SAFETY: ends the process without a look at its memory.
            unsafe { sys::_exit(i32::from(code)) };
        }
    }
    if LAST.set(last).is_ok() {
        // SAFETY: the function lives as long as the process. Where there is no room for it, the end
        // goes unnoticed, as it would without this.
        unsafe { sys::atexit(call) };
    }
}
