use std::time::Duration;

/// How long the first pause is between two looks at the threads; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
/// Pauses at most: 6.35 ms together.
const PAUSES: u32 = 7;

/// Threads of this process that stay, the calling one included; `None` where that cannot be had.
///
/// Who waits for a thread to end goes on when it has done its work, and a scope even before it has
/// cleared away what was its own: the kernel still counts it then. So where there is more than one thread
/// they are counted again until it is alone or a few milliseconds are over.
///
/// # Cost
/// Reads a directory: some 10 us on Linux. Up to 7 ms where there are threads beside the calling one.
pub fn threads() -> Option<u32> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    settled(&mut counted, &mut std::thread::sleep)
}

/// The least that `count` gives, counted again after a pause as long as it is more than one.
fn settled(count: &mut dyn FnMut() -> Option<u32>, pause: &mut dyn FnMut(Duration)) -> Option<u32> {
    let mut least = count()?;
    let mut length = FIRST_PAUSE;
    for _ in 0..PAUSES {
        if least == 1 {
            break;
        }
        pause(length);
        length *= 2;
        least = least.min(count()?);
    }
    Some(least)
}

/// Threads of this process now, those on their way out included.
fn counted() -> Option<u32> {
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

    /// What comes of these counts, and how long all pauses between them were, in microseconds.
    fn after(counts: &[Option<u32>]) -> (Option<u32>, u128) {
        let mut left = counts.iter();
        let mut paused = Duration::ZERO;
        let threads = settled(&mut || *left.next().unwrap(), &mut |length| {
            paused += length
        });
        assert_eq!(left.next(), None, "counted too seldom");
        (threads, paused.as_micros())
    }

    #[test]
    fn one_thread_is_counted_once() {
        assert_eq!(after(&[Some(1)]), (Some(1), 0));
    }

    #[test]
    fn threads_on_their_way_out_are_waited_for() {
        assert_eq!(after(&[Some(3), Some(2), Some(1)]), (Some(1), 50 + 100));
    }

    #[test]
    fn threads_that_stay_are_not_waited_for_without_end() {
        let (threads, paused) = after(&[
            Some(4),
            Some(2),
            Some(2),
            Some(2),
            Some(2),
            Some(2),
            Some(2),
            Some(2),
        ]);
        assert_eq!((threads, paused), (Some(2), 6_350));
        // One that was started meanwhile is not of the op.
        let (threads, _) = after(&[
            Some(2),
            Some(3),
            Some(3),
            Some(3),
            Some(3),
            Some(3),
            Some(3),
            Some(3),
        ]);
        assert_eq!(threads, Some(2));
    }

    #[test]
    fn what_cannot_be_counted_is_not_waited_for() {
        assert_eq!(after(&[None]), (None, 0));
        assert_eq!(after(&[Some(2), None]), (None, 50));
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
