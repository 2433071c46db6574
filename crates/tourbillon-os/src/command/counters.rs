//! Counters of the kernel and of the processor for commands, with everything that they start.
//!
//! The events belong to the thread that starts commands, and count nothing there. A process inherits them and counts
//! from the moment at which it becomes a program, as do all processes that it starts; the kernel adds what each has
//! counted to the events here when it ends.

use std::ffi::c_long;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::FromRawFd;

/// Type and number of events in `linux/perf_event.h`: cycles, instructions, accesses to the last level of caches and
/// those that missed, branches that were predicted wrongly, and page faults, which every machine counts.
const EVENTS: [[u64; 2]; 6] = [[0, 0], [0, 1], [0, 2], [0, 3], [0, 5], [1, 2]];

/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: c_long = 8;

/// Bits of the flags of an event: disabled, inherited, without the kernel, without the hypervisor, enabled by exec.
const FLAGS: u64 = 1 | 1 << 1 | 1 << 5 | 1 << 6 | 1 << 12;

/// Readings have the time for which an event was enabled, and that for which it had a counter.
const TIMES: u64 = 1 | 2;

/// Events that one command counts, without those of the kernel's own code.
#[derive(Debug)]
pub struct CommandCounters(Vec<File>);

impl CommandCounters {
    /// Opens events for the next command that this thread starts: cycles (0), instructions (1), accesses to the last level
    /// of caches (2) and those that missed (3), branches that were predicted wrongly (4), page faults (5). For one command
    /// alone: the kernel swaps the events of a process and of its child, and the next command would inherit those that
    /// exec has enabled already.
    ///
    /// # Errors
    /// If the machine or the kernel does not count one of them for this user.
    pub fn open(events: &[u8]) -> io::Result<CommandCounters> {
        let events = events
            .iter()
            .filter_map(|event| EVENTS.get(usize::from(*event)));
        let all = events.map(|event| open(*event));
        all.collect::<io::Result<_>>().map(CommandCounters)
    }

    /// What the command, which has ended, and all that it started have counted, in the order of the events.
    ///
    /// # Errors
    /// If the kernel gives no reading, or the processor had too few counters for all of the time.
    pub fn read(&mut self) -> io::Result<Vec<u64>> {
        let count = |file: &mut File| {
            let mut bytes = [0; 24];
            file.read_exact(&mut bytes)?;
            let (words, _) = bytes.as_chunks();
            let [count, enabled, counted] = [0, 1, 2].map(|at| u64::from_ne_bytes(words[at]));
            if enabled == counted {
                return Ok(count);
            }
            let why = "the processor has too few for all of these at once";
            Err(io::Error::other(why))
        };
        self.0.iter_mut().map(count).collect()
    }
}

fn open([kind, number]: [u64; 2]) -> io::Result<File> {
    // `struct perf_event_attr` up to `PERF_ATTR_SIZE_VER0`, in words of eight bytes.
    let mut attributes = [kind, number, 0, 0, TIMES, FLAGS, 0, 0];
    attributes[0] |= (size_of_val(&attributes) as u64) << 32;
    // SAFETY: the attributes contain their own size and live for the call: the calling thread (0) on any processor (-1),
    // no group (-1).
    let descriptor = unsafe {
        let (number, attributes) = (libc::SYS_perf_event_open, attributes.as_ptr());
        libc::syscall(number, attributes, 0, -1, -1, CLOSE_ON_EXEC)
    };
    match i32::try_from(descriptor) {
        // SAFETY: a new descriptor that has no other owner.
        Ok(descriptor @ 0..) => Ok(unsafe { File::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}
