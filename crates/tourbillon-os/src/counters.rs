//! What the kernel counts: for this process, for its threads, and for the machine.

/// Pages that this process has touched for the first time, on Unix without those read from a disk; `None` if
/// they are not counted.
///
/// # Cost
/// A system call.
pub fn page_faults() -> Option<u64> {
    #[cfg(unix)]
    {
        let mut usage = std::mem::MaybeUninit::<crate::sys::rusage>::uninit();
        // SAFETY: there is room for what the call writes.
        if unsafe { crate::sys::getrusage(crate::sys::RUSAGE_SELF, usage.as_mut_ptr()) } != 0 {
            return None;
        }
        // SAFETY: the call succeeded, so it wrote all of it.
        u64::try_from(unsafe { usage.assume_init() }.ru_minflt).ok()
    }
    #[cfg(windows)]
    return crate::windows::counters::page_faults();
    #[cfg(not(any(unix, windows)))]
    None
}

/// Bytes that this process has written to stdout, stderr and files; `None` if they are not counted, and on Linux where
/// the process has opened sockets, pipes or event counters since it became a worker: their bytes are in the same count.
///
/// # Cost
/// Reads a file of the kernel and what each descriptor leads to: about 20 us on Linux.
pub fn written_bytes() -> Option<u64> {
    #[cfg(windows)]
    return crate::windows::counters::written_bytes();
    #[cfg(unix)]
    return passed_to_writes().filter(|_| !crate::channels::are_open());
    #[cfg(not(any(unix, windows)))]
    None
}

/// Bytes that this process has passed to write calls, whatever their destination.
#[cfg(unix)]
fn passed_to_writes() -> Option<u64> {
    // A line of its own (proc_pid_io(5)).
    number_after(&text_of("/proc/self/io"), "\nwchar: ")
}

/// Nanoseconds for which the calling thread was ready to run and another one had its processor; `None`
/// if they are not counted. Time taken by a hypervisor is not included.
///
/// # Cost
/// Reads a file of the kernel: about 10 us on Linux.
pub fn waited_ns() -> Option<u64> {
    // The second of three numbers: Documentation/scheduler/sched-stats.rst.
    number_after(&text_of("/proc/thread-self/schedstat"), " ")
}

/// Counts of the machine since it started; see [`machine_counts`].
///
/// Ticks are the system's, of all processors together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineCounts {
    /// Ticks in which a processor had something to run; 0 if not counted.
    pub wanted_ticks: u64,
    /// Of them, those in which the hypervisor ran something else.
    pub stolen_ticks: u64,
    /// Of them, those of this process, with all children that it has waited for.
    pub own_ticks: u64,
    /// Pages read from the swap space; 0 if there is none.
    pub swapped_pages: u64,
    /// Number of times that the processor was throttled by heat; 0 if not counted.
    pub throttled: u64,
}

/// Counts of the machine up to now; zeroes on systems other than Linux, macOS and Windows. Windows counts the
/// first and the third, macOS also the fourth.
///
/// # Cost
/// On Linux, reads three files of the kernel: about 100 us, more with hundreds of processors.
pub fn machine_counts() -> MachineCounts {
    #[cfg(target_os = "linux")]
    {
        let (wanted_ticks, stolen_ticks) =
            wanted_and_stolen(&text_of("/proc/stat")).unwrap_or_default();
        let mut own = std::mem::MaybeUninit::<crate::sys::tms>::zeroed();
        // SAFETY: there is room for what the call writes, and zeroes are valid where it fails.
        let own = unsafe {
            crate::sys::times(own.as_mut_ptr());
            own.assume_init()
        };
        let own_ticks = own.tms_utime + own.tms_stime + own.tms_cutime + own.tms_cstime;
        let swapped = number_after(&text_of("/proc/vmstat"), "\npswpin ");
        // Each processor of a package counts the throttling of the whole package.
        let heat = "/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count";
        MachineCounts {
            wanted_ticks,
            stolen_ticks,
            own_ticks: own_ticks as u64,
            swapped_pages: swapped.unwrap_or(0),
            throttled: number_after(&text_of(heat), "").unwrap_or(0),
        }
    }
    #[cfg(windows)]
    {
        let ticks = crate::windows::counters::wanted_and_own_ticks();
        let (wanted_ticks, own_ticks) = ticks.unwrap_or_default();
        MachineCounts {
            wanted_ticks,
            own_ticks,
            ..MachineCounts::default()
        }
    }
    #[cfg(target_os = "macos")]
    {
        use crate::macos::counters;
        MachineCounts {
            wanted_ticks: counters::wanted_ticks().unwrap_or(0),
            own_ticks: counters::own_ticks(),
            swapped_pages: counters::swapped_pages().unwrap_or(0),
            ..MachineCounts::default()
        }
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
    MachineCounts::default()
}

/// The first two counts, from the first line of /proc/stat: user, nice, system, idle, iowait, irq,
/// softirq, steal; the numbers after these are included in user (proc_stat(5)).
#[cfg(any(target_os = "linux", test))]
fn wanted_and_stolen(stat: &str) -> Option<(u64, u64)> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let numbers = line.split_ascii_whitespace();
    let ticks = numbers.map_while(|number| number.parse().ok());
    let first: Vec<u64> = ticks.take(8).collect();
    let [user, nice, system, _, _, irq, softirq, steal] = first[..] else {
        return None;
    };
    Some((user + nice + system + irq + softirq + steal, steal))
}

