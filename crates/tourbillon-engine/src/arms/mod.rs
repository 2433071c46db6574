//! The ways in which a body is repeated, one file each.
//!
//! Where outputs that need no drop have no use for a loop, the condition begins with a constant: such a loop is
//! not compiled at all. It would be one more caller of the body, and the compiler inlines the larger
//! ones by how many callers they have.

mod awaited;
mod chain;
mod controlled;
mod counted;
mod empty;
mod inputs;
mod iterate;
mod moving;
mod rendezvous;
mod state;
mod stream;
mod threads;

pub use awaited::{Awaited, BlockOn, Executor};
pub use chain::Chained;
pub(crate) use controlled::residual;
pub use controlled::{Control, Controlled};
pub use counted::Counted;
pub(crate) use empty::empty_body;
pub use inputs::Prepared;
pub use iterate::{Iterated, Kept};
pub use moving::moving;
pub use state::Restored;
pub use stream::Streamed;
pub use threads::on_threads;
