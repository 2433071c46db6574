//! Sockets, pipes and event counters of a process: what it writes to them is no output, and the system counts it with
//! that to files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::OnceLock;

/// A descriptor, and what it leads to.
type Descriptor = (OsString, OsString);

/// The channels that were open when the worker began, such as those to its coordinator.
static EARLIER: OnceLock<BTreeSet<Descriptor>> = OnceLock::new();

/// Remembers the present channels as those that are not a benchmark's.
pub(crate) fn remember() {
    let _ = EARLIER.set(present().collect());
}

/// Whether there are others than those of [`remember`].
pub(crate) fn are_open() -> bool {
    let earlier = EARLIER.get();
    present().any(|one| earlier.is_none_or(|earlier| !earlier.contains(&one)))
}

fn present() -> impl Iterator<Item = Descriptor> {
    let descriptors = std::fs::read_dir("/proc/self/fd");
    let descriptors = descriptors.into_iter().flatten().flatten();
    descriptors.filter_map(|descriptor| {
        let target = std::fs::read_link(descriptor.path()).ok()?.into_os_string();
        is_channel(&target.to_string_lossy()).then(|| (descriptor.file_name(), target))
    })
}

/// By what the kernel writes in place of a path (proc_pid_fd(5)).
fn is_channel(target: &str) -> bool {
    let starts = [
        "socket:[",
        "pipe:[",
        "anon_inode:[eventfd",
        "anon_inode:[io_uring",
    ];
    starts.iter().any(|start| target.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_terminals_are_no_channels() {
        for target in [
            "socket:[4711]",
            "pipe:[4711]",
            "anon_inode:[eventfd]",
            "anon_inode:[io_uring]",
        ] {
            assert!(is_channel(target), "{target}");
        }
        for target in [
            "/dev/null",
            "/dev/pts/0",
            "/var/#4711 (deleted)",
            "/srv/socket:[1]",
            "anon_inode:[eventpoll]",
            "anon_inode:inotify",
        ] {
            assert!(!is_channel(target), "{target}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_socket_is_found_while_it_is_open() {
        use std::os::fd::AsRawFd as _;
        let (one, other) = std::os::unix::net::UnixStream::pair().unwrap();
        let number = OsString::from(one.as_raw_fd().to_string());
        let socket = present().find(|(name, _)| *name == number).unwrap();
        drop((one, other));
        // Its number may be another one's by now.
        assert!(present().all(|found| found != socket));
    }
}
