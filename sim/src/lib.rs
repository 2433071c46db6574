//! Simulations of the statistics: a virtual machine, and the project's own estimators on it.
//!
//! [`Machine`] makes the batches that a worker would have measured, with whatever a machine does to
//! them; the functions that make results and verdicts of real runs make them of these. As the truth is
//! known, it can be counted how often they are right: coverage, false decisions, power. With each
//! stands what others do, as a negative control: where it did not fail, the simulation would show
//! nothing. Real runs, repeated over an hour, are held against each other as well.

#![forbid(unsafe_code)]

mod attempts;
mod bisections;
mod builds;
mod cases;
mod cells;
mod chance;
mod comparison;
mod contention;
mod controls;
mod coverage;
mod disturbed;
mod fleets;
mod functions;
mod history;
mod launches;
mod log_tables;
mod machine;
mod machines;
mod percentiles;
mod precision;
mod proportion;
mod real;
mod recorded;
mod redrawn;
mod redrawn_commands;
mod repeats;
mod shards;
mod simulated_run;
mod steadiness;
mod suites;
mod sweep_truths;
mod sweeps;
mod table;
mod tally;
mod tried_builds;
mod verdicts;

pub use attempts::attempts;
pub use bisections::bisections;
pub use builds::{changed_builds, same_builds};
pub use cases::cases;
pub use cells::{for_contention, for_precision, for_runs};
pub use chance::Chance;
pub use comparison::{Change, Comparison, Order, Turns};
pub use contention::contention;
pub use controls::controls;
pub use coverage::{Cell, coverage};
pub use disturbed::disturbed_functions;
pub use functions::{changed_functions, same_functions};
pub use history::history;
pub use log_tables::print_tables;
pub use machine::{Contention, Interruption, Machine};
pub use machines::machines;
pub use percentiles::percentiles;
pub use precision::precision;
pub use proportion::Proportion;
pub use real::{Reading, line, parse, readings, real_coverage};
pub use recorded::{Recorded, recorded, redrawn, tried};
pub use redrawn::{Trace, redrawn as redrawn_builds};
pub use redrawn_commands::{command_rounds, redrawn_commands};
pub use repeats::Repeats;
pub use shards::shards;
pub use steadiness::steadiness;
pub use suites::suites;
pub use sweeps::sweeps;
pub use table::{Claim, Table, quantile};
pub use tally::Tally;
pub use tried_builds::TriedBuilds;
