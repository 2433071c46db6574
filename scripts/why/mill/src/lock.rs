//! A sum behind a lock.

use std::sync::Mutex;

pub fn added(total: &Mutex<u64>, numbers: &[u32]) {
    let mut sum = total.lock().unwrap();
    for number in numbers {
        *sum = sum.rotate_left(7) ^ u64::from(*number);
    }
}
