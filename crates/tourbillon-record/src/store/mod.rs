//! The store of runs: append, find, prune.
//!
//! ```text
//! <store>/runs/<package>/<target>/<time>-<pid>.jsonl    one file for each run of a bench binary
//! <store>/baselines/                                    runs kept under a name
//! ```
//!
//! * Invariant: a stored run is never edited. Whole lines are appended while it happens; nothing else
//!   is ever written to it.
//! * Invariant: the process that writes a run holds a lock on its file, which the system releases
//!   however that process ends. A run that is being written is neither pruned nor taken for the last
//!   one.
//! * Invariant: a run that began after now, by a clock that was ahead, hides no other and removes none.
//! * Invariant: a file that cannot be read is skipped and reported; it never fails a run.

mod baseline;
mod draft;
mod error;
mod folder;
mod last;
mod names;
mod results;
mod runs;
mod writer;

pub use draft::Draft;
pub use error::Error;
pub use folder::Store;
pub use last::{Found, Last, Skipped};
pub use names::file_name;
pub use runs::{KEPT, TargetRuns, is_of_run};
pub use writer::RunWriter;
