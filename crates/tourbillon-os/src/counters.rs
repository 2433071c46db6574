use crate::process::field;

/// Pages that this process has touched for the first time; `None` where that cannot be had. Those that
/// came from a disk are not among them.
///
/// # Cost
/// A call of the system.
#[cfg(unix)]
pub fn page_faults() -> Option<u64> {
    let mut usage = std::mem::MaybeUninit::<crate::sys::rusage>::uninit();
    // SAFETY: there is room for what the call writes.
    let answer = unsafe { crate::sys::getrusage(crate::sys::RUSAGE_SELF, usage.as_mut_ptr()) };
    if answer != 0 {
        return None;
    }
    // SAFETY: the call succeeded, so it wrote all of it.
    let faults = unsafe { usage.assume_init() }.ru_minflt;
    u64::try_from(faults).ok()
}

/// Pages that this process has touched for the first time: not known on this system.
#[cfg(not(unix))]
pub fn page_faults() -> Option<u64> {
    None
}

/// Bytes that this process has handed to the system for writing, wherever they went; `None` where
/// that cannot be had.
///
/// # Cost
/// Reads a file of the kernel: some 10 us on Linux.
pub fn written_bytes() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    // A line of its own (proc_pid_io(5)).
    number_in("/proc/self/io", b"\nwchar: ")
}

/// Nanoseconds for which the calling thread was ready to run and another one had its processor; `None`
/// where that cannot be had. What a hypervisor takes away is not among them.
///
/// # Cost
/// Reads a file of the kernel: some 10 us on Linux.
pub fn waited_ns() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    // The second of three numbers: Documentation/scheduler/sched-stats.rst.
    number_in("/proc/thread-self/schedstat", b" ")
}

/// The whole number behind the first `mark` of a file of the kernel.
#[inline(never)]
pub(crate) fn number_in(path: &str, mark: &[u8]) -> Option<u64> {
    number_after(&text_of(path), mark)
}

/// The text of a file of the kernel, empty where there is none.
#[expect(
    clippy::manual_unwrap_or_default,
    reason = "the compiler makes that anew for each type, in every bench binary"
)]
#[inline(never)]
pub(crate) fn text_of(path: &str) -> Vec<u8> {
    match std::fs::read(path) {
        Ok(text) => text,
        Err(_) => Vec::new(),
    }
}

/// The whole number behind the first `mark` of a text, and behind blanks.
#[inline(never)]
pub(crate) fn number_after(text: &[u8], mark: &[u8]) -> Option<u64> {
    let mut number: Option<u64> = None;
    for digit in field(text, mark)? {
        if number.is_none() && *digit == b' ' {
            continue;
        }
        if !digit.is_ascii_digit() {
            break;
        }
        let digit = u64::from(digit - b'0');
        number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_found_and_read() {
        let written = |io: &[u8]| number_after(io, b"\nwchar: ");
        assert_eq!(
            written(b"rchar: 6976\nwchar: 4711\nsyscr: 10\n"),
            Some(4711)
        );
        assert_eq!(written(b"rchar: 1\nwchar: 0"), Some(0));
        assert_eq!(written(b"wchar: 1\n"), None);
        assert_eq!(written(b"rchar: 1\nwchar: \n"), None);
        assert_eq!(written(b"rchar: 1\nwchar: 99999999999999999999\n"), None);
        assert_eq!(written(b""), None);
        assert_eq!(written(b"rchar: 1\nwchar:    42 kB\n"), Some(42));
        assert_eq!(written(b"rchar: 1\nwchar:   \n7"), None);
        assert_eq!(number_after(b"230990033 148432 7\n", b" "), Some(148_432));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_another_one_holds_up_has_waited() {
        use std::fs::read_to_string;
        let Some(earlier) = waited_ns() else {
            // A kernel that does not account for it.
            assert!(!std::path::Path::new("/proc/thread-self/schedstat").exists());
            return;
        };
        let all = read_to_string("/proc/thread-self/schedstat").unwrap();
        let second: u64 = all.split(' ').nth(1).unwrap().parse().unwrap();
        assert!((earlier..=waited_ns().unwrap()).contains(&second), "{all}");
    }

    #[test]
    #[cfg(unix)]
    fn new_pages_are_counted() {
        let earlier = page_faults().unwrap();
        // So large that it is new memory from the system.
        let mut block = vec![0_u8; 1 << 24];
        for page in block.chunks_mut(4096) {
            page[0] = 1;
        }
        std::hint::black_box(&block);
        // With huge pages there are few, but there are some.
        assert!(page_faults().unwrap() > earlier);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_written_is_counted() {
        use std::io::Write as _;
        let Some(earlier) = written_bytes() else {
            // A kernel that does not account for it.
            assert!(!std::path::Path::new("/proc/self/io").exists());
            return;
        };
        let mut null = std::fs::File::create("/dev/null").unwrap();
        null.write_all(&[0; 1000]).unwrap();
        assert!(written_bytes().unwrap() >= earlier + 1000);
    }
}
