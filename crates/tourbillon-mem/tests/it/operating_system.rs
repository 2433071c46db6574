//! Resident memory and page faults.

use std::hint::black_box;

use tourbillon_mem::{
    peak_resident_bytes, process_page_faults, reset_peak_resident, tally, thread_page_faults,
};

const MANY: usize = 64 << 20;

/// Writes to each page of a block that is fresh from the system.
fn touch(bytes: usize) -> Vec<u8> {
    let mut block = black_box(vec![0_u8; bytes]);
    block.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    black_box(block)
}

#[test]
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
fn the_peak_covers_what_was_touched_and_begins_anew_where_it_may() {
    let block = touch(MANY);
    let peak = peak_resident_bytes().unwrap();
    assert!(peak >= MANY as u64, "{peak}");
    drop(block);
    assert!(peak_resident_bytes().unwrap() >= MANY as u64);
    match reset_peak_resident() {
        // Other tests hold far less.
        Ok(()) => assert!(peak_resident_bytes().unwrap() < peak),
        Err(error) => {
            let text = error.to_string();
            let linux = "peak resident memory is not available: `/proc/self/";
            let other = "peak resident memory is not available: it is read on Linux only";
            assert!(text.starts_with(linux) || text == other, "{text}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pages_that_are_touched_are_faults_of_the_thread_that_does() {
    let before = thread_page_faults().unwrap();
    let of_process = process_page_faults().unwrap();
    // Larger than what allocators keep for later, so fresh from the system; in large pages at most.
    let block = touch(MANY);
    let faults = thread_page_faults().unwrap().since(before);
    assert!(faults.minor >= 10, "{faults:?}");
    let all = process_page_faults().unwrap().since(of_process);
    assert!(all.minor >= faults.minor, "{all:?} {faults:?}");
    drop(block);
    assert_eq!(
        before.since(thread_page_faults().unwrap()),
        tourbillon_mem::PageFaults::default()
    );
}

#[test]
fn asking_the_system_does_not_allocate() {
    let (_, used) = tally(|| {
        let _ = (peak_resident_bytes(), thread_page_faults());
        let _ = process_page_faults();
    })
    .unwrap();
    assert!(used.is_zero(), "{used}");
}
