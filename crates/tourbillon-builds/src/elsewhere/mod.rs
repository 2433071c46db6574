//! Other machines: what is sent to one, what comes back, and the program that reaches it.

mod package_files;
mod parcel;
mod platform;
mod runner;

pub use self::parcel::{Parcel, is_record, received};
pub(crate) use self::platform::{Platform, platform_of};
pub use self::runner::Runner;
