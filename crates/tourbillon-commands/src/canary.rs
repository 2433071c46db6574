//! A canary between two rounds: whether other programs take all processors.
//!
//! What runs then is not of the command: that has ended. The kernel counts the tasks that run or wait for a processor at
//! this moment, this program among them. The time in which tasks waited (pressure stall information) says the same, but in
//! steps of 5 to 30 ms, longer than most rounds. A reading takes 1 us.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

/// The load, and after it the tasks that run.
const TASKS: &str = "/proc/loadavg";

/// A line for each processor of the machine, and one for all.
const PROCESSORS: &str = "/proc/stat";

/// What the kernel counts, opened once.
#[derive(Debug)]
pub(crate) struct Canary {
    tasks: File,
    processors: usize,
}

impl Canary {
    /// `None` where the system counts nothing.
    pub(crate) fn open() -> Option<Canary> {
        let lines = fs::read_to_string(PROCESSORS).ok()?;
        let lines = lines.lines().filter(|line| line.starts_with("cpu"));
        let canary = Canary {
            tasks: File::open(TASKS).ok()?,
            processors: lines.count().checked_sub(1)?.max(1),
        };
        canary.is_contended().map(|_| canary)
    }

    /// Whether as many other tasks run as there are processors.
    pub(crate) fn is_contended(&self) -> Option<bool> {
        let others = self.running().ok()?.saturating_sub(1);
        Some(others >= self.processors)
    }

    fn running(&self) -> io::Result<usize> {
        let mut text = [0; 128];
        let count = self.tasks.read_at(&mut text, 0)?;
        let text = String::from_utf8_lossy(&text[..count]);
        running(&text).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// The tasks that run, of the line `1.31 1.82 1.94 3/106 6366`.
fn running(text: &str) -> Option<usize> {
    let (running, _) = text.split_ascii_whitespace().nth(3)?.split_once('/')?;
    running.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tasks_that_run_are_read() {
        assert_eq!(running("1.31 1.82 1.94 3/106 6366\n"), Some(3));
        assert_eq!(running("1.31 1.82 1.94"), None);
        assert_eq!(running(""), None);
    }

    #[test]
    fn more_busy_threads_than_processors_are_seen() {
        let Some(canary) = Canary::open() else {
            return;
        };
        let end = std::sync::atomic::AtomicBool::new(false);
        let is_seen = std::thread::scope(|scope| {
            for _ in 0..canary.processors + 1 {
                scope.spawn(|| {
                    while !end.load(std::sync::atomic::Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let is_seen = (0..10_000).any(|_| canary.is_contended() == Some(true));
            end.store(true, std::sync::atomic::Ordering::Relaxed);
            is_seen
        });
        assert!(is_seen);
    }
}
