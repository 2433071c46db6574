//! Processes that outlive the worker that started them.
//!
//! On Linux this process adopts them (`PR_SET_CHILD_SUBREAPER`), so they are among its children however
//! often they forked and whatever groups they created. Elsewhere only the group of a worker is known.

use std::io;
use std::process;

use crate::sys;

#[cfg(target_os = "linux")]
pub(crate) use self::linux::{end_those_of, mark, started};

/// Starts a worker, whose orphans become children of this process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn started(
    spawn: impl FnOnce() -> io::Result<process::Child>,
) -> io::Result<process::Child> {
    spawn()
}

/// Marks the processes of a command as started by a worker of this process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn mark(_command: &mut process::Command) {}

/// Ends the processes that a worker left running; returns how many had left its group.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_those_of(_worker: u32) -> u32 {
    0
}

/// Whether a child has ended; it stays a zombie.
pub(crate) fn has_ended(pid: u32) -> io::Result<bool> {
    match wait_for(pid, sys::WEXITED | sys::WNOHANG | sys::WNOWAIT) {
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(false),
        // The signal that reports the ending of a child; zero if it has not ended.
        seen => Ok(seen?.si_signo != 0),
    }
}

/// Waits for the end of a child; it stays a zombie.
#[cfg(all(feature = "commands", not(target_os = "linux")))]
pub(crate) fn wait_for_end(pid: u32) -> io::Result<()> {
    loop {
        match wait_for(pid, sys::WEXITED | sys::WNOWAIT) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            seen => return seen.map(drop),
        }
    }
}

