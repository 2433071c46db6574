//! One thing timed in one line, in any program: no harness, no attribute.

mod forms;
mod timer;
mod timing;

pub use forms::{
    time, time_controlled, time_fixed, time_fixed_controlled, time_n, time_n_controlled,
};
pub use timer::Timer;
pub use timing::Timing;
