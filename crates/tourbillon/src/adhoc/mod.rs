//! One thing timed, or two compared, in one line, in any program: no harness, no attribute.

mod compare;
mod in_process;
mod plan;
mod time;
mod timer;
mod timing;

pub use compare::{Comparer, Comparison, compare};
pub use in_process::{InProcess, measure_in_process};
pub use time::{
    time, time_controlled, time_fixed, time_fixed_controlled, time_n, time_n_controlled,
};
pub use timer::Timer;
pub use timing::Timing;
