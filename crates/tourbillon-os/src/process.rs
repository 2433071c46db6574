use std::time::Duration;

/// How long the first pause is between two looks at the threads; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
/// Pauses at most, 25.55 ms together: a thread on its way out may have to wait for a processor that others
/// use, but only threads that are left behind and go on working take all of it.
const PAUSES: u32 = 9;

/// Threads of this process that stay, the calling one included; `None` where that cannot be had.
///
/// Who waits for a thread to end goes on when it has done its work, and a scope even before it has
/// cleared away what was its own: the kernel still counts it then. So they are looked at again while one
/// of the others is at work, for some 26 ms at most. Those of a pool sleep, and are not waited for.
///
/// # Cost
/// Reads a directory and a file for each thread: some 20 us on Linux. Up to 26 ms where threads go
/// on working beside the calling one.
pub fn threads() -> Option<u32> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    settled(&mut seen, &mut std::thread::sleep)
}

/// Threads at one moment.
#[derive(Clone, Copy)]
struct Seen {
    all: u32,
    /// Those that do not sleep, the calling one among them.
    working: u32,
}

/// The fewest threads that were seen, looked at again after a pause as long as another one works.
fn settled(look: &mut dyn FnMut() -> Option<Seen>, pause: &mut dyn FnMut(Duration)) -> Option<u32> {
    let mut seen = look()?;
    let mut least = seen.all;
    let mut length = FIRST_PAUSE;
    for _ in 0..PAUSES {
        if seen.working <= 1 {
            break;
        }
        pause(length);
        length *= 2;
        seen = look()?;
        least = least.min(seen.all);
    }
    Some(least)
}

/// The threads of this process now, those on their way out included.
fn seen() -> Option<Seen> {
    let mut seen = Seen { all: 0, working: 0 };
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // One that cannot be read has ended meanwhile.
        if let Ok(status) = std::fs::read(thread.ok()?.path().join("status")) {
            seen.all += 1;
            seen.working += u32::from(!is_asleep(&status));
        }
    }
    (seen.all > 0).then_some(seen)
}

/// Whether a thread sleeps until somebody wakes it, from a text such as `/proc/self/status`.
fn is_asleep(status: &[u8]) -> bool {
    matches!(field(status, b"\nState:\t"), Some([b'S', ..]))
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

    /// What comes of these looks, each a number of threads and how many of them work, and how long all
    /// pauses between them were, in microseconds.
    fn after(looks: &[(u32, u32)]) -> (Option<u32>, u128) {
        let mut left = looks.iter();
        let mut paused = Duration::ZERO;
        let mut look = || left.next().map(|&(all, working)| Seen { all, working });
        let threads = settled(&mut look, &mut |length| paused += length);
        assert_eq!(left.next(), None, "looked too seldom");
        (threads, paused.as_micros())
    }

    #[test]
    fn one_thread_is_looked_at_once() {
        assert_eq!(after(&[(1, 1)]), (Some(1), 0));
    }

    #[test]
    fn a_pool_that_sleeps_is_not_waited_for() {
        assert_eq!(after(&[(9, 1)]), (Some(9), 0));
        assert_eq!(after(&[(9, 3), (9, 1)]), (Some(9), 50));
    }

    #[test]
    fn threads_on_their_way_out_are_waited_for() {
        assert_eq!(after(&[(3, 3), (2, 2), (1, 1)]), (Some(1), 50 + 100));
    }

    #[test]
    fn threads_that_go_on_are_not_waited_for_without_end() {
        let (threads, paused) = after(&[
            (4, 4),
            (2, 2),
            (2, 2),
            (2, 2),
            (2, 2),
            (2, 2),
            (2, 2),
            (2, 2),
            (2, 2),
            // One that was started meanwhile is not of the op.
            (3, 3),
        ]);
        assert_eq!((threads, paused), (Some(2), 25_550));
    }

    #[test]
    fn what_cannot_be_seen_is_not_waited_for() {
        assert_eq!(after(&[]), (None, 0));
        assert_eq!(after(&[(2, 2)]), (None, 50));
    }

    #[test]
    fn a_thread_sleeps_when_its_status_says_so() {
        assert!(is_asleep(
            b"Name:\ta) R (\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t7\n"
        ));
        assert!(!is_asleep(b"Name:\ta\nState:\tR (running)\n"));
        assert!(!is_asleep(b"Name:\ta\n"));
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
