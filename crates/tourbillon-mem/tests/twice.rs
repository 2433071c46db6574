//! Two meters would count everything twice.

use tourbillon_mem::{Meter, check_installed};

#[global_allocator]
static ALLOC: Meter<Meter> = Meter::new(Meter::system());

#[test]
fn two_meters_are_one_too_many() {
    let error = check_installed().unwrap_err();
    assert!(!error.is_absent());
    assert!(error.to_string().ends_with("and the only meter"));
}
