//! The ways in which a body is repeated.

mod awaited;
mod awaited_inputs;
mod calls;
mod counted;
mod iterate;
mod moving;
mod rendezvous;
mod self_timed;
mod stream;
mod threads;
mod windows;

pub use awaited::{Awaited, BlockOn, Executor};
pub use awaited_inputs::{awaited_borrowing, awaited_consuming};
pub use calls::Single;
pub(crate) use counted::residual;
pub use counted::{Control, Controlled, Counted};
pub use iterate::{Chained, Iterated};
pub(crate) use iterate::{empty_body, fenced_empty_body};
pub use moving::moving;
pub use self_timed::SelfTimed;
pub use stream::Streamed;
pub use threads::on_threads;
pub use windows::{Kept, Prepared, Restored};
