//! The functions that the `bench` attribute registered, as a collection of cases.
//!
//! The attribute leaves one static [`Entry`] for each function, and a constructor that puts it into
//! a list before `main`. Nothing else happens there: values are evaluated, names are put together
//! and mistakes are looked for when somebody asks [`Registered`].

mod cases;
mod entry;
mod geometric;
mod label;
mod list;
mod output;
mod parameter;
pub mod private;
mod problem;
mod registered;
mod settings;

use entry::Entry;
pub(crate) use entry::Origin;
pub use geometric::{Geometric, Integer, doubling, geometric};
pub(crate) use registered::Registered;
