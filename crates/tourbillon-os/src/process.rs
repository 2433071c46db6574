//! This process: its threads, a debugger, and the memory that it touches.

#[cfg(target_os = "linux")]
use std::collections::HashMap;
#[cfg(target_os = "linux")]
use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::sync::OnceLock;
use std::time::Duration;

use crate::counters::{number_after, text_of};
#[cfg(not(any(windows, target_os = "macos")))]
use crate::emulator;

/// The first pause between two looks at the threads; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
/// Most nanoseconds for which a thread from before the worker began may have run since, and count as idle: the end of its
/// own start falls into them. A body that has it work takes more, in all launches that are long enough to be used.
#[cfg(target_os = "linux")]
const IDLE_NS: u64 = 1_000_000;
/// The threads that were there when the worker began, and for how long each had run: those of an async `main`, or of a
/// logger.
#[cfg(target_os = "linux")]
static EARLIER: OnceLock<HashMap<OsString, u64>> = OnceLock::new();
/// Most pauses, 25.55 ms together: a thread that is about to end may have to wait for a processor. Only
/// threads that keep working use all of them.
const PAUSES: u32 = 9;

/// Threads of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Those that stay, the calling one included.
    pub all: u32,
    /// Of them, those that do not sleep; `None` on Windows, which does not say it cheaply.
    pub working: Option<u32>,
}

/// Threads of this process that stay, the calling one included; `None` on systems other than Linux, macOS
/// and Windows. In a worker those that were there before the benchmark do not count on Windows; on Linux not those that
/// have slept since, nor the threads of an emulator of the processor, nor a main thread that sleeps while another one is
/// calling.
///
/// A join returns when the other thread has done its work, and a scope even before that thread has
/// dropped its locals: the kernel still counts the thread then. So the threads are counted again, for
/// about 26 ms at most, while another one is running. Sleeping threads, such as those of a pool, are
/// not waited for.
///
/// # Cost
/// On Linux, reads a directory and a file for each thread: about 20 us. On Windows, lists the threads of all
/// processes: some milliseconds. Up to 26 ms if other threads keep running.
pub fn threads() -> Option<Threads> {
    let least = settled(seen, std::thread::sleep)?;
    Some(Threads {
        all: least.all,
        working: (!cfg!(windows)).then_some(least.working),
    })
}

/// Threads at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    all: u32,
    /// Those that do not sleep, the calling one included.
    working: u32,
}

/// The smallest numbers of threads, counted again after a pause while another one is working.
fn settled(
    mut look: impl FnMut() -> Option<Seen>,
    mut pause: impl FnMut(Duration),
) -> Option<Seen> {
    let mut seen = look()?;
    let mut least = seen;
    let mut length = FIRST_PAUSE;
    for _ in 0..PAUSES {
        if seen.working <= 1 {
            break;
        }
        pause(length);
        length *= 2;
        seen = look()?;
        least.all = least.all.min(seen.all);
        least.working = least.working.min(seen.working);
    }
    Some(least)
}

/// The present threads of this process, those about to end included.
///
/// Windows does not show cheaply which threads sleep: all that were started since the worker began count as
/// working.
fn seen() -> Option<Seen> {
    #[cfg(windows)]
    return crate::windows::threads::threads().map(|all| Seen { all, working: all });
    #[cfg(target_os = "macos")]
    return crate::macos::counters::threads().map(|(all, working)| Seen { all, working });
    #[cfg(not(any(windows, target_os = "macos")))]
    in_proc()
}

#[cfg(not(any(windows, target_os = "macos")))]
fn in_proc() -> Option<Seen> {
    let own = std::fs::read_link("/proc/thread-self").ok()?;
    let own = own.file_name()?;
    let main = std::process::id().to_string();
    let mut seen = Seen { all: 0, working: 0 };
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let thread = thread.ok()?;
        let name = thread.file_name();
        if emulator::threads().contains(&name) {
            continue;
        }
        let status = text_of(thread.path().join("status"));
        // A main thread that has started this one, with a larger stack, and sleeps until it has ended.
        let waits_for_this = name != own && name == *main && is_asleep(&status);
        #[cfg(target_os = "linux")]
        let is_idle = is_asleep(&status)
            && EARLIER
                .get()
                .and_then(|earlier| earlier.get(&name))
                .is_some_and(|earlier_ns| has_slept(*earlier_ns, &thread.path()));
        #[cfg(not(target_os = "linux"))]
        let is_idle = false;
        // One that cannot be read has just ended.
        if !status.is_empty() && !waits_for_this && !is_idle {
            seen.all += 1;
            seen.working += u32::from(!is_asleep(&status));
        }
    }
    (seen.all > 0).then_some(seen)
}

