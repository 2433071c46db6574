//! The guardian of a program on Linux.
//!
//! It is made between the copy of this process and the program that this becomes: of the copy, a second copy is made,
//! which becomes the program. In both, only calls of the system are made and nothing is allocated: other threads of the
//! process may have held locks when it was copied.

use std::ffi::{CStr, c_int, c_long, c_uint};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::ptr;

use libc::{pid_t, sigset_t};

use crate::tie::end_with;

/// Has a guardian ask the program to end. A signal to all processes of a group has reached the program, for which a
/// second one is the end at once; one that terminals and batch systems send is therefore none of a guardian.
pub(super) const ASK: c_int = libc::SIGURG;

/// Has a guardian end the program and all that it has started. The kernel sends it when this process has ended, and a
/// terminal does that ends all.
pub(super) const END_ALL: c_int = libc::SIGQUIT;

/// What a guardian waits for.
const AWAITED: [c_int; 3] = [libc::SIGCHLD, ASK, END_ALL];

/// Its name in lists of processes: what ends this program by its name (`killall -9`) does not end its guardians.
const NAME: &CStr = c"guardian";

/// The children of the only thread of a guardian.
const CHILDREN: &CStr = c"/proc/thread-self/children";

/// Bytes of their list that are read at once; the others are read when these have ended.
const LIST: usize = 1 << 12;

/// Time until those that were to end are looked for again.
const PAUSE: libc::timespec = libc::timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};

/// How often they are asked to end before they are ended by force, a second or less: compilers remove their temporary
/// files.
const REQUESTS: u32 = 100;

/// Descriptors that are closed one by one where the system cannot close all at once, before Linux 5.9.
const MOST_DESCRIPTORS: c_int = 1 << 16;

/// Has a guardian be between this process and a program.
pub(super) fn interpose(command: &mut Command) {
    let parent = process::id().cast_signed();
    // SAFETY: see above.
    unsafe { command.pre_exec(move || divide(parent)) };
}

/// Makes a copy of the process, and returns in the copy, which becomes the program; this one becomes its guardian.
fn divide(parent: pid_t) -> io::Result<()> {
    let (mut every, mut before) = (set_of(&[]), set_of(&[]));
    // SAFETY: calls of the system with numbers, and with sets of signals.
    unsafe {
        libc::sigfillset(&raw mut every);
        // The handlers are those of this process, whose memory is another one.
        libc::sigprocmask(libc::SIG_BLOCK, &raw const every, &raw mut before);
        end_with(parent, END_ALL)?;
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        let guardian = libc::getpid();
        // The function of the C library takes locks, and calls what libraries have do at a fork.
        let (flags, none) = (c_long::from(libc::SIGCHLD), c_long::from(0));
        match libc::syscall(libc::SYS_clone, flags, none, none, none, none) {
            0 => {
                end_with(guardian, libc::SIGKILL)?;
                libc::sigprocmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
                Ok(())
            }
            program if program > 0 => guard(program as pid_t),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Waits for the end of a program and ends like it. Where a signal has ended the program, or this process is to end all,
/// what the program has started ends first.
fn guard(program: pid_t) -> ! {
    let awaited = set_of(&AWAITED);
    let mut requests = 0..REQUESTS;
    let mut ends_all = false;
    let mut ended = None;
    // SAFETY: calls of the system with numbers, and with texts, sets and times that live.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        close_all();
        for signal in AWAITED {
            // This process may ignore it.
            libc::signal(signal, libc::SIG_DFL);
        }
        loop {
            ended = reap(program).or(ended);
            let mut timeout: *const libc::timespec = ptr::null();
            if let Some(status) = ended {
                ends_all |= libc::WIFSIGNALED(status);
                let signal = requests.next().map_or(libc::SIGKILL, |_| libc::SIGTERM);
                if !ends_all || signal_children(signal) == 0 {
                    end_like(status);
                }
                timeout = &PAUSE;
            }
            match libc::sigtimedwait(&raw const awaited, ptr::null_mut(), timeout) {
                END_ALL => (ends_all, requests) = (true, 0..0),
                ASK => {}
                _ => continue,
            }
            if ended.is_none() {
                let signal = if ends_all {
                    libc::SIGKILL
                } else {
                    libc::SIGTERM
                };
                libc::kill(program, signal);
            }
        }
    }
}

/// Waits for all children that have ended; gives how the program did, if it is among them.
fn reap(program: pid_t) -> Option<c_int> {
    let mut found = None;
    let mut status = 0;
    loop {
        // SAFETY: there is room for what the call writes.
        match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
            ended if ended == program => found = Some(status),
            ended if ended > 0 => {}
            _ => return found,
        }
    }
}

/// Sends a signal to the children of the session of this process, among which are those of children that have ended;
/// gives how many there are.
fn signal_children(signal: c_int) -> usize {
    let mut list = [0_u8; LIST];
    // SAFETY: calls of the system with a text that ends, numbers, and a list of this length.
    let length = unsafe {
        let file = libc::open(CHILDREN.as_ptr(), libc::O_RDONLY);
        let length = libc::read(file, list.as_mut_ptr().cast(), LIST);
        libc::close(file);
        usize::try_from(length).unwrap_or(0)
    };
    let (mut count, mut child) = (0, 0);
    for byte in &list[..length] {
        if byte.is_ascii_digit() {
            child = 10 * child + pid_t::from(byte - b'0');
            continue;
        }
        // SAFETY: no memory is involved; it has not been waited for, so that its id cannot have been reused.
        unsafe {
            let is_own = child > 1 && libc::getsid(child) == libc::getsid(0);
            // One of another user, as sudo starts, goes on.
            if is_own && libc::kill(child, signal) == 0 {
                count += 1;
            }
        }
        child = 0;
    }
    count
}

/// Ends as a process did.
fn end_like(status: c_int) -> ! {
    // SAFETY: calls of the system with numbers, and with a set of signals.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            // It has written its own image if it may.
            libc::prctl(libc::PR_SET_DUMPABLE, 0);
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
            libc::sigprocmask(libc::SIG_UNBLOCK, &set_of(&[signal]), ptr::null_mut());
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

/// A set of signals.
fn set_of(signals: &[c_int]) -> sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the first call makes a set of the memory.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), *signal);
        }
        set.assume_init()
    }
}

/// Closes all descriptors: others wait for the end of pipes, and for locks.
fn close_all() {
    // SAFETY: nothing of this process is used after this that has a descriptor.
    unsafe {
        let done = libc::syscall(libc::SYS_close_range, 0, c_uint::MAX, 0);
        if done != 0 {
            for descriptor in 0..MOST_DESCRIPTORS {
                libc::close(descriptor);
            }
        }
    }
}
