//! An arm: a body together with the way in which it is repeated.

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::Throughput;
use tourbillon_stats::Rng;

/// A body that can be run batch by batch.
///
/// The one call of [`Arm::batch`] per batch is the only dynamic dispatch on the way to the timed
/// loop. An arm borrows its body from the stack frame of the benchmark, so that several arms can be
/// alive at once and be driven in any order.
pub trait Arm {
    /// Runs one batch: `stretch.windows` times, prepares inputs, then times `stretch.items`
    /// iterations. A stretch of zero items times nothing: the fixed cost.
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading;

    /// Runs a batch on one item alone, for a body that otherwise gets one item after the other; `pick`
    /// decides which. `None` for other bodies.
    fn fixed_item(&mut self, _clock: &Clock, _stretch: Stretch, _pick: u64) -> Option<Reading> {
        None
    }

    /// Runs one iteration as the first one of the process and checks what it returned.
    ///
    /// # Errors
    ///
    /// What the body returned, when that says that it failed.
    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        Ok(self.batch(
            clock,
            Stretch {
                windows: 1,
                items: 1,
                unroll: 1,
            },
        ))
    }

    /// What a batch of this arm may look like.
    fn limits(&self) -> Limits;

    /// Comes to lie elsewhere in memory, where `rng` says: an arm that cannot be moved stays.
    fn settle(&mut self, _rng: &mut Rng) {}
}

/// The length of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Windows.
    pub windows: u64,
    /// Iterations in each window.
    pub items: u64,
    /// Copies of the body in the inner loop, 1 or 8; `items` is a multiple of it.
    pub unroll: u32,
}

/// What one batch read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Ticks inside the timed region, windows summed, pauses left out.
    pub ticks: Ticks,
    /// Pauses that were left out.
    pub pauses: u64,
}

/// What a batch of an arm may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that a window holds for each item, inputs and outputs together; `None` for an arm
    /// that needs no windows.
    pub window_bytes_per_item: Option<usize>,
    /// Whether the inner loop may hold eight copies of the body.
    pub unrolls: bool,
    /// Whether the body can pause the clock.
    pub pauses: bool,
}

/// What a benchmark said of itself on its `Bencher`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The terminal that was called, such as `iter` or `with_inputs.iter_mut`.
    pub terminal: &'static str,
    /// Whether the drop of outputs is inside the timed region.
    pub drop_inside: bool,
    /// Whether every iteration gets a process of its own: the first call is all that is measured.
    pub isolated: bool,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// What an op processes.
    pub throughput: Option<Throughput>,
}

/// What a benchmark hands its arm to.
///
/// The arm lives in the stack frame of the terminal that calls [`Drive::drive`]: a driver may run
/// it, or keep the reference while it calls the function of the next arm, and let the innermost
/// call drive all of them.
pub trait Drive {
    /// Takes one arm; returns when it is not needed any more.
    fn drive(&mut self, arm: &mut dyn Arm, about: About);
}
