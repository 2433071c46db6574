//! `assert_allocs!`: what it accepts, and its messages.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tourbillon_mem::assert_allocs;

/// The message of the panic of `body`.
fn message(body: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(body)).expect_err("it panics");
    *payload.downcast().expect("the message is a text")
}

#[test]
fn the_value_is_returned() {
    let list = assert_allocs!(1, vec![1_u8, 2, 3]);
    let sum: u8 = assert_allocs!(0, list.iter().sum());
    assert_eq!(sum, 6);
    assert_allocs!(0, drop(list));
}

#[test]
fn too_many_are_reported_with_their_sizes() {
    fn join() -> (Vec<u8>, Vec<u8>) {
        black_box((Vec::with_capacity(24), Vec::with_capacity(4096)))
    }
    let text = message(|| {
        assert_allocs!(0, join());
    });
    assert_eq!(
        text,
        "`join()`: expected 0 allocs, counted 2 allocs: 24 B, 4.0 KiB"
    );
}

#[test]
fn growth_is_an_allocation_as_well() {
    let text = message(|| {
        assert_allocs!(1, {
            let mut list = Vec::with_capacity(1);
            list.extend([1_u64, 2, 3]);
            list
        });
    });
    assert!(
        text.ends_with("expected 1 alloc, counted 1 alloc and 1 realloc: 8 B, 32 B"),
        "{text}"
    );
}

#[test]
fn too_few_are_told() {
    let text = message(|| assert_allocs!(3, ()));
    assert_eq!(text, "`()`: expected 3 allocs, counted 0 allocs");
}

#[test]
fn of_many_the_first_and_the_largest_are_told() {
    let text = message(|| {
        assert_allocs!(
            0,
            for bytes in 1..=30 {
                drop(black_box(Vec::<u8>::with_capacity(bytes)));
            }
        );
    });
    assert!(text.contains(": 1 B, 2 B, 3 B,"), "{text}");
    assert!(
        text.ends_with("16 B and 14 more, the largest of all: 30 B, 29 B, 28 B, 27 B, 26 B"),
        "{text}"
    );
}

/// The location is the line of the assertion, not one in this crate.
#[test]
fn the_place_is_that_of_the_assertion() {
    use std::sync::Mutex;
    static PLACE: Mutex<Option<(String, u32)>> = Mutex::new(None);
    let name = std::thread::current().name().map(str::to_owned);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name().map(str::to_owned) == name {
            let place = info.location().map(|at| (at.file().to_owned(), at.line()));
            *PLACE.lock().expect("not poisoned") = place;
        }
    }));
    let line = line!() + 1;
    let _ = catch_unwind(|| assert_allocs!(9, ()));
    std::panic::set_hook(before);
    let (file, at) = PLACE.lock().expect("not poisoned").take().expect("a place");
    assert!(file.ends_with("asserting.rs"), "{file}");
    assert_eq!(at, line);
}
