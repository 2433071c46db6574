//! The table of results.

mod disturbance;
mod document;
mod extra_columns;
mod finding;
mod gather;
mod input;
mod legend;
mod notes;
mod options;
mod order;
mod row;

pub(crate) use extra_columns::extra_figures;
pub(crate) use gather::found;
pub use input::{Before, Table, TableData};
pub(crate) use input::{Found, RatioMetrics, named_confidence};
pub(crate) use legend::Legend;
pub(crate) use options::InCsv;
pub use options::{OptionalColumn, RowOrder, TableOptions};
pub(crate) use row::cells;