fn wait_for(pid: u32, options: std::ffi::c_int) -> io::Result<sys::siginfo_t> {
    // SAFETY: integers, for which all zeroes are a value.
    let mut seen: sys::siginfo_t = unsafe { std::mem::zeroed() };
    // SAFETY: `seen` is a place for one siginfo_t, which outlives the call.
    match unsafe { sys::waitid(sys::P_PID, pid, &raw mut seen, options) } {
        0 => Ok(seen),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    use super::{has_ended, io, process, sys, wait_for};

    /// Children that are no strays: workers, and processes that the program had started before the first
    /// worker. `None` until then.
    static KNOWN: Mutex<Option<Vec<sys::pid_t>>> = Mutex::new(None);

    /// Variable of workers, inherited by the processes that they start: the id of the process that
    /// started the worker, after those of the processes that this one is a worker of, as what steps ops is one of a
    /// bench program. When it is killed, its own strays become children of that.
    const STARTED_BY: &str = "TOURBILLON_STARTED_BY";

    /// Bytes of the longest value that is continued: workers of workers are few.
    const LONGEST: usize = 100;

    /// Rounds of looking for strays: each stray that is ended may leave children of its own. All of them,
    /// some 5 s, are for a busy machine, on which a program is executed, or a killed process ends, late.
    const ROUNDS: u32 = 5_000;
    /// Pause between two rounds, for killed processes to end.
    const PAUSE: Duration = Duration::from_millis(1);

    /// Marks the processes of a command as started by a worker of this process.
    pub(crate) fn mark(command: &mut process::Command) {
        let above = std::env::var(STARTED_BY).unwrap_or_default();
        command.env(STARTED_BY, marks(&above, process::id()));
    }

    /// The value for workers of a process that was given one.
    fn marks(above: &str, own: u32) -> String {
        let is_list = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b',')
        };
        if above.is_empty() || above.len() > LONGEST || !is_list(above) {
            own.to_string()
        } else {
            format!("{above},{own}")
        }
    }

    /// Whether a worker of this process started a process. Others, such as a server that a build left
    /// running, are not ended. `None` while the process is between two programs, when the kernel shows
    /// no variables.
    fn is_marked(child: sys::pid_t) -> Option<bool> {
        let environment = std::fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
        if environment.is_empty() {
            return has_no_variables(child).then_some(false);
        }
        let own = process::id().to_string();
        let mut variables = environment.split(|byte| *byte == 0);
        Some(variables.any(|variable| {
            let rest = variable.strip_prefix(STARTED_BY.as_bytes());
            let value = rest.and_then(|rest| rest.strip_prefix(b"="));
            let mut ids = value
                .into_iter()
                .flat_map(|value| value.split(|byte| *byte == b','));
            ids.any(|id| id == own.as_bytes())
        }))
    }

    /// Whether the program that a process executes was given no variables: their place in its memory, the
    /// 50th and 51st field of its `stat`, is known and empty.
    fn has_no_variables(child: sys::pid_t) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        // The second field, the name, may contain anything; the third follows the last parenthesis.
        let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
        let mut place = fields.split_ascii_whitespace().skip(50 - 3);
        match (place.next(), place.next()) {
            (Some(start), Some(end)) => start == end && end != "0",
            _ => false,
        }
    }

    fn known() -> MutexGuard<'static, Option<Vec<sys::pid_t>>> {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn started(
        spawn: impl FnOnce() -> io::Result<process::Child>,
    ) -> io::Result<process::Child> {
        let mut known = known();
        let known = known.get_or_insert_with(|| {
            // SAFETY: sets a flag in the kernel's description of this process. A kernel that refuses
            // leaves orphans to init, as elsewhere.
            unsafe { sys::prctl(sys::PR_SET_CHILD_SUBREAPER, 1) };
            children()
        });
        let child = spawn()?;
        known.push(child.id() as sys::pid_t);
        Ok(child)
    }

    pub(crate) fn end_those_of(worker: u32) -> u32 {
        let worker = worker as sys::pid_t;
        let mut known = known();
        let Some(known) = &mut *known else {
            return 0;
        };
        known.retain(|process| *process != worker);
        let own = group(0);
        let mut left: Vec<sys::pid_t> = Vec::new();
        for _ in 0..ROUNDS {
            let mut is_over = true;
            for child in children() {
                let group = group(child);
                // Other processes of this program are in its own group. Those of another living worker
                // are ended with that worker.
                if group < 0 || group == own || known.contains(&child) || known.contains(&group) {
                    continue;
                }
                let has_left = !has_ended(child as u32).unwrap_or(true) && group != worker;
                // One that got the signal, but has not ended yet, may show no variables any more.
                if has_left && !left.contains(&child) {
                    let is_marked = is_marked(child);
                    if is_marked != Some(true) {
                        // One that executes its program just now is looked at again.
                        is_over &= is_marked.is_some();
                        continue;
                    }
                    left.push(child);
                }
                is_over = false;
                // SAFETY: no memory is involved; the child has not been waited for, so its id cannot
                // have been reused.
                unsafe { sys::kill(child, sys::SIGKILL) };
                // A child that has not ended yet is waited for in the next round.
                let _ = wait_for(child as u32, sys::WEXITED | sys::WNOHANG);
            }
            if is_over {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        left.len() as u32
    }

    /// The process group of a process; that of this one for 0.
    fn group(process: sys::pid_t) -> sys::pid_t {
        // SAFETY: takes and returns integers.
        unsafe { sys::getpgid(process) }
    }

    /// The children of this process; empty where the kernel does not list them.
    fn children() -> Vec<sys::pid_t> {
        let mut children = Vec::new();
        for thread in std::fs::read_dir("/proc/self/task")
            .into_iter()
            .flatten()
            .flatten()
        {
            let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            children.extend(
                list.split_ascii_whitespace()
                    .flat_map(str::parse::<sys::pid_t>),
            );
        }
        children
    }

    #[cfg(test)]
    mod tests {
        use super::marks;

        #[test]
        fn a_worker_of_a_worker_has_the_marks_of_both() {
            let long = "1,".repeat(51);
            for (above, expected) in [
                ("", "7"),
                ("12", "12,7"),
                ("12,345", "12,345,7"),
                ("x", "7"),
                (long.as_str(), "7"),
            ] {
                assert_eq!(marks(above, 7), expected, "{above}");
            }
        }
    }
}
