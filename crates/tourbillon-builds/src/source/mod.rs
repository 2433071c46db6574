//! What is built, and the checkout or the clone that it comes from.

pub(crate) mod checkout;
pub(crate) mod commits;
mod conversions;
pub(crate) mod data_files;
pub(crate) mod decisive_files;
pub(crate) mod editor_files;
pub(crate) mod git;
pub(crate) mod ignore_rules;
pub(crate) mod lend;
mod lock_file;
pub(crate) mod lock_steps;
pub(crate) mod names;
pub(crate) mod partial_clone;
pub(crate) mod revision_files;
pub(crate) mod snapshot;
pub(crate) mod subject;
pub(crate) mod submodules;
pub(crate) mod unknown;
