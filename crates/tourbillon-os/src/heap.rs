//! What the system's allocator does with memory that is freed.

/// Bytes of the block. glibc's thresholds follow blocks of up to 32 MiB, their headers included.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
const BLOCK: usize = 31 << 20;

/// Has the allocator keep memory that is freed, as in a process that has freed a large block before.
///
/// In a young process glibc returns the end of the heap to the system as soon as 128 KiB of it are free: what a
/// benchmark allocates would cost page faults after each batch whose values were dropped. The first large block that
/// is freed raises that threshold to twice its size; here that is a block of 31 MiB, none of whose pages are touched.
/// Other allocators are left as they are.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
    {
        use std::ffi::c_void;
        unsafe extern "C" {
            fn malloc(bytes: usize) -> *mut c_void;
            fn free(block: *mut c_void);
        }
        // SAFETY: the block is freed as malloc returned it; `free` accepts a null pointer.
        unsafe { free(std::hint::black_box(malloc(BLOCK))) };
    }
}
