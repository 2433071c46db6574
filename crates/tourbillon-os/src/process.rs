/// Threads of this process, the calling one included; `None` where that cannot be had.
///
/// # Cost
/// Reads a directory: some 10 us on Linux.
pub fn threads() -> Option<u32> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let mut count = 0;
    for _thread in std::fs::read_dir("/proc/self/task").ok()? {
        count += 1;
    }
    (count > 0).then_some(count)
}

/// Whether a debugger (or a tracer such as strace) is attached to this process; `None` where that
/// cannot be had.
pub fn debugger_attached() -> Option<bool> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    traced(&std::fs::read("/proc/self/status").ok()?)
}

/// Reads the tracer's id from a text such as `/proc/self/status`: 0 for none.
fn traced(status: &[u8]) -> Option<bool> {
    match field(status, b"\nTracerPid:\t")?.first()? {
        b'0' => Some(false),
        b'1'..=b'9' => Some(true),
        _ => None,
    }
}

/// What stands behind the name of a field, in a text of the kernel that has one on each line.
#[inline(never)]
pub(crate) fn field<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let mut rest = text;
    loop {
        match rest.strip_prefix(name) {
            Some(value) => return Some(value),
            None => rest = rest.get(1..)?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracer_is_read_from_the_status_text() {
        assert_eq!(traced(b"Name:\tx\nTracerPid:\t0\nUid:\t0\n"), Some(false));
        assert_eq!(traced(b"Name:\tx\nTracerPid:\t4711\n"), Some(true));
        assert_eq!(traced(b"Name:\tTracerPid: 1\n"), None);
        assert_eq!(traced(b"TracerPid:\t-\n"), None);
        assert_eq!(traced(b""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_thread_is_counted() {
        // Other tests run beside this one, so only the fact that ours are counted can be asserted.
        let alone = threads().unwrap();
        assert!(alone >= 1);
        let both = std::thread::spawn(|| threads().unwrap()).join().unwrap();
        assert!(both >= 2);
    }
}
