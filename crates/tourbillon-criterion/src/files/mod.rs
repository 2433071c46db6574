//! The files below `target/criterion`, as criterion writes them and other programs read them.

mod contents;
mod directory;
mod folder;
mod index;
mod json;

pub(crate) use contents::Batch;
pub(crate) use directory::{Directories, directory_of, root};
pub(crate) use folder::{Folder, Written};
pub(crate) use index::write_index;
