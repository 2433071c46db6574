//! Bench targets: having cargo build them, and telling what they are.

mod build;
mod target;
mod workspace;

pub(crate) use self::build::{Built, build, messages};
pub(crate) use self::target::{Kind, Target, kind};
pub(crate) use self::workspace::Workspace;
