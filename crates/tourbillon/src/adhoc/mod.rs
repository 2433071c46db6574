//! One thing timed, or two compared, in one line, in any program: no harness, no attribute.

mod comparer;
mod comparison;
mod forms;
mod timer;
mod timing;

pub use comparer::{Comparer, compare};
pub use comparison::Comparison;
pub use forms::{
    time, time_controlled, time_fixed, time_fixed_controlled, time_n, time_n_controlled,
};
pub use timer::Timer;
pub use timing::Timing;
