//! A process that this one follows instruction by instruction, by ptrace(2): on Linux on x86-64 alone.

use std::ffi::c_long;
use std::io;

use crate::mark::{MARK, Mark};
use crate::sys;

const PTRACE: c_long = 101;
const WAITID: c_long = 247;
const PEEK: c_long = 1;
const POKE: c_long = 4;
const CONTINUE: c_long = 7;
const SINGLE_STEP: c_long = 9;
const GET_REGISTERS: c_long = 12;
const SET_REGISTERS: c_long = 13;
const SEIZE: c_long = 0x4206;
/// The process ends with this one.
const OPTIONS: c_long = 0x10_0000;
/// Stops alone, not ends, of which the owner of the process learns.
const STOPS: c_long = 2 | 0x4000_0000;
/// The signal of a breakpoint and of a step.
pub const SIGTRAP: i32 = 5;

/// A process that stops at each signal, until it ends.
///
/// All calls come from the thread that seized it; all but [`Tracee::stop`] need a process that has stopped.
#[derive(Debug)]
pub struct Tracee {
    pid: c_long,
}

/// Why a process has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A signal, which it gets when it goes on with that.
    Signal(i32),
    /// A step of job control: it just goes on.
    Other,
    /// It has ended.
    End,
}

/// The registers of a process: `user_regs_struct` of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u64; 27]);

impl Registers {
    /// Address of the next instruction.
    pub fn instruction(&self) -> u64 {
        self.0[16]
    }

    /// Address of the top of the stack.
    pub fn stack(&self) -> u64 {
        self.0[19]
    }

    /// The number of the call, before an instruction that calls the system, and its first argument.
    pub fn call(&self) -> (u64, u64) {
        (self.0[10], self.0[14])
    }

    /// What [`mark`](crate::mark()) was called with, after its instruction.
    pub fn marked(&self) -> Option<(Mark, u64)> {
        let kinds = [
            Mark::Begin,
            Mark::End,
            Mark::Empty,
            Mark::Ops,
            Mark::OpsPerIteration,
            Mark::Over,
        ];
        let kind = kinds.into_iter().find(|kind| *kind as u64 == self.0[14]);
        Some((kind?, self.0[13])).filter(|_| self.0[10] == MARK)
    }
}

impl Tracee {
    /// Follows a process from now on. It is not stopped.
    ///
    /// # Errors
    /// If the system forbids it.
    pub fn seize(pid: u32) -> io::Result<Tracee> {
        let tracee = Tracee { pid: pid.into() };
        tracee.request(SEIZE, 0, OPTIONS)?;
        Ok(tracee)
    }

    /// Has it go on, with a signal unless that is 0.
    ///
    /// # Errors
    /// If it is gone.
    pub fn resume(&self, signal: i32) -> io::Result<()> {
        self.request(CONTINUE, 0, signal.into())
    }

    /// Has it execute one instruction.
    ///
    /// # Errors
    /// If it is gone.
    pub fn step(&self) -> io::Result<()> {
        self.request(SINGLE_STEP, 0, 0)
    }

    /// Its next stop; if it has not stopped yet, waits for it, or returns `None`.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn stop(&self, waits: bool) -> io::Result<Option<Stop>> {
        let mut seen = [0_i32; 32];
        let options = STOPS | if waits { 0 } else { sys::WNOHANG.into() };
        loop {
            // SAFETY: `seen` is a place for one siginfo_t, which outlives the call.
            let result = unsafe {
                let (kind, seen) = (c_long::from(sys::P_PID), seen.as_mut_ptr());
                sys::syscall(WAITID, kind, self.pid, seen, options, 0_usize)
            };
            if result == 0 {
                break;
            }
            let error = io::Error::last_os_error();
            match error.kind() {
                io::ErrorKind::Interrupted => {}
                // There is nothing left that could stop.
                _ if error.raw_os_error() == Some(ECHILD) => return Ok(Some(Stop::End)),
                _ => return Err(error),
            }
        }
        Ok(match (seen[0], seen[6] >> 8, seen[6] & 0xFF) {
            (0, ..) => None,
            (_, 0, signal) => Some(Stop::Signal(signal)),
            _ => Some(Stop::Other),
        })
    }

    /// Its registers.
    ///
    /// # Errors
    /// If it is gone.
    pub fn registers(&self) -> io::Result<Registers> {
        let mut registers = Registers::default();
        self.request(GET_REGISTERS, 0, (&raw mut registers.0).addr() as c_long)?;
        Ok(registers)
    }

    /// Moves it to another instruction.
    ///
    /// # Errors
    /// If it is gone.
    pub fn move_to(&self, mut registers: Registers, instruction: u64) -> io::Result<()> {
        registers.0[16] = instruction;
        self.request(SET_REGISTERS, 0, (&raw mut registers.0).addr() as c_long)
    }

    /// The eight bytes at an address of its memory.
    ///
    /// # Errors
    /// If it has no memory there.
    pub fn word(&self, address: u64) -> io::Result<u64> {
        let mut word = 0_u64;
        let place = (&raw mut word).addr() as c_long;
        self.request(PEEK, address as c_long, place)?;
        Ok(word)
    }

    /// Replaces the eight bytes at an address of its memory, code included.
    ///
    /// # Errors
    /// If it has no memory there.
    pub fn set_word(&self, address: u64, word: u64) -> io::Result<()> {
        self.request(POKE, address as c_long, word as c_long)
    }

    fn request(&self, request: c_long, address: c_long, data: c_long) -> io::Result<()> {
        // SAFETY: requests that write to this process get the address of a local of the size that they write.
        match unsafe { sys::syscall(PTRACE, request, self.pid, address, data) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

const ECHILD: i32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_systems() {
        assert_eq!((PTRACE, WAITID), (libc::SYS_ptrace, libc::SYS_waitid));
        let numbers = [
            PEEK,
            POKE,
            CONTINUE,
            SINGLE_STEP,
            GET_REGISTERS,
            SET_REGISTERS,
            SEIZE,
        ];
        let system = [
            libc::PTRACE_PEEKTEXT,
            libc::PTRACE_POKETEXT,
            libc::PTRACE_CONT,
            libc::PTRACE_SINGLESTEP,
            libc::PTRACE_GETREGS,
            libc::PTRACE_SETREGS,
            libc::PTRACE_SEIZE,
        ];
        assert_eq!(numbers, system.map(c_long::from));
        assert_eq!(OPTIONS, c_long::from(libc::PTRACE_O_EXITKILL));
        assert_eq!(STOPS, c_long::from(libc::WSTOPPED | libc::__WALL));
        assert_eq!((SIGTRAP, ECHILD), (libc::SIGTRAP, libc::ECHILD));
    }

    #[test]
    fn the_registers_are_where_the_system_has_them() {
        let word = |offset: usize| offset / 8;
        assert_eq!(size_of::<Registers>(), size_of::<libc::user_regs_struct>());
        for (index, offset) in [
            (16, std::mem::offset_of!(libc::user_regs_struct, rip)),
            (19, std::mem::offset_of!(libc::user_regs_struct, rsp)),
            (10, std::mem::offset_of!(libc::user_regs_struct, rax)),
            (14, std::mem::offset_of!(libc::user_regs_struct, rdi)),
            (13, std::mem::offset_of!(libc::user_regs_struct, rsi)),
        ] {
            assert_eq!(index, word(offset));
        }
    }
}
