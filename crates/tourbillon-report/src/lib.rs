//! What people read: header, progress, table, failures, summary, lists and the line of a timing outside
//! a harness; and results in formats for other programs.
//!
//! Data in, text out: nothing here prints, reads a clock or queries the terminal. The caller passes a
//! [`Style`] with the width of the terminal and whether it takes colour and Unicode.
//!
//! Three things hold for every text for people made here, whatever the data:
//!
//! * no line is wider than [`Style::width`], or [`Style::NARROWEST`], unless it holds a single word that
//!   is, such as a path (the machine-read [`list_terse`] and [`Timing`] have no width);
//! * no control, escape or direction-changing character of the data passes, see [`escape`];
//! * a figure shows the digits that its interval supports, see [`Figure`].
//!
//! Texts of several lines end with a line feed, [`Progress`] and [`Timing`] do not.

#![forbid(unsafe_code)]

mod allocations;
mod assertions;
mod beside;
mod case_results;
mod facts;
mod faults;
mod first_figures;
mod formats;
mod header;
mod latencies;
mod names;
mod summary;
mod sweeps;
mod table;
mod timing;
mod tree;
mod verdicts;

pub use allocations::changed_counts;
pub use assertions::{AssertedPair, asserted_pairs};
pub use beside::{Beside, beside};
pub use case_results::CaseResults;
pub use faults::{fault, faults};
pub use first_figures::first_figures;
pub use formats::ReportFormat;
pub use header::{SEVERAL_TARGETS, full_header, header, program_name, warning};
pub use names::{
    Names, Selectable, cases_named, did_you_mean, function, is_named, is_selected, not_expressions,
    printed_name,
};
pub use summary::{Progress, Stored, Summary};
pub use sweeps::{Sweeps, refusal};
pub use table::{Before, OptionalColumn, RowOrder, Table, TableData, TableOptions};
pub use timing::Timing;
pub use tourbillon_present::{
    Change, CsvForm, Explanation, Figure, Ink, Note, Outcome, Ratio, Reason, Status, Style,
    TextLines, bytes, counted, counted_figure, counted_figures, display_width, duration, escape,
    escape_commands, escape_json, escape_lines, escape_page, first_names, is_exact, measured,
    padded, same_count, shell_operand, shell_word, shortened, trimmed_percent,
};
pub use tree::{list_pretty, list_terse, sweep_name};
pub use verdicts::{
    answer, asserted, assertions, compared, comparison_basis, comparisons, differs_from_times,
    outside_of_rows, sides, verdict,
};
