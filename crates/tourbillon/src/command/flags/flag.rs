//! What a flag is: its names, its place in the help, and what it sets.

/// One flag.
#[derive(Debug)]
pub(super) struct Flag {
    /// Name after two dashes; empty for one that has only a short name.
    pub(super) long: &'static str,
    /// Name after one dash.
    pub(super) short: Option<char>,
    /// Heading of the help under which it stands.
    #[cfg_attr(not(test), expect(dead_code, reason = "help.txt is drawn from it"))]
    pub(super) group: Group,
    /// Name that stands for its value in texts; empty for a switch.
    pub(super) value: &'static str,
    /// What it sets.
    pub(super) sets: Sets,
    /// One or two sentences, without a full stop at the end.
    #[cfg_attr(not(test), expect(dead_code, reason = "help.txt is drawn from it"))]
    pub(super) help: &'static str,
}

/// What flags set; how is in `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sets {
    Help,
    Version,
    List,
    Test,
    Bench,
    Exact,
    Skip,
    Tag,
    Ignored,
    IncludeIgnored,
    Launches,
    Precision,
    MinTime,
    MaxTime,
    MinIterations,
    Timeout,
    Clock,
    Cpus,
    Seed,
    Save,
    Baseline,
    Against,
    ProfileTime,
    Format,
    Color,
    Quiet,
    NoCapture,
    Store,
    NoStore,
    /// Which cases are meant; this is no flag but any other argument.
    Filter,
    /// Nothing; the value is a number.
    Count,
    /// Nothing, whatever the value.
    Nothing,
}

/// Headings of the help, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Mode,
    Selection,
    Measuring,
    Output,
    Accepted,
}

#[cfg(test)]
impl Group {
    pub(super) const ALL: [Group; 5] = [
        Group::Mode,
        Group::Selection,
        Group::Measuring,
        Group::Output,
        Group::Accepted,
    ];

    pub(super) const fn heading(self) -> &'static str {
        match self {
            Group::Mode => "What to do (of several, the first in this list)",
            Group::Selection => "Which cases",
            Group::Measuring => "How to measure (flags win over attributes)",
            Group::Output => "What to print and keep",
            Group::Accepted => "Taken for the sake of test runners, without effect",
        }
    }
}

pub(super) const fn flag(
    group: Group,
    long: &'static str,
    value: &'static str,
    sets: Sets,
    help: &'static str,
) -> Flag {
    Flag {
        long,
        short: None,
        group,
        value,
        sets,
        help,
    }
}

pub(super) const fn with_short(short: char, flag: Flag) -> Flag {
    Flag {
        short: Some(short),
        ..flag
    }
}
