//! Memory that is freed stays with the process. A test of its own: it counts the page faults of its process.

#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]

use std::hint::black_box;

use tourbillon_os::{keep_freed_memory, page_faults};

/// Allocates 16 MiB in small blocks, writes to them and frees them.
fn turn_over() {
    let blocks: Vec<_> = (0..16_384).map(|_| vec![1_u8; 1024]).collect();
    drop(black_box(blocks));
}

#[test]
fn memory_that_was_freed_is_used_again_without_page_faults() {
    keep_freed_memory();
    turn_over();
    let before = page_faults().unwrap();
    turn_over();
    let faults = page_faults().unwrap() - before;
    // 16 MiB are 4096 pages; one that is returned to the system faults again.
    assert!(faults < 400, "{faults} page faults");
}
