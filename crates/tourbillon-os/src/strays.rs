//! Processes that outlive the worker that started them.
//!
//! On Linux this process adopts them (`PR_SET_CHILD_SUBREAPER`), so that they are found among its children
//! however often they forked and whatever groups they made. Elsewhere only the group of a worker is known.

use std::io;
use std::process;

/// Starts a worker, whose orphans become children of this process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn started(
    spawn: &mut dyn FnMut() -> io::Result<process::Child>,
) -> io::Result<process::Child> {
    spawn()
}

/// Marks what a command starts as started by a worker of this process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn mark(_command: &mut process::Command) {}

/// Ends what a worker left that has been waited for; gives how many had left its group.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_those_of(_worker: u32) -> u32 {
    0
}

#[cfg(target_os = "linux")]
pub(crate) use self::linux::{end_those_of, mark, started};

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    use super::{io, process};
    use crate::child::has_ended;
    use crate::sys::{self, pid_t};

    /// Children that are no strays: workers, and what the program had started before the first of them.
    /// `None` before that.
    static KNOWN: Mutex<Option<Vec<pid_t>>> = Mutex::new(None);

    /// Stands in the environment of workers, and so of what they start: the process that started them.
    const STARTED_BY: &str = "TOURBILLON_STARTED_BY";

    /// Marks what a command starts as started by a worker of this process.
    pub(crate) fn mark(command: &mut process::Command) {
        command.env(STARTED_BY, process::id().to_string());
    }

    /// Whether a process was started by a worker of this one: others, such as a server that a build left
    /// behind, are not ended.
    fn is_marked(child: pid_t) -> bool {
        let environment = std::fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
        let mark = format!("{STARTED_BY}={}", process::id());
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark.as_bytes())
    }

    /// How often strays are looked for: each one that is ended may hand on its own children.
    const ROUNDS: u32 = 100;
    /// The pause between two rounds, for the killed to end.
    const PAUSE: Duration = Duration::from_millis(1);

    fn known() -> MutexGuard<'static, Option<Vec<pid_t>>> {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn started(
        spawn: &mut dyn FnMut() -> io::Result<process::Child>,
    ) -> io::Result<process::Child> {
        let mut known = known();
        let known = known.get_or_insert_with(|| {
            // SAFETY: sets a flag in the kernel's description of this process. A kernel that refuses
            // leaves orphans to init, as elsewhere.
            unsafe { sys::prctl(sys::PR_SET_CHILD_SUBREAPER, 1) };
            children()
        });
        let child = spawn()?;
        known.push(child.id() as pid_t);
        Ok(child)
    }

    pub(crate) fn end_those_of(worker: u32) -> u32 {
        let worker = worker as pid_t;
        let mut known = known();
        let Some(known) = &mut *known else {
            return 0;
        };
        known.retain(|process| *process != worker);
        let own = group(0);
        let mut left: Vec<pid_t> = Vec::new();
        for _ in 0..ROUNDS {
            let mut is_over = true;
            for child in children() {
                let group = group(child);
                // What this program starts beside workers is in its own group; another worker's, which
                // is alive, is for that worker's end.
                if group < 0 || group == own || known.contains(&child) || known.contains(&group) {
                    continue;
                }
                let ended = has_ended(child as u32).unwrap_or(true);
                if !ended && group != worker && !is_marked(child) {
                    continue;
                }
                is_over = false;
                if !ended && group != worker && !left.contains(&child) {
                    left.push(child);
                }
                // SAFETY: no memory is involved; a child that has not been waited for, so that its id
                // cannot have been given to another process.
                unsafe { sys::kill(child, sys::SIGKILL) };
                reap(child);
            }
            if is_over {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        left.len() as u32
    }

    /// The process group of a process; that of this one for 0.
    fn group(process: pid_t) -> pid_t {
        // SAFETY: takes and returns integers.
        unsafe { sys::getpgid(process) }
    }

    /// Waits for a child if it has ended.
    fn reap(child: pid_t) {
        // SAFETY: integers, for which all zeroes are a value.
        let mut seen: sys::siginfo_t = unsafe { std::mem::zeroed() };
        let options = sys::WEXITED | sys::WNOHANG;
        // SAFETY: `seen` is a place for one siginfo_t, which outlives the call. One that has not ended yet
        // is waited for in the next round.
        unsafe { sys::waitid(sys::P_PID, child as u32, &raw mut seen, options) };
    }

    /// The children of this process; none where the kernel does not list them.
    fn children() -> Vec<pid_t> {
        let mut children = Vec::new();
        let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
            return children;
        };
        for thread in threads.flatten() {
            let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            children.extend(list.split_ascii_whitespace().flat_map(str::parse::<pid_t>));
        }
        children
    }
}
