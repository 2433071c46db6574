//! The members of the rows of documents.

/// What a member of a row holds, or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
}

use Holds::{Flag, Number, Text};

/// The members of the rows of a table, in order: what some hold, and their names with blanks between them.
pub type Members = &'static [(Holds, &'static str)];

pub(super) const RESULTS: Members = &[
    (Text, "case"),
    (Number, "time interval cycles instructions allocs bytes"),
    (
        Text,
        "throughput last reference reference_interval reference_why",
    ),
    (Number, "mean median min max sd mad p90 ratio rank"),
    (Number, "cpu_cycles cpu_instructions ipc"),
    (
        Number,
        "branches branch_misses cache_references cache_misses",
    ),
    (Number, "minor_faults context_switches"),
    (Text, "id metric unit"),
    (Number, "lower upper"),
    (Text, "absent"),
];
pub(super) const VERDICTS: Members = &[
    (Text, "case verdict"),
    (Number, "reference candidate ratio lower upper margin"),
    (Text, "gate"),
];
pub(super) const ATTEMPTS: Members = &[
    (Number, "attempt"),
    (Text, "answer"),
    (Number, "error seconds"),
    (Text, "why diff reference commit"),
    (Number, "measurement seconds_needed time_needed"),
];
/// Why cases are faster or slower.
pub(super) const CAUSES: Members = &[
    (Text, "case cause sentence"),
    (Number, "ratio instructions_before instructions_now"),
];
pub(super) const FUNCTION_DIFFERENCES: Members = &[
    (Text, "function"),
    (Number, "before now difference"),
    (Text, "change case"),
];
pub(super) const CHANGED_LINES: Members = &[
    (Text, "line change"),
    (Number, "instructions"),
    (Text, "text case"),
];
/// Lines of sources, each followed by its instructions.
pub(super) const CODE: Members = &[
    (Text, "code"),
    (Number, "instructions"),
    (Text, "row address function build case"),
];
pub(super) const FUNCTIONS: Members = &[(Text, "function"), (Number, "instructions share inlined")];
pub(super) const LINES: Members = &[
    (Text, "line"),
    (Number, "instructions share"),
    (Text, "text"),
];
pub(super) const COMMANDS: Members = &[
    (Text, "command"),
    (Number, "time_ns lower_ns upper_ns min_ns max_ns"),
    (Number, "cpu_ns user_ns system_ns peak_bytes"),
    (Text, "verdict"),
    (Number, "ratio ratio_lower ratio_upper"),
    (Number, "runs page_faults switches"),
    (Number, "cpu_cycles instructions"),
    (Number, "cache_references cache_misses branch_misses"),
];
pub(super) const LOG: Members = &[
    (Text, "commit started"),
    (Number, "value lower upper"),
    (Text, "unit case metric machine"),
];
pub(super) const NOMINATIONS: Members = &[
    (Text, "case machine metric"),
    (Number, "ratio"),
    (Text, "verdict"),
    (Number, "measured_ratio measured_lower measured_upper"),
    (Text, "commits likely runs accepted"),
];
/// The commits that a search examined.
pub(super) const EXAMINED: Members = &[(Text, "commit change"), (Number, "ratio"), (Text, "note")];
pub(super) const COMMITS: Members = &[(Text, "commit subject")];
pub(super) const KEPT: Members = &[
    (Text, "name kind"),
    (Number, "count bytes"),
    (Text, "last_used"),
];
pub(super) const FINDINGS: Members = &[(Text, "check severity found why remedy absent guide")];
pub(super) const REFERENCE_KERNELS: Members = &[
    (Text, "kernel"),
    (Number, "true_cycles measured_cycles"),
    (Number, "lower_cycles upper_cycles error_cycles"),
    (Flag, "below_resolution"),
    (Text, "verdict"),
];
