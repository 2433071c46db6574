//! What a benchmark gets: it describes itself, then passes its body on.

// The documentation shows the methods of the `Bencher` in this order.
mod terminal;

mod inputs;
mod threads;

mod calls;
mod metric;
mod modifiers;

pub use inputs::{Resettable, WithInputs, WithState, WithStream};
pub use metric::{Amount, Metric};
pub use modifiers::{Bytes, Items};
pub use terminal::Bencher;
