//! The ways in which a body is repeated.

mod awaited_inputs;
mod calls;
mod empty;
mod futures;
mod iterate;
mod moving;
mod op_count;
mod own_timing;
mod rendezvous;
mod stream;
mod threads;
mod windows;

pub use awaited_inputs::{awaited_borrowing, awaited_consuming};
pub use calls::Single;
pub use empty::LoopKind;
pub use futures::{Awaited, BlockOn, Executor};
pub use iterate::{Chained, Iterated};
pub(crate) use iterate::{empty_body, fenced_empty_body};
pub use moving::moving;
pub(crate) use op_count::residual;
pub use op_count::{Control, Controlled, Counted};
pub use own_timing::SelfTimed;
pub use stream::Streamed;
pub use threads::on_threads;
pub use windows::{Kept, Prepared, Restored};
