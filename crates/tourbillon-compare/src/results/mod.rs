//! A comparison as text, as Markdown, and as lines of JSON; rows for the reports of CI.

pub(crate) mod build_list;
pub(crate) mod json_lines;
pub(crate) mod notes;
pub(crate) mod reason;
pub(crate) mod row;
pub(crate) mod rows;
pub(crate) mod text;
