//! Bench targets: having cargo build them, and telling what they are.

mod build;
mod target;
mod workspace;

pub use self::build::{Built, build, messages};
pub use self::target::{Kind, Target, kind};
pub use self::workspace::Workspace;
