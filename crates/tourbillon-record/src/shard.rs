//! The part of the cases that one of several runs measures.

use crate::Error;
use crate::codec::object;
use crate::members::Members;

/// One of several runs that together measure the selected cases, on one machine or on several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shard {
    /// How cases are divided: `hash` or `slice`.
    pub method: String,
    /// Number of this shard, from 1 to `of`.
    pub number: u64,
    /// How many shards there are.
    pub of: u64,
    /// How many cases of this bench target all shards measure together.
    pub cases: u64,
    /// A hash of the ids of these cases, whatever their order: shards of other cases are another suite. `None` in
    /// records of earlier versions.
    pub ids: Option<u64>,
}

object! {
    Shard { method, number, of, cases, ids } check in_range
}

impl Shard {
    fn in_range(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let Shard { number, of, .. } = *self;
        if (1..=of).contains(&number) {
            return Ok(());
        }
        Err(from.malformed(&format!(
            "field `number` is {number}, where a number from 1 to field `of`, {of}, is expected"
        )))
    }
}
