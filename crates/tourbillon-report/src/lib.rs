//! What a person reads: header, progress, table, failures, summary, lists and the line of a casual
//! timing; and the forms of results that other programs read.
//!
//! Data in, text out: nothing here prints, reads a clock or asks the terminal anything. The caller
//! says in a [`Style`] how wide the terminal is and whether it takes colour and Unicode.
//!
//! Three things hold for every text made here, whatever the data:
//!
//! * no line is wider than [`Style::width`], or [`Style::NARROWEST`] (the machine-read [`list_terse`] and the one-line
//!   [`Display`](std::fmt::Display) of [`Timing`] have no width);
//! * no control, escape or direction-changing character of the data comes through, see [`escape`];
//! * a figure shows the digits that its interval supports, see [`Figure`].
//!
//! Texts of several lines end with a line feed, [`Progress`] and [`Timing`]'s `Display` do not.

#![forbid(unsafe_code)]

mod allocations;
mod counted;
mod escape;
mod facts;
mod faults;
mod figure;
mod formats;
mod header;
mod list;
mod machine_events;
mod measure;
mod number;
mod pieces;
mod progress;
mod style;
mod summary;
mod sweeps;
mod table;
mod text;
mod timing;
mod tree;
mod verdicts;
mod warning;
mod wrap;

pub use allocations::Allocations;
pub use counted::{bytes, counted, is_exact, same_count};
pub use escape::{display_width, escape};
pub use faults::{fault, faults};
pub use figure::{Figure, Ratio};
pub use formats::{CellRow, Cells, ReportFormat, TableData};
pub use header::header;
pub use list::{list_pretty, list_terse};
pub use measure::measured;
pub use pieces::Pieces;
pub use progress::Progress;
pub use style::Style;
pub use summary::{Stored, Summary};
pub use sweeps::Sweeps;
pub use table::{Remark, Table};
pub use timing::Timing;
pub use tree::case_label;
pub use verdicts::{differs_from_times, ratio_and_finding, verdict, verdicts};
pub use warning::Warning;
