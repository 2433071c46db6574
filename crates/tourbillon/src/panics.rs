//! Panics of benchmarks: what was said, and where.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::lasting::Lasting;
use crate::text::{owned, text};
use tourbillon_record::Place;

/// What a panic said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panicked {
    /// The message.
    pub(crate) message: String,
    /// Where.
    pub(crate) place: Option<Place>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(
                f,
                "panicked at {}:{}: {}",
                place.file, place.line, self.message
            ),
            None => write!(f, "panicked: {}", self.message),
        }
    }
}

thread_local! {
    /// The last panic that started on this thread. One that nobody asked for is not freed with its
    /// thread: code for the end of threads would be a part of every bench binary's build.
    static LAST: Cell<ManuallyDrop<Option<Panicked>>> = const { Cell::new(ManuallyDrop::new(None)) };
    /// Whether panics of this thread are nobody else's business.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    /// Whether panics of this thread come to [`caught`].
    static COMES_HERE: Cell<bool> = const { Cell::new(false) };
}

/// The first panic on a thread whose panics do not come to [`caught`].
static ELSEWHERE: Mutex<Option<Panicked>> = Mutex::new(None);

/// Who is told of every panic.
type Told = Box<dyn Fn(&Panicked) + Send + Sync>;

static LISTENS: AtomicBool = AtomicBool::new(false);

/// From now on remembers every panic for [`caught`]. What the hook in place does, such as printing
/// the message, is still done, afterwards.
pub(crate) fn listen() {
    hook(None);
}

/// The same, and tells `told` of every panic when it starts. Of a process that listens already, nobody is
/// told any more: a worker, which is one for as long as it lives, begins with this.
pub(crate) fn tell(told: Told) {
    hook(Some(told));
}

#[inline(never)]
fn hook(told: Option<Told>) {
    // Once: several threads that exchanged hooks would lose each other's.
    if LISTENS.swap(true, Ordering::Relaxed) {
        return;
    }
    let (told, before) = (Lasting::new(told), Lasting::new(take_hook()));
    set_hook(Box::new(move |info| {
        let panicked = panicked(info);
        if let Some(told) = &*told {
            told(&panicked);
        }
        if !COMES_HERE.get() {
            note_elsewhere(&panicked);
        }
        exchange(Some(panicked));
        if !QUIET.get() {
            before(info);
        }
    }));
}

/// Runs `body`, whose panics on this thread are remembered for [`caught`] and not told to others.
pub(crate) fn quietly(body: &mut dyn FnMut()) {
    listen();
    QUIET.set(true);
    body();
    QUIET.set(false);
}

/// Panics of this thread come to the [`caught`] of another one, which waits for it.
pub(crate) fn come_here() {
    COMES_HERE.set(true);
}

/// Notes a panic that may be the end of a thread for which nothing waits.
#[inline(never)]
fn note_elsewhere(panicked: &Panicked) {
    let thread = thread::current();
    let message = &panicked.message;
    let message = match thread.name() {
        Some(name) => text!("{message} (on the thread `{name}`)"),
        None => text!("{message} (on a thread without a name)"),
    };
    let mut first = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    if first.is_none() {
        *first = Some(Panicked {
            message,
            place: panicked.place.clone(),
        });
    }
}

/// Takes the first panic on another thread since the last call. Whether the thread catches it, or is
/// joined, cannot be known.
pub(crate) fn elsewhere() -> Option<Panicked> {
    let mut first = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    first.take()
}

/// As [`caught`], and an error as well when another thread panicked meanwhile.
pub(crate) fn caught_anywhere(body: &mut dyn FnMut()) -> Result<(), Panicked> {
    let here = caught(body);
    let elsewhere = elsewhere();
    here?;
    elsewhere.map_or(Ok(()), Err)
}

/// Runs `body`; when it panics, says what was said.
#[inline(never)]
pub(crate) fn caught(body: &mut dyn FnMut()) -> Result<(), Panicked> {
    exchange(None);
    let before = COMES_HERE.replace(true);
    // What the body held is not looked at again: after a panic its visit is over.
    let ended = catch_unwind(AssertUnwindSafe(body));
    COMES_HERE.set(before);
    ended.map_err(|payload| {
        let message = message(payload.as_ref());
        // A panic that was caught and resumed starts nothing anew, and a later one may have been
        // caught before it: the place belongs to the payload only if the message does.
        match exchange(None) {
            Some(last) if last.message == message => last,
            _ => Panicked {
                message,
                place: None,
            },
        }
    })
}

/// Takes what is remembered, and remembers something else.
fn exchange(new: Option<Panicked>) -> Option<Panicked> {
    ManuallyDrop::into_inner(LAST.replace(ManuallyDrop::new(new)))
}

fn panicked(info: &PanicHookInfo<'_>) -> Panicked {
    Panicked {
        message: message(info.payload()),
        place: info.location().map(|at| Place {
            file: owned(at.file()),
            line: at.line(),
        }),
    }
}

#[inline(never)]
fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        owned(text)
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        owned("a panic whose payload is no text")
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{panic_any, resume_unwind};

    use super::*;

    fn said(mut body: impl FnMut()) -> Panicked {
        caught(&mut body).expect_err("it panics")
    }

    #[test]
    fn what_was_said_and_where() {
        listen();
        assert_eq!(caught(&mut || {}), Ok(()));

        let line = line!() + 1;
        let formatted = said(|| panic!("number {}", 5));
        assert_eq!(formatted.message, "number 5");
        let place = formatted.place.clone().expect("a place");
        assert_eq!(place.line, line);
        assert!(place.file.ends_with("panics.rs"), "{}", place.file);
        let shown = format!("panicked at {}:{line}: number 5", place.file);
        assert_eq!(formatted.to_string(), shown);

        let other = said(|| panic_any(7));
        assert_eq!(other.message, "a panic whose payload is no text");

        // Resumed: the hook is not asked again, and the last place is that of another panic.
        let resumed = said(|| {
            let first = catch_unwind(|| panic!("first")).expect_err("it panics");
            let _ = catch_unwind(|| panic!("second"));
            resume_unwind(first);
        });
        assert_eq!(resumed.to_string(), "panicked: first");

        // A panic of another thread is not that of this one.
        let own = said(|| {
            let _ = std::thread::spawn(|| panic!("elsewhere")).join();
            panic!("here");
        });
        assert_eq!(own.message, "here");

        let mut quiet = None;
        // Quietly, it is remembered all the same.
        let line = line!() + 1;
        let mut body = || quiet = Some(said(|| panic!("quiet")));
        quietly(&mut body);
        assert_eq!(
            quiet.and_then(|quiet| quiet.place).map(|at| at.line),
            Some(line)
        );
    }
}
