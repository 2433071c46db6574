//! Counters: time something with any source.
//!
//! States are types: [`Counter::start`] gives a [`Running`] counter, [`Running::stop`] a [`Period`]; a
//! [`Running`] counter may be stopped once per stage. The frequency of a source is looked up once, when a
//! period is first converted, and never if only ticks are used.
//!
//! | To time | use |
//! |---|---|
//! | a stretch of code, in stages | [`Counter`] |
//! | a block, whichever way it is left | [`Scope`] |
//! | work with breaks | [`Stopwatch`] |
//! | the time left until a limit | [`Deadline`] |
//! | user and kernel time together | [`CpuCounter`] |

mod counter;
mod cpu;
mod stopwatch;

pub use counter::{Backwards, Counter, Period, Running, Scope};
pub use cpu::{CpuCounter, CpuPeriod, CpuRunning};
pub use stopwatch::{Deadline, Stopwatch};
