//! What is built, and the checkout or the clone that it comes from.

pub(crate) mod checkout;
pub(crate) mod commits;
pub(crate) mod decisive;
pub(crate) mod git;
pub(crate) mod lend;
pub(crate) mod names;
pub(crate) mod partial;
pub(crate) mod subject;
pub(crate) mod submodules;
pub(crate) mod unknown;
