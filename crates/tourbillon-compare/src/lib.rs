//! Compares builds side by side, for people and for CI.
//!
//! Builds are made or found ([`tourbillon_builds`]), the cases of all sides are listed and paired (`pairing`), and the
//! gate is read (`gate`), before anything is measured (`measure`). Results are printed as text, Markdown and lines of
//! JSON (`results`). [`ci`] compares the head of a branch with its base, [`watch`] the working tree with a revision after
//! each save, [`attempt`](attempt()) attempts with what was kept of earlier ones, and [`merge`] joins the records of shards
//! and of machines.
//!
//! A part of Tourbillon; use the commands `cargo tourbillon compare`, `watch`, `attempt`, `ci` and `merge`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

mod attempt;
mod command;
mod confirmation;
mod counts;
mod explanation;
mod facts;
mod gate;
mod growth;
mod judgement;
mod measure;
mod measurement;
mod numbers;
mod options;
mod pairing;
mod results;
mod store;
mod subjects;
mod verify;
mod watch;

pub mod ci;
pub mod merge;

pub use self::attempt::{Answer, AttemptRequest, CAMPAIGN_ERROR, attempt, error_of, spent_by};
pub use self::command::{Request, run};
pub use self::confirmation::{Confirmed, Explain};
pub use self::facts::{KeptBuild, MEASURED_WHY, case_measured_why, is_comparison, kept_builds};
pub use self::gate::flag::GateFlag;
pub use self::gate::limits::{confidence, share};
pub use self::gate::thresholds::Gate;
pub use self::judgement::Compared;
pub use self::measure::trace;
pub use self::options::{Demand, Options, RevisionOptions};
pub use self::pairing::Comparison;
pub use self::pairing::builds::{all_listed, check_unchanged, find_unchanged, paired};
pub use self::pairing::file_pattern::{FilePattern, NoPattern};
pub use self::pairing::files_read::UnreadFiles;
pub use self::pairing::listing::{Listed, header_of};
pub use self::results::json_lines::why_line;
pub use self::results::record::{recorded, recorded_answer};
pub use self::subjects::{Subjects, subject};
pub use self::watch::{WatchRequest, watch};
