//! The guardian of a program on Linux.
//!
//! It is made between the copy of this process and the program that this becomes: of the copy, a second copy is made,
//! which becomes the program. In both, only calls of the system are made and nothing is allocated: other threads of the
//! process may have held locks when it was copied.

use std::ffi::{CStr, c_int, c_long, c_uint};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::{self, Child, Command};
use std::ptr;

use libc::{pid_t, sigset_t};

use crate::tie::end_with;

/// Has a guardian end the program and all that it has started. The kernel sends it when this process has ended, and a
/// terminal does that ends all.
const END_ALL: c_int = libc::SIGQUIT;

/// The children of the only thread of a guardian.
const CHILDREN: &CStr = c"/proc/thread-self/children";

/// Bytes of their list that are read at once; the others are read when these have ended.
const LIST: usize = 1 << 12;

/// Nanoseconds until those that were ended are looked for again.
const PAUSE_NS: c_long = 10_000_000;

/// Descriptors that are closed one by one where the system cannot close all at once, before Linux 5.9.
const MOST_DESCRIPTORS: c_int = 1 << 16;

/// Has a guardian be between this process and a program.
pub(super) fn interpose(command: &mut Command) {
    let parent = process::id().cast_signed();
    // SAFETY: see above.
    unsafe { command.pre_exec(move || divide(parent)) };
}

/// Ends a program and all that it has started.
pub(super) fn end_by_guardian(guardian: &mut Child) -> io::Result<()> {
    if guardian.try_wait()?.is_some() {
        return Ok(());
    }
    // SAFETY: no memory is involved; the process has not been waited for, so that its id cannot have been reused.
    match unsafe { libc::kill(guardian.id().cast_signed(), END_ALL) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The processes that a process has started, and those that these have, each before its own.
pub(super) fn started_by(process: u32) -> Vec<pid_t> {
    let mut all = Vec::new();
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    for thread in threads.into_iter().flatten().flatten() {
        let listed = std::fs::read_to_string(thread.path().join("children"));
        let listed = listed.unwrap_or_default();
        for child in listed.split_ascii_whitespace() {
            if let Ok(child) = child.parse::<u32>() {
                all.extend(pid_t::try_from(child));
                all.extend(started_by(child));
            }
        }
    }
    all
}

/// Makes a copy of the process, and returns in the copy, which becomes the program; this one becomes its guardian.
fn divide(parent: pid_t) -> io::Result<()> {
    // SAFETY: calls of the system with numbers, and with sets of signals for which there is room.
    unsafe {
        let mut every = MaybeUninit::<sigset_t>::uninit();
        let mut before = MaybeUninit::<sigset_t>::uninit();
        libc::sigfillset(every.as_mut_ptr());
        // The handlers are those of this process, whose memory is another one.
        libc::sigprocmask(libc::SIG_BLOCK, every.as_ptr(), before.as_mut_ptr());
        end_with(parent, END_ALL)?;
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        let guardian = libc::getpid();
        match libc::fork() {
            0 => {
                end_with(guardian, libc::SIGKILL)?;
                libc::sigprocmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
                Ok(())
            }
            program if program > 0 => guard(program),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Waits for the end of a program and ends like it, or ends it and all that it has started.
fn guard(program: pid_t) -> ! {
    close_all();
    // SAFETY: as above.
    unsafe {
        let mut awaited = MaybeUninit::<sigset_t>::uninit();
        libc::sigemptyset(awaited.as_mut_ptr());
        for signal in [libc::SIGCHLD, libc::SIGTERM, END_ALL] {
            // This process may ignore it.
            libc::signal(signal, libc::SIG_DFL);
            libc::sigaddset(awaited.as_mut_ptr(), signal);
        }
        loop {
            if let Some(status) = reap(program) {
                end_like(status);
            }
            match libc::sigwaitinfo(awaited.as_ptr(), ptr::null_mut()) {
                libc::SIGTERM => {
                    libc::kill(program, libc::SIGTERM);
                }
                END_ALL => end_all(program),
                _ => {}
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

/// Ends the children, and those that become children of this process when theirs end.
fn end_all(program: pid_t) -> ! {
    // SAFETY: calls of the system with numbers.
    unsafe {
        libc::kill(program, libc::SIGKILL);
        loop {
            reap(program);
            if end_children() == 0 {
                end_like(libc::SIGKILL);
            }
            let pause = libc::timespec {
                tv_sec: 0,
                tv_nsec: PAUSE_NS,
            };
            let mut ends = MaybeUninit::<sigset_t>::uninit();
            libc::sigemptyset(ends.as_mut_ptr());
            libc::sigaddset(ends.as_mut_ptr(), libc::SIGCHLD);
            libc::sigtimedwait(ends.as_ptr(), ptr::null_mut(), &raw const pause);
        }
    }
}

/// Ends the children of the session of this process; gives how many there are.
fn end_children() -> usize {
    let mut list = [0_u8; LIST];
    // SAFETY: calls of the system with a text that ends, numbers, and a list of this length.
    let length = unsafe {
        let file = libc::open(CHILDREN.as_ptr(), libc::O_RDONLY);
        let length = libc::read(file, list.as_mut_ptr().cast(), LIST);
        libc::close(file);
        usize::try_from(length).unwrap_or(0)
    };
    let mut count = 0;
    let mut child: pid_t = 0;
    for byte in &list[..length] {
        match byte {
            b'0'..=b'9' => {
                child = child
                    .wrapping_mul(10)
                    .wrapping_add(pid_t::from(byte - b'0'))
            }
            _ => {
                // SAFETY: no memory is involved; it has not been waited for, so that its id cannot have been reused.
                unsafe {
                    if child > 1 && libc::getsid(child) == libc::getsid(0) {
                        libc::kill(child, libc::SIGKILL);
                        count += 1;
                    }
                }
                child = 0;
            }
        }
    }
    count
}

/// Ends as a process did.
fn end_like(status: c_int) -> ! {
    // SAFETY: calls of the system with numbers, and with a set of signals for which there is room.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            // It has written its own image if it may.
            let none = libc::rlimit {
                rlim_cur: 0,
                rlim_max: 0,
            };
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
            libc::signal(signal, libc::SIG_DFL);
            let mut own = MaybeUninit::<sigset_t>::uninit();
            libc::sigemptyset(own.as_mut_ptr());
            libc::sigaddset(own.as_mut_ptr(), signal);
            libc::kill(libc::getpid(), signal);
            libc::sigprocmask(libc::SIG_UNBLOCK, own.as_ptr(), ptr::null_mut());
        }
        libc::_exit(libc::WEXITSTATUS(status))
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
