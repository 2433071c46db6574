//! The words of schema 1, which is still read: [`MEMBERS`] and [`VALUES`] hold what a record calls a
//! thing now, and what schema 1 called it. They are accepted in every record, since no word of schema 1 has another
//! meaning in a later one.

/// Names of members. No object has both of a row.
const MEMBERS: [(&str, &str); 17] = [
    ("batch_shape", "length"),
    ("busy_ticks", "wanted_ticks"),
    ("discarded", "dropped"),
    ("elapsed_ns", "elapsed"),
    ("fenced", "apart"),
    ("in_figure", "kept"),
    ("launch_ns", "visit_ns"),
    ("launch_ticks", "visit_ticks"),
    ("launches", "visits"),
    ("launches_ns", "visits_ns"),
    ("location", "place"),
    ("machine_events", "meanwhile"),
    ("pilot_launch", "scout"),
    ("placement", "layout"),
    ("placements", "layouts"),
    ("requested", "asked"),
    ("start_spread_ticks", "apart_ticks"),
];

/// Types of lines, names of notes, and words of the closed lists.
const VALUES: [(&str, &str); 5] = [
    ("contended", "crowded"),
    ("launch", "visit"),
    ("launches_requested", "launches_asked"),
    ("oversubscribed", "threads_in_turns"),
    ("placements", "layouts"),
];

/// Members that came without a new schema, and the JSON that stands for a missing one.
const MISSING: [(&str, &str); 3] = [("cycles", "[]"), ("lead_in", "1"), ("memory", "false")];

/// What schema 1 calls a member.
pub(crate) fn old_name(name: &str) -> Option<&'static str> {
    let (_, old) = MEMBERS.iter().find(|(new, _)| *new == name)?;
    Some(old)
}

/// What a word of schema 1 is now.
pub(crate) fn current(word: &str) -> &str {
    let renamed = VALUES.iter().find(|(_, old)| *old == word);
    renamed.map_or(word, |(new, _)| new)
}

/// The JSON that stands for a missing member.
pub(crate) fn instead(name: &str) -> Option<&'static str> {
    let (_, json) = MISSING.iter().find(|(missing, _)| *missing == name)?;
    Some(json)
}
