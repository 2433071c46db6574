//! Bench targets: builds and recognises them.

mod build;
mod target;
mod workspace;

pub use self::build::{Built, build, messages};
pub use self::target::{Kind, Target, kind};
pub use self::workspace::Workspace;
