//! What the code that the `bench` attribute generates refers to, and what tests of it look at. No
//! part of the API: it changes together with the attribute.

pub use tourbillon_engine::hide;

pub use super::cases::{Cases, Flow};
pub use super::entry::{Entry, Origin};
pub use super::label::{Label, LabelByDebug, LabelByDisplay, LabelMissing};
pub use super::output::{
    BenchmarkEnd, ErrorByDebug, ErrorByDisplay, ErrorUnshown, NoError, Output, ended,
};
pub use super::parameter::{CopiedValue, FirstParameter, bencher, copied};
pub use super::registered::Registered;
pub use super::settings::Settings;
pub use crate::__register as register;
pub use crate::bencher::Bencher;
