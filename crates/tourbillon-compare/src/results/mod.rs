//! A comparison as a document and as lines of JSON; its rows, which the reports of CI have too.

pub(crate) mod assertion;
pub(crate) mod basis;
pub(crate) mod build_list;
pub(crate) mod case_outcome;
pub(crate) mod document;
pub(crate) mod json_lines;
pub(crate) mod notes;
pub(crate) mod record;
pub(crate) mod rows;
pub(crate) mod suite;
