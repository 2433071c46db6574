//! Thresholds, and which cases exceed them.

pub(crate) mod by_case;
pub(crate) mod claims;
pub(crate) mod flag;
pub(crate) mod limits;
pub(crate) mod records;
pub(crate) mod result;
pub(crate) mod thresholds;
