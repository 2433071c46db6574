//! The pairs of the `pairs` benchmark of the examples, with the same list of cases.

#[path = "../../../examples/benches/pairs/list.rs"]
mod list;

use crate::{Named, with_pairs};

macro_rules! names {
    ($($group:literal: $reference:ident = $one:expr $(, $member:ident = $other:expr)+;)+) => {
        &[$(
            (stringify!($reference), None),
            $((stringify!($member), Some(stringify!($reference))),)+
        )+]
    };
}

/// The cases, which every harness calls alike.
pub const PAIRS: &[Named] = with_pairs!(names);
