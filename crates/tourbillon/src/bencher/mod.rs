//! What a benchmark gets: it describes itself, then passes its body on.

// The terminals first: this is the order in which the documentation shows them.
mod terminal;

mod metric;
mod modifiers;
mod prepared;
mod threads;

pub use metric::{Amount, Metric};
pub use modifiers::{Bytes, Items};
pub use prepared::{Resettable, WithInputs, WithState, WithStream};
pub use terminal::Bencher;
