//! A measurement that goes on, and what it is made of.

use tourbillon_analysis::Frequency;
use tourbillon_record::{Fault, Rounds};
use tourbillon_stats::Rng;

use super::limits::Limits;
use super::progress::Word;
use crate::arms::Arm;
use crate::runner::Execute;
use crate::wire::{End, Job};

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) rounds: Rounds,
    /// What ended it early.
    pub(crate) fault: Option<Fault>,
    pub(crate) exit_code: u8,
    /// Whether each command left processes behind that still ran.
    pub(crate) left_processes: Vec<bool>,
    /// Processes of each command that exited with a code other than 0.
    pub(crate) failed: Vec<u64>,
    /// The processes of an empty program, as those of a single command; or why there are none.
    pub(crate) empty: Result<Rounds, String>,
}

/// The commands, and what their start alone takes.
#[derive(Debug)]
pub(crate) struct Subjects<'s> {
    pub(crate) arms: &'s [Arm],
    /// A program that does nothing, started in the same way; or why there is none.
    pub(crate) empty: Result<Job, String>,
}

/// Why a measurement ends before its time.
pub(super) enum Stopped {
    Interrupted,
    /// With the exit code.
    Fault(Box<Fault>, u8),
}

/// A measurement that goes on.
pub(super) struct Measurement<'m> {
    pub(super) arms: &'m [Arm],
    pub(super) empty: Option<Job>,
    pub(super) limits: &'m Limits,
    pub(super) frequency: Frequency,
    pub(super) execute: &'m mut dyn Execute,
    pub(super) rng: Rng,
    pub(super) found: Measured,
    pub(super) say: &'m mut dyn FnMut(Word<'_>),
    /// When it last reported how far it is.
    pub(super) shown_ns: u64,
    /// Nanoseconds of the runs, with what runs before and after each.
    pub(super) spent_ns: u64,
    /// Those of each command.
    pub(super) of_arms: Vec<ArmTime>,
    /// What the rounds took that are over, and how many there are.
    pub(super) rounds_ns: u64,
    pub(super) rounds: u64,
    /// The commands besides the reference that are still measured.
    pub(super) measured: Vec<usize>,
    /// Whether other programs took all processors after the round before; `None` before the first.
    pub(super) was_contended: Option<bool>,
}

/// Nanoseconds that a command has had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ArmTime {
    pub(super) runs_ns: u64,
    /// Before and after its runs.
    pub(super) others_ns: u64,
}

/// The exit code of a process, as shells give it: 128 and its number for a signal.
pub(crate) fn exit_code(end: End) -> i32 {
    match end {
        End::Code(code) => code,
        End::Signal(signal) => 128 + signal,
        // SIGTERM
        End::TimedOut => 143,
    }
}
