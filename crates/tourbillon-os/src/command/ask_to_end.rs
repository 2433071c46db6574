//! The end of processes that is asked for.

use std::io;
use std::process::Child;

/// Asks a process and those that it started to end; the others where the system lists them, on Linux.
///
/// # Errors
/// If the system refuses.
pub fn ask_all_to_end(child: &mut Child) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    let started = started_by(child.id());
    // It first, or it would say of each of the others that it failed.
    ask_to_end(child)?;
    #[cfg(target_os = "linux")]
    for process in started {
        // SAFETY: no memory is involved. The id was that of a running process a moment ago.
        unsafe { libc::kill(process, libc::SIGTERM) };
    }
    Ok(())
}

/// The processes that a process has started, and those that these have.
#[cfg(target_os = "linux")]
fn started_by(process: u32) -> Vec<libc::pid_t> {
    let mut all = Vec::new();
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    for thread in threads.into_iter().flatten().flatten() {
        let listed = std::fs::read_to_string(thread.path().join("children"));
        let listed = listed.unwrap_or_default();
        for child in listed.split_ascii_whitespace() {
            if let Ok(child) = child.parse::<u32>() {
                all.extend(libc::pid_t::try_from(child));
                all.extend(started_by(child));
            }
        }
    }
    all
}

/// Asks a process to end, as SIGTERM does. Harmless if it has ended.
///
/// # Errors
/// If the system refuses.
pub fn ask_to_end(child: &mut Child) -> io::Result<()> {
    if child.try_wait()?.is_some() {
        return Ok(());
    }
    #[cfg(unix)]
    if let Ok(process) = libc::pid_t::try_from(child.id()) {
        // SAFETY: no memory is involved; the process has not been waited for, so that its id cannot have been reused.
        unsafe { libc::kill(process, libc::SIGTERM) };
    }
    #[cfg(not(unix))]
    child.kill()?;
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn processes_of_a_process_end_with_it() {
        let script = "sleep 1000 & sh -c 'sleep 1000; :'; :";
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", script]).stdout(Stdio::null());
        let mut shell = shell.spawn().expect("sh starts");
        let mut tries = 0..1_000;
        let started = tries.find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            Some(started_by(shell.id())).filter(|started| started.len() == 3)
        });
        let started = started.expect("two children and one of theirs");
        ask_all_to_end(&mut shell).expect("asked");
        shell.wait().expect("it ends");
        for process in started {
            let mut tries = 0..1_000;
            let has_ended = tries.any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(10));
                let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
                stat.map_or(true, |stat| stat.contains(") Z "))
            });
            assert!(has_ended, "{process}");
        }
    }
}
