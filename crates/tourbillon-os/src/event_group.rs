//! Events of another process that the kernel counts (perf_event_open(2)), all of a group at once: on Linux on x86-64
//! alone.

use std::ffi::{c_int, c_long};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd};

use crate::sys;

const PERF_EVENT_OPEN: c_long = 298;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: c_long = 8;
/// Bits of the flags of an event: inherited by threads and processes that start later, without the hypervisor.
const FLAGS: u64 = 1 << 1 | 1 << 6;
/// Without the kernel's own code.
const USER_ALONE: u64 = 1 << 5;
/// Readings have the time for which an event was enabled, and that for which it had a counter.
const TIMES: u64 = 1 | 2;

/// An event of `linux/perf_event.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfEvent {
    /// 0 for those of the processor, 1 for those of the kernel.
    pub kind: u32,
    /// The number among those.
    pub number: u64,
    /// Whether it counts in the kernel, too.
    pub in_kernel: bool,
}

/// A reading of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventReading {
    /// How often it came.
    pub count: u64,
    /// Nanoseconds for which the process ran.
    pub enabled_ns: u64,
    /// Those of them in which the event had a counter.
    pub counted_ns: u64,
}

/// Events that have counters all at once, or none of them.
#[derive(Debug)]
pub struct EventGroup(Vec<File>);

impl EventGroup {
    /// Counts events of a process, of its threads to come and of processes that it starts, from now on.
    ///
    /// # Errors
    /// If the machine or the kernel does not count one of them for this user, or if they have no room in the counters of
    /// the processor together (`EINVAL`).
    pub fn open(pid: u32, events: &[PerfEvent]) -> io::Result<EventGroup> {
        let mut group: Vec<File> = Vec::new();
        for event in events {
            let leader = group.first().map_or(-1, AsRawFd::as_raw_fd);
            group.push(open(pid, leader, *event)?);
        }
        Ok(EventGroup(group))
    }

    /// A reading of each event.
    ///
    /// # Errors
    /// If the kernel gives none.
    pub fn read(&mut self) -> io::Result<Vec<EventReading>> {
        let reading = |file: &mut File| {
            let mut bytes = [0; 24];
            file.read_exact(&mut bytes)?;
            let (words, _) = bytes.as_chunks();
            let [count, enabled_ns, counted_ns] = [0, 1, 2].map(|at| u64::from_ne_bytes(words[at]));
            Ok(EventReading {
                count,
                enabled_ns,
                counted_ns,
            })
        };
        self.0.iter_mut().map(reading).collect()
    }
}

fn open(pid: u32, leader: c_int, event: PerfEvent) -> io::Result<File> {
    let own = if event.in_kernel { 0 } else { USER_ALONE };
    // `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`, in words of eight bytes.
    let mut attributes = [
        u64::from(event.kind),
        event.number,
        0,
        0,
        TIMES,
        FLAGS | own,
        0,
        0,
    ];
    attributes[0] |= (size_of_val(&attributes) as u64) << 32;
    // SAFETY: the attributes contain their own size and live for the call; on any processor (-1).
    let descriptor = unsafe {
        let (pid, attributes) = (c_long::from(pid), attributes.as_ptr());
        sys::syscall(PERF_EVENT_OPEN, attributes, pid, -1, leader, CLOSE_ON_EXEC)
    };
    match c_int::try_from(descriptor) {
        // SAFETY: a new descriptor that has no other owner.
        Ok(descriptor @ 0..) => Ok(unsafe { File::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_systems() {
        assert_eq!(PERF_EVENT_OPEN, libc::SYS_perf_event_open);
    }

    #[test]
    fn new_pages_of_a_process_are_counted() {
        // Faults without a read from a disk.
        let faults = PerfEvent {
            kind: 1,
            number: 5,
            in_kernel: false,
        };
        // SAFETY: it has no preconditions.
        let thread = unsafe { libc::gettid() };
        let mut group = match EventGroup::open(thread as u32, &[faults]) {
            Ok(group) => group,
            // Containers may forbid all events.
            Err(error) => {
                let forbidden = [Some(libc::EACCES), Some(libc::EPERM), Some(libc::ENOSYS)];
                return assert!(forbidden.contains(&error.raw_os_error()), "{error}");
            }
        };
        let mut read = || group.read().expect("a reading")[0];
        // Pages of 2 MiB may be as few as eight.
        let touch = || {
            let mut block = vec![0_u8; 1 << 24];
            block.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            std::hint::black_box(&block);
        };
        let before = read();
        touch();
        let own = read();
        assert!(own.count >= before.count + 8, "{before:?} {own:?}");
        std::thread::spawn(touch).join().expect("it ends");
        let all = read();
        assert!(all.count >= own.count + 8, "{own:?} {all:?}");
        assert_eq!(all.enabled_ns, all.counted_ns);
    }
}
