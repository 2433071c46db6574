//! The table of results.

mod disturbance;
mod draw;
mod finding;
mod gather;
mod input;
mod layout;
mod legend;
mod notes;
mod options;
mod order;
mod requested;
mod row;

pub(crate) use draw::Parts;
pub(crate) use gather::found;
pub(crate) use input::Found;
pub use input::{Table, TableData};
pub(crate) use layout::Layout;
pub use notes::Remark;
pub(crate) use notes::remarks;
pub use options::{OptionalColumn, RowOrder, TableOptions};
pub(crate) use requested::requested;
