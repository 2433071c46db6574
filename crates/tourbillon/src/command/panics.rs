//! Panics of benchmarks: what was said, and where.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo};

use tourbillon_record::Place;

/// What a panic said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panicked {
    /// The message.
    pub(crate) message: String,
    /// Where.
    pub(crate) place: Option<Place>,
}

thread_local! {
    /// The last panic that started on this thread.
    static LAST: RefCell<Option<Panicked>> = const { RefCell::new(None) };
}

/// From now on tells `told` of every panic when it starts, and remembers it for [`caught`]. What
/// the hook in place does, such as printing the message, is still done, afterwards.
pub(crate) fn listen(told: impl Fn(&Panicked) + Send + Sync + 'static) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let panicked = Panicked {
            message: message(info.payload()),
            place: place(info),
        };
        told(&panicked);
        // A thread that is being torn down has nobody who could ask.
        let _ = LAST.try_with(|last| last.replace(Some(panicked)));
        before(info);
    }));
}

/// Runs `body`; when it panics, says what was said.
pub(crate) fn caught<T>(body: impl FnOnce() -> T) -> Result<T, Panicked> {
    LAST.with(|last| last.replace(None));
    // What the body held is not looked at again: after a panic its visit is over.
    std::panic::catch_unwind(AssertUnwindSafe(body)).map_err(|payload| {
        let last = LAST.with(RefCell::take);
        let said = message(payload.as_ref());
        // A panic that was caught and resumed starts nothing anew, and a later one may have been
        // caught before it: the place belongs to the payload only if the message does.
        let place = last
            .filter(|last| last.message == said)
            .and_then(|last| last.place);
        Panicked {
            message: said,
            place,
        }
    })
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic whose payload is no text".to_owned()
    }
}

fn place(info: &PanicHookInfo<'_>) -> Option<Place> {
    info.location().map(|at| Place {
        file: at.file().to_owned(),
        line: at.line(),
    })
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, panic_any, resume_unwind};

    use super::*;

    #[test]
    fn what_was_said_and_where() {
        listen(|_| {});
        assert_eq!(caught(|| 7), Ok(7));

        let line = line!() + 1;
        let said = caught(|| panic!("number {}", 5)).expect_err("it panics");
        assert_eq!(said.message, "number 5");
        let place = said.place.expect("a place");
        assert_eq!(place.line, line);
        assert!(place.file.ends_with("panics.rs"), "{}", place.file);

        let said = caught(|| panic_any(7)).expect_err("it panics");
        assert_eq!(said.message, "a panic whose payload is no text");

        // Resumed: the hook is not asked again, and the last place is that of another panic.
        let said = caught(|| {
            let first = catch_unwind(|| panic!("first")).expect_err("it panics");
            let _ = catch_unwind(|| panic!("second"));
            resume_unwind(first);
        });
        let said = said.expect_err("it panics");
        assert_eq!((said.message.as_str(), said.place), ("first", None));

        // A panic of another thread is not that of this one.
        let said = caught(|| {
            let _ = std::thread::spawn(|| panic!("elsewhere")).join();
            panic!("here");
        });
        assert_eq!(said.expect_err("it panics").message, "here");
    }
}