/// The text of a file of the kernel; empty if it cannot be read, on Windows, where such a path is not the kernel's, and
/// under Miri, which gives programs no files.
pub(crate) fn text_of(path: impl AsRef<std::path::Path>) -> String {
    if cfg!(any(windows, miri)) {
        return String::new();
    }
    let text = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

/// The integer after the first `mark` of a text, and after blanks.
pub(crate) fn number_after(text: &str, mark: &str) -> Option<u64> {
    let number = text.split_once(mark)?.1.trim_start_matches(' ');
    let end = number.find(|c: char| !c.is_ascii_digit());
    number[..end.unwrap_or(number.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_after_its_mark() {
        let written = |io| number_after(io, "\nwchar: ");
        assert_eq!(written("rchar: 6976\nwchar: 4711\nsyscr: 10\n"), Some(4711));
        assert_eq!(written("rchar: 1\nwchar: 0"), Some(0));
        assert_eq!(written("wchar: 1\n"), None);
        assert_eq!(written("rchar: 1\nwchar: \n"), None);
        assert_eq!(written("rchar: 1\nwchar: 99999999999999999999\n"), None);
        assert_eq!(written(""), None);
        assert_eq!(written("rchar: 1\nwchar:    42 kB\n"), Some(42));
        assert_eq!(written("rchar: 1\nwchar:   \n7"), None);
        assert_eq!(number_after("230990033 148432 7\n", " "), Some(148_432));
        assert_eq!(number_after("3\n", ""), Some(3));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_has_to_wait_for_a_processor_is_counted() {
        let Some(earlier) = waited_ns() else {
            // A kernel that does not count it.
            assert!(!std::path::Path::new("/proc/thread-self/schedstat").exists());
            return;
        };
        let all = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        let second: u64 = all.split(' ').nth(1).unwrap().parse().unwrap();
        assert!((earlier..=waited_ns().unwrap()).contains(&second), "{all}");
    }

    #[test]
    #[cfg(unix)]
    fn new_pages_are_counted() {
        let earlier = page_faults().unwrap();
        // Large enough to be new memory from the system.
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
    fn written_bytes_are_counted() {
        use std::io::Write as _;
        let Some(earlier) = passed_to_writes() else {
            // A kernel that does not count them.
            assert!(!std::path::Path::new("/proc/self/io").exists());
            return;
        };
        let mut null = std::fs::File::create("/dev/null").unwrap();
        null.write_all(&[0; 1000]).unwrap();
        assert!(passed_to_writes().unwrap() >= earlier + 1000);
    }

    #[test]
    fn ticks_are_read_from_the_first_line() {
        let text = "cpu  100 1 20 900 10 5 6 17 7 0\ncpu0 100 1";
        assert_eq!(wanted_and_stolen(text), Some((149, 17)));
        for text in ["", "cpu  1 2 3 4\n", "cpu  a b c d e f g h"] {
            assert_eq!(wanted_and_stolen(text), None, "{text}");
        }
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    fn this_process_is_counted() {
        let first = machine_counts();
        assert!(first.wanted_ticks > 0, "{first:?}");
        // Until both counters have moved; a tick is some milliseconds.
        let mut last = first;
        while last.own_ticks == first.own_ticks || last.wanted_ticks == first.wanted_ticks {
            last = machine_counts();
        }
        assert!(last.own_ticks > first.own_ticks);
        assert!(last.wanted_ticks > first.wanted_ticks);
    }
}
