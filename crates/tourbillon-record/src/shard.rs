//! The part of the cases that one of several runs measures.

use crate::codec::object;

/// One of several runs that together measure the selected cases, on one machine or on several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shard {
    /// How cases are divided: `hash` or `slice`.
    pub method: String,
    /// Number of this shard, from 1.
    pub number: u64,
    /// How many shards there are.
    pub of: u64,
    /// How many cases of this bench target all shards measure together.
    pub cases: u64,
}

object! {
    Shard { method, number, of, cases }
}
