//! Panics of benchmarks: their message and location.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::env;
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tourbillon_record::SourceLocation;

use tourbillon_coordinator::output::{BACKTRACE, own_frames, to_stderr};

/// A panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// Its message.
    pub message: String,
    /// Its location; `None` for one that was resumed.
    pub location: Option<SourceLocation>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(SourceLocation { file, line }) => {
                write!(f, "panicked at {file}:{line}: {}", self.message)
            }
            None => write!(f, "panicked: {}", self.message),
        }
    }
}

thread_local! {
    /// The last panic that started on this thread.
    static LAST: Cell<Option<Panicked>> = const { Cell::new(None) };
    /// Whether panics of this thread are not printed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    /// Whether [`caught`] gets panics of this thread.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// The first panic on a thread whose panics [`caught`] does not get.
static ELSEWHERE: Mutex<Option<Panicked>> = Mutex::new(None);

/// From now on remembers every panic for [`caught`], and then calls the hook in place, which prints it.
pub fn listen() {
    listen_and(|_| ());
}

/// The same, and calls `first` with every panic when it starts. In a process that listens already, `first`
/// is not called: a worker begins with this.
///
/// By the name of this function comparisons distinguish the hook from those of others, which may go by a line.
#[inline(never)]
pub(crate) fn listen_and(first: impl Fn(&Panicked) + Send + Sync + 'static) {
    static LISTENS: AtomicBool = AtomicBool::new(false);
    // Once: several threads that exchanged hooks would lose each other's.
    if LISTENS.swap(true, Ordering::Relaxed) {
        return;
    }
    let before = take_hook();
    set_hook(Box::new(move |info| {
        let panicked = panicked(info);
        first(&panicked);
        if !CAUGHT.get() {
            note_elsewhere(&panicked);
        }
        // Panics of destructors of thread-local values come too late for these.
        let _ = LAST.try_with(|last| last.set(Some(panicked)));
        if QUIET.get() {
            return;
        }
        match env::var("RUST_BACKTRACE").as_deref() {
            Err(_) | Ok("0" | "full") => before(info),
            Ok(_) => print_with_backtrace(info),
        }
    }));
}

/// Prints a panic as the standard hook does, with the benchmark's own frames in the backtrace: of more than
/// fifty, a report shows few.
fn print_with_backtrace(info: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let name = thread.name().unwrap_or("<unnamed>");
    let mut text = format!("\nthread '{name}' {info}\n");
    let frames = own_frames(&Backtrace::force_capture().to_string());
    if !frames.is_empty() {
        text += BACKTRACE;
        text += &frames;
    }
    to_stderr(&text);
}

/// Runs `body`, whose panics on this thread are remembered for [`caught`] and not printed.
pub(crate) fn quietly(body: impl FnOnce()) {
    listen();
    QUIET.set(true);
    body();
    QUIET.set(false);
}

/// Panics of this thread are passed to the [`caught`] of another one, which waits for it.
pub(crate) fn come_here() {
    CAUGHT.set(true);
}

/// Notes a panic that may end a thread for which no other waits.
fn note_elsewhere(panicked: &Panicked) {
    let on = match thread::current().name() {
        Some(name) => format!("on the thread `{name}`"),
        None => "on a thread without a name".to_owned(),
    };
    let mut first = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    first.get_or_insert_with(|| Panicked {
        message: format!("{} ({on})", panicked.message),
        location: panicked.location.clone(),
    });
}

/// Takes the first panic on another thread since the last call, even if the thread caught it.
pub(crate) fn elsewhere() -> Option<Panicked> {
    let mut first = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    first.take()
}

/// As [`caught`], and an error as well when another thread panicked.
pub fn caught_anywhere<T>(body: impl FnOnce() -> T) -> Result<T, Panicked> {
    let here = caught(body);
    match elsewhere() {
        Some(elsewhere) if here.is_ok() => Err(elsewhere),
        _ => here,
    }
}

/// Runs `body`, and returns its panic if it panics.
pub fn caught<T>(body: impl FnOnce() -> T) -> Result<T, Panicked> {
    LAST.take();
    let before = CAUGHT.replace(true);
    // What the body held is not used again: after a panic its launch is over.
    let ended = catch_unwind(AssertUnwindSafe(body));
    CAUGHT.set(before);
    ended.map_err(|payload| {
        let message = message(payload.as_ref());
        // The hook does not see a resumed panic, and may have seen another one since: the place belongs to
        // the payload only if the message does.
        let last = LAST.take().filter(|last| last.message == message);
        last.unwrap_or(Panicked {
            message,
            location: None,
        })
    })
}

fn panicked(info: &PanicHookInfo<'_>) -> Panicked {
    Panicked {
        message: message(info.payload()),
        location: info.location().map(|at| SourceLocation {
            file: at.file().to_owned(),
            line: at.line(),
        }),
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    match payload.downcast_ref::<&str>() {
        Some(text) => (*text).to_owned(),
        None => match payload.downcast_ref::<String>() {
            Some(text) => text.clone(),
            None => "a panic whose payload is not a text".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{panic_any, resume_unwind};

    use super::*;

    fn panic_of(body: impl FnOnce()) -> Panicked {
        caught(body).expect_err("it panics")
    }

    #[test]
    fn message_and_place() {
        listen();
        assert_eq!(caught(|| ()), Ok(()));

        let line = line!() + 1;
        let formatted = panic_of(|| panic!("number {}", 5));
        assert_eq!(formatted.message, "number 5");
        let location = formatted.location.clone().expect("a location");
        assert_eq!(location.line, line);
        assert!(location.file.ends_with("panics.rs"), "{}", location.file);
        let shown = format!("panicked at {}:{line}: number 5", location.file);
        assert_eq!(formatted.to_string(), shown);

        let other = panic_of(|| panic_any(7));
        assert_eq!(other.message, "a panic whose payload is not a text");

        // The hook does not see a resumed panic: the last location is that of another one.
        let resumed = panic_of(|| {
            let first = catch_unwind(|| panic!("first")).expect_err("it panics");
            let _ = catch_unwind(|| panic!("second"));
            resume_unwind(first);
        });
        assert_eq!(resumed.to_string(), "panicked: first");

        // A panic of another thread is not that of this one.
        let own = panic_of(|| {
            let _ = std::thread::spawn(|| panic!("elsewhere")).join();
            panic!("here");
        });
        assert_eq!(own.message, "here");

        // Quietly, it is remembered all the same.
        let mut quiet = None;
        let line = line!() + 1;
        quietly(|| quiet = Some(panic_of(|| panic!("quiet"))));
        assert_eq!(
            quiet.and_then(|quiet| quiet.location).map(|at| at.line),
            Some(line)
        );
    }
}
