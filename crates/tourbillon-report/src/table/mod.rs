//! The table of results.

mod disturbance;
mod draw;
mod gather;
mod input;
mod layout;
mod legend;
mod notes;
mod row;

pub(crate) use draw::Parts;
pub(crate) use gather::found;
pub(crate) use input::Found;
pub use input::{Table, TableData};
pub(crate) use layout::Layout;
pub use notes::Remark;
pub(crate) use notes::remarks;
pub(crate) use row::COLUMNS;
