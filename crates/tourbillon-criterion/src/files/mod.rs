//! The files below `target/criterion`, as criterion writes them and other programs read them.

mod contents;
mod folder;
mod index;
mod root;

pub(crate) use folder::{Folder, Written};
pub(crate) use index::write_index;
pub(crate) use root::root;
