//! The pairs of the `pairs` benchmark of the examples, with the same list of cases.

#[path = "../../../examples/benches/pairs/list.rs"]
mod list;

use crate::with_pairs;

macro_rules! names {
    ($($group:literal: $reference:ident $one:ident($($input:expr)?) $(, $member:ident $other:ident($($value:expr)?))+;)+) => {
        &[$(
            (stringify!($reference), None),
            $((stringify!($member), Some(stringify!($reference))),)+
        )+]
    };
}

/// The names of the cases, which every harness calls alike, and of the one that each is compared with.
pub const PAIRS: &[(&str, Option<&str>)] = with_pairs!(names);
