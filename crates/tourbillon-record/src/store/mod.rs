//! The store of runs: append, find, prune.
//!
//! ```text
//! <store>/runs/<package>/<target>/<time>-<pid>.jsonl    one file for each run of a bench binary
//! <store>/baselines/                                    runs kept under a name
//! ```
//!
//! * Invariant: a stored run is never edited. Whole lines are appended while it happens; nothing
//!   else is ever written to it.
//! * Invariant: whoever writes a run holds a lock on its file, which the system releases however
//!   the writer ends. A run that is being written is neither pruned nor taken for the last one.
//! * Invariant: what cannot be read is passed over and named; it never fails a run.

mod baseline;
mod error;
mod file_name;
mod folder;
mod last;
mod locate;
mod prune;
mod stamp;
mod writer;

pub use error::Error;
pub use file_name::file_name;
pub use folder::Store;
pub use last::{Found, Last, Skipped};
pub use prune::KEPT;
pub use writer::RunWriter;