/// Remembers the threads that are there as those of `main`.
#[cfg(target_os = "linux")]
pub(crate) fn remember_threads() {
    let _ = EARLIER.set(other_threads());
}

/// The threads other than the calling one, and for how long each has run.
#[cfg(target_os = "linux")]
fn other_threads() -> HashMap<OsString, u64> {
    let own = std::fs::read_link("/proc/thread-self").unwrap_or_default();
    let present = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let others = present
        .flatten()
        .filter(|thread| Some(&*thread.file_name()) != own.file_name());
    let times = others.filter_map(|thread| Some((thread.file_name(), ran_ns(&thread.path())?)));
    times.collect()
}

/// Whether a thread that had run for so long before has slept since.
#[cfg(target_os = "linux")]
fn has_slept(earlier_ns: u64, folder: &Path) -> bool {
    ran_ns(folder).is_some_and(|ran| ran.saturating_sub(earlier_ns) < IDLE_NS)
}

/// For how long a thread has run, by its folder (Documentation/scheduler/sched-stats.rst); `None` where that is not counted.
#[cfg(target_os = "linux")]
fn ran_ns(folder: &Path) -> Option<u64> {
    number_after(&text_of(folder.join("schedstat")), "")
}

/// Whether a thread sleeps, from a text such as `/proc/self/status`.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
fn is_asleep(status: &str) -> bool {
    status.contains("\nState:\tS")
}

/// Whether a debugger (or a tracer such as strace) is attached to this process; `None` on systems other
/// than Linux, macOS and Windows.
pub fn debugger_attached() -> Option<bool> {
    #[cfg(windows)]
    return Some(crate::windows::counters::debugger_attached());
    #[cfg(target_os = "macos")]
    return crate::macos::counters::debugger_attached();
    #[cfg(not(any(windows, target_os = "macos")))]
    traced(&text_of("/proc/self/status"))
}

/// Reads the tracer's id from a text such as `/proc/self/status`: 0 for none.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
fn traced(status: &str) -> Option<bool> {
    Some(number_after(status, "\nTracerPid:\t")? != 0)
}

/// Makes the kernel forget which memory this process has touched, for [`touched_bytes`], which takes the
/// result; `None` where the kernel does not support it.
///
/// # Cost
/// The kernel walks all pages of the process three times: 0.1 ms in a small process, 2 ms with 64 MiB in
/// pages of 4 KiB (two-core KVM guest, Linux 6.18). Where the kernel tracks writes
/// (`CONFIG_MEM_SOFT_DIRTY`), the next write to each page takes up to a microsecond longer.
pub fn forget_touched() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    // 1 clears the mark that a page was touched (proc_pid_clear_refs(5)). The processor sets it again
    // only after a look-up of the translation, and it caches the translations of some MiB; 4, which
    // makes the kernel track writes, flushes them.
    for what in ["1", "4"] {
        std::fs::write("/proc/self/clear_refs", what).ok()?;
    }
    // Pages that the reading itself touches.
    let (touched, _) = touched_and_own(&rollup())?;
    Some(touched)
}

/// Bytes of this process's memory touched since [`forget_touched`], whose result is `by_reading`; `None`
/// where the kernel does not support it.
///
/// # Accuracy
/// Whole pages, of all threads: one byte counts as its whole page, of 4 KiB or 2 MiB. At most the
/// process's memory that is not backed by files: pages of its program also count as touched when another
/// process that runs it starts or ends.
///
/// # Cost
/// The kernel walks all pages of the process.
pub fn touched_bytes(by_reading: u64) -> Option<u64> {
    let (touched, own) = touched_and_own(&rollup())?;
    Some(touched.saturating_sub(by_reading).min(own))
}

fn rollup() -> String {
    text_of("/proc/self/smaps_rollup")
}

