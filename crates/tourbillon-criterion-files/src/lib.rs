//! The files of criterion, which critcmp and others read: what stands in them, not where they are written.

#![forbid(unsafe_code)]

mod amount;
mod batch;
mod benchmark_name;
mod directories;
mod estimates;
mod files;
mod unique_names;

pub use amount::Amount;
pub use batch::{Batch, batches};
pub use benchmark_name::BenchmarkName;
pub use directories::{Directories, directory_of, folder_name};
pub use estimates::{Estimate, Estimates, standard_errors};
pub use files::{Files, estimate_json};
pub use unique_names::UniqueNames;
