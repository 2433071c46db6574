//! The ways in which a body is repeated.

mod awaited;
mod calls;
mod counted;
mod iterate;
mod moving;
mod rendezvous;
mod stream;
mod threads;
mod windows;

pub use awaited::{Awaited, BlockOn, Executor};
pub use calls::Single;
pub(crate) use counted::residual;
pub use counted::{Control, Controlled, Counted};
pub use iterate::{Chained, Iterated};
pub(crate) use iterate::{empty_body, fenced_empty_body};
pub use moving::moving;
pub use stream::Streamed;
pub use threads::on_threads;
pub use windows::{Kept, Prepared, Restored};
