//! A program that builds a meter and does not install it: every call reports an error.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::catch_unwind;

use tourbillon_mem::{
    Meter, check_installed, count, footprint, installed, tally, tally_process, try_count,
};

/// Built, but not the global allocator.
static NOT_INSTALLED: Meter = Meter::system();

#[test]
fn a_meter_that_exists_is_not_installed() {
    black_box(&NOT_INSTALLED);
    assert!(!installed());
    let error = check_installed().unwrap_err();
    assert!(error.is_absent());
    assert!(
        error
            .to_string()
            .starts_with("no meter is installed; add `#[global_allocator]")
    );
}

#[test]
fn the_body_is_not_called_when_it_cannot_be_counted() {
    let called = Cell::new(false);
    let body = || called.set(true);
    assert!(tally(body).is_err());
    assert!(tally_process(body).is_err());
    assert!(try_count(body).is_err());
    assert!(!called.get());
}

#[test]
fn what_returns_no_error_panics_with_what_to_do() {
    let payload = catch_unwind(|| count(|| ())).unwrap_err();
    let text: &String = payload.downcast_ref().unwrap();
    assert!(
        text.starts_with("allocations cannot be counted: no meter is installed; add"),
        "{text}"
    );
    assert!(catch_unwind(|| footprint(|| ())).is_err());
}
