//! An arm: a body together with the way in which it is repeated.

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::Measured;
use tourbillon_record::{Metric, Team, Throughput};
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

    /// Runs a batch of `ops` iterations, each of which begins when the one before is over, if `fenced`.
    /// `None` for bodies whose calls wait for each other anyway, or that cannot be run so.
    fn apart(&mut self, _clock: &Clock, _ops: u64, _fenced: bool) -> Option<Ticks> {
        None
    }

    /// Runs one iteration as the first one of the process and checks what it returned.
    ///
    /// # Errors
    ///
    /// What the body returned, when that says that it failed.
    fn first(&mut self, clock: &Clock) -> Result<Reading, String> {
        Ok(self.batch(clock, Stretch::one(1)))
    }

    /// Ticks that the batch before, or the first call, was at work: what its length is judged by, for a
    /// body whose threads also wait for each other's start. `None` where all of it is work.
    fn work(&self) -> Option<u64> {
        None
    }

    /// What was noted of the threads of a body that has several, batch by batch since this was called
    /// the last time; before the first time nothing is. `None` for other bodies.
    fn team(&mut self) -> Option<Team> {
        None
    }

    /// What a batch of this arm may look like.
    fn limits(&self) -> Limits;

    /// Notes what the batch before came to as a sample, where that is measured.
    fn note(&mut self) {}

    /// What was noted, for the record; `None` where wall time is all that is measured.
    ///
    /// # Errors
    ///
    /// Why it is worth nothing.
    fn noted(&mut self) -> Result<Option<Box<Measured>>, String> {
        Ok(None)
    }

    /// Comes to lie elsewhere in memory, where `rng` says: an arm that cannot be moved stays.
    fn settle(&mut self, _rng: &mut Rng) {}
}

/// What is measured in place of wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measures {
    /// What it is.
    pub metric: Metric,
    /// Name and unit, for [`Metric::Own`] and nothing else.
    pub own: Option<(&'static str, &'static str)>,
    /// How far apart, in nanoseconds, the system looks whose time it is; `None` for amounts that are
    /// as good as the clock behind them. Batches are made as long as many of these.
    pub step_ns: Option<u64>,
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

impl Stretch {
    /// One window of single copies.
    pub(crate) fn one(items: u64) -> Stretch {
        Stretch {
            windows: 1,
            items,
            unroll: 1,
        }
    }
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
    /// What is measured; `None` for wall time.
    pub measures: Option<Measures>,
}

impl About {
    /// Whether the system looks only now and then whose time it is.
    pub(crate) fn is_sampled(&self) -> bool {
        matches!(
            self.measures,
            Some(Measures {
                step_ns: Some(_),
                ..
            })
        )
    }

    /// Why a case of that name cannot be compared batch by batch; `None` where it can be.
    #[inline(never)]
    pub(crate) fn not_comparable(&self, name: &str) -> Option<String> {
        let why = match (self.isolated, self.measures) {
            (true, _) => "isolated, each call in a process of its own; take `isolated()` away",
            (_, Some(_)) => "not measured in wall time; `show` puts records of it side by side",
            _ => return None,
        };
        let mut text = "`".to_owned();
        text.push_str(name);
        text.push_str("` cannot be compared batch by batch: it is ");
        text.push_str(why);
        Some(text)
    }
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