/// Bytes of touched pages, and of pages not backed by files, from a text such as
/// `/proc/self/smaps_rollup`.
fn touched_and_own(rollup: &str) -> Option<(u64, u64)> {
    let bytes = |name| number_after(rollup, name)?.checked_mul(1024);
    Some((bytes("\nReferenced:")?, bytes("\nAnonymous:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracer_is_read_from_the_status_text() {
        assert_eq!(traced("Name:\tx\nTracerPid:\t0\nUid:\t0\n"), Some(false));
        assert_eq!(traced("Name:\tx\nTracerPid:\t4711\n"), Some(true));
        assert_eq!(traced("Name:\tTracerPid: 1\n"), None);
        assert_eq!(traced("TracerPid:\t-\n"), None);
        assert_eq!(traced(""), None);
    }

    /// The result for these looks, each a number of threads and how many of them work, and the length of
    /// all pauses between them, in microseconds.
    fn after(looks: &[(u32, u32)]) -> (Option<(u32, u32)>, u128) {
        let mut left = looks.iter();
        let mut paused = Duration::ZERO;
        let look = || left.next().map(|&(all, working)| Seen { all, working });
        let threads = settled(look, |length| paused += length);
        assert_eq!(left.next(), None, "too few looks");
        let threads = threads.map(|seen| (seen.all, seen.working));
        (threads, paused.as_micros())
    }

    #[test]
    fn one_thread_is_looked_at_once() {
        assert_eq!(after(&[(1, 1)]), (Some((1, 1)), 0));
    }

    #[test]
    fn a_sleeping_pool_is_not_waited_for() {
        assert_eq!(after(&[(9, 1)]), (Some((9, 1)), 0));
        assert_eq!(after(&[(9, 3), (9, 1)]), (Some((9, 1)), 50));
    }

    #[test]
    fn threads_about_to_end_are_waited_for() {
        assert_eq!(after(&[(3, 3), (2, 2), (1, 1)]), (Some((1, 1)), 50 + 100));
    }

    #[test]
    fn the_wait_for_working_threads_ends() {
        // The last look finds a thread that was started meanwhile, which is not of the op.
        let mut looks = vec![(4, 4)];
        looks.extend([(2, 2); 8]);
        looks.push((3, 3));
        assert_eq!(after(&looks), (Some((2, 2)), 25_550));
    }

    #[test]
    fn threads_that_cannot_be_counted_are_not_waited_for() {
        assert_eq!(after(&[]), (None, 0));
        assert_eq!(after(&[(2, 2)]), (None, 50));
    }

    #[test]
    fn a_sleeping_thread_is_known_by_its_status() {
        assert!(is_asleep(
            "Name:\ta) R (\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t7\n"
        ));
        assert!(!is_asleep("Name:\ta\nState:\tR (running)\n"));
        assert!(!is_asleep("Name:\ta\n"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_thread_is_counted() {
        // Other tests run at the same time: only a lower bound can be asserted.
        let alone = threads().unwrap().all;
        assert!(alone >= 1);
        let both = std::thread::spawn(|| threads().unwrap().all)
            .join()
            .unwrap();
        assert!(both >= 2);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_of_main_counts_when_it_has_worked() {
        let (wake, woken) = std::sync::mpsc::channel();
        let (say, heard) = std::sync::mpsc::channel();
        let id = || {
            std::fs::read_link("/proc/thread-self")
                .unwrap()
                .file_name()
                .unwrap()
                .to_owned()
        };
        let thread = std::thread::spawn(move || {
            say.send(id()).unwrap();
            woken.recv().unwrap();
            let folder = Path::new("/proc/thread-self");
            let first = ran_ns(folder);
            while ran_ns(folder) < first.map(|first| first + 2 * IDLE_NS) {}
            say.send(id()).unwrap();
            woken.recv().unwrap();
        });
        let name = heard.recv().unwrap();
        let folder = Path::new("/proc/self/task").join(&name);
        // `None` where the kernel does not count.
        let earlier_ns = other_threads().get(&name).copied();
        assert!(earlier_ns.is_none_or(|earlier_ns| has_slept(earlier_ns, &folder)));
        wake.send(()).unwrap();
        heard.recv().unwrap();
        assert!(earlier_ns.is_none_or(|earlier_ns| !has_slept(earlier_ns, &folder)));
        wake.send(()).unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn the_entries_are_found_among_others() {
        let rollup = "55d0-7ffe ---p 00000000 00:00 0    [rollup]\nRss:    2192 kB\n\
            Private_Dirty:     76 kB\nReferenced:       17408 kB\nAnonymous:     128 kB\n";
        assert_eq!(touched_and_own(rollup), Some((17 << 20, 128 << 10)));
        for other in [
            "Rss: 4 kB\nReferenced:\nAnonymous: 1 kB\n",
            "\nReferenced: 4 kB\n",
            "\nReferenced: 18446744073709551615 kB\nAnonymous: 1 kB\n",
        ] {
            assert_eq!(touched_and_own(other), None);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn pages_that_were_touched_shortly_before_are_counted_again() {
        // Other tests run at the same time: there is no upper bound.
        let mut block = vec![0_u8; 2 << 20];
        let mut walk = || {
            for page in block.chunks_mut(4096) {
                page[0] = std::hint::black_box(page[0]) + 1;
            }
        };
        walk();
        let forgotten = forget_touched();
        walk();
        match forgotten.and_then(touched_bytes) {
            Some(touched) => assert!(touched >= 2 << 20, "{touched}"),
            // A kernel without it, or a container without the files.
            None => assert!(
                std::fs::write("/proc/self/clear_refs", "1").is_err()
                    || std::fs::read("/proc/self/smaps_rollup").is_err()
            ),
        }
    }
}
