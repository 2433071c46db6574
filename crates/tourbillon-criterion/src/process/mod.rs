//! What a process of a suite does: it coordinates, finds out which benchmarks there are, measures one of them, or
//! runs all of them without processes.

mod coordinator;
mod discovered;
mod discoverer;
mod here;
mod live;
mod loaded;
mod registration;
mod role;
mod session;
mod shared_worker;
mod shown;
mod worker;

pub(crate) use registration::Offer;
pub use session::main;
pub(crate) use session::{begin, finish, offer, target};
pub(crate) use tourbillon_report::criterion::Named;
