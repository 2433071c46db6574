//! The functions that the `bench` attribute registered, as a collection of cases.
//!
//! The attribute leaves one static [`Entry`] for each function, and a constructor that puts it into
//! a list before `main`. Values are evaluated, names built and mistakes looked for when [`Registered`] is
//! used.

mod entry;
mod expansion;
mod functions;
mod geometric;
mod settings;

pub(crate) use entry::Origin;
pub(crate) use functions::Registered;
pub use functions::target_of;
pub use geometric::{Geometric, Integer, doubling, geometric};

/// What the code that the `bench` attribute generates refers to, and what tests of it use. Not part of the
/// API: it changes together with the attribute.
pub mod private {
    pub use tourbillon_engine::hide;
    pub use tourbillon_macros::compiler_flags;

    pub use super::entry::{Cases, Entry, Flow, Origin};
    pub use super::expansion::{
        BenchmarkEnd, CopiedValue, ErrorByDebug, ErrorByDisplay, ErrorUnshown, FirstParameter,
        Label, LabelByDebug, LabelByDisplay, LabelMissing, NoError, Output, bencher, copied, ended,
    };
    pub use super::functions::Registered;
    pub use super::settings::Settings;
    pub use crate::__register as register;
    pub use crate::bencher::Bencher;
}
