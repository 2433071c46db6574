//! A body without an instruction, in each kind of loop: what the loop adds to others.

use std::mem::MaybeUninit;

use tourbillon_clock::Clock;

use crate::loops::{chain, iterate, one_by_one, stream, stream_keeping, window, window_keeping};

/// Kinds of loops. Inputs, outputs and items have eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// Calls alone.
    Calls,
    /// Each call gets the output of the one before.
    Chained,
    /// Each call is timed.
    Timed,
    /// Each call has an input; outputs are kept or not.
    Inputs {
        /// Whether they are.
        keeps: bool,
    },
    /// Outputs are kept.
    Outputs,
    /// Each call gets an item of a slice; outputs are kept or not.
    Items {
        /// Whether they are.
        keeps: bool,
    },
}

impl LoopKind {
    /// Runs the loop, some times at most 2, around a body without an instruction.
    pub(crate) fn run_empty(self, clock: &Clock, iterations: u64) {
        let count = iterations as usize;
        let (inputs, outputs) = (
            &mut [0_u64; 2][..count],
            &mut [MaybeUninit::<u64>::uninit(); 2][..count],
        );
        match self {
            LoopKind::Calls => iterate::<(), _, 1, false>(clock, &mut || (), iterations, false),
            LoopKind::Chained => chain::<u64, _, 1>(clock, &mut |last| last, 0, iterations),
            LoopKind::Timed => one_by_one(clock, &mut || (), inputs),
            LoopKind::Inputs { keeps: false } => {
                window::<u64, (), _, false>(clock, &mut |_| (), inputs, false)
            }
            LoopKind::Inputs { keeps: true } => {
                window_keeping::<u64, u64, _, false>(clock, &mut |_| 0, inputs, outputs, false)
            }
            LoopKind::Outputs => {
                let no_inputs = &mut [(); 2][..count];
                window_keeping::<(), u64, _, false>(clock, &mut |()| 0, no_inputs, outputs, false)
            }
            LoopKind::Items { keeps: false } => {
                stream::<u64, (), _>(clock, &mut |_| (), &[0; 4], &mut 0, count)
            }
            LoopKind::Items { keeps: true } => {
                stream_keeping::<u64, u64, _>(clock, &mut |_| 0, &[0; 4], &mut 0, outputs)
            }
        };
    }
}
