//! Blocks of the heap and what they take of it.

use std::fmt;

use crate::details::Watched;
use crate::size_text::{Counted, Size};

/// Blocks of the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// How many blocks.
    pub blocks: u64,
    /// Bytes that the program asked for: the content.
    pub requested_bytes: u64,
    /// Bytes that it could use, the allocator's rounding included; `None` where the allocator does
    /// not tell.
    pub usable_bytes: Option<u64>,
    /// Bytes taken from the heap, headers of the blocks included; `None` where that is not known.
    pub chunk_bytes: Option<u64>,
}

impl Heap {
    /// Bytes beyond those that were asked for: rounding, and headers where they are known.
    #[must_use]
    pub fn overhead_bytes(&self) -> Option<u64> {
        let taken = self.chunk_bytes.or(self.usable_bytes)?;
        Some(taken.saturating_sub(self.requested_bytes))
    }

    /// Whether there is nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.blocks == 0 && self.requested_bytes == 0
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = Counted(self.blocks, "block");
        write!(f, "{} in {blocks}", Size(self.requested_bytes))?;
        match self.usable_bytes {
            Some(usable) if usable != self.requested_bytes => {
                write!(f, " (usable {})", Size(usable))
            }
            _ => Ok(()),
        }
    }
}

/// How much the heap grew by; negative where it shrank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    blocks: i64,
    requested_bytes: i64,
    usable_bytes: Option<i64>,
    chunk_bytes: Option<i64>,
}

impl Growth {
    pub(crate) fn of(watched: &Watched) -> Self {
        Self {
            blocks: watched.counts.live_blocks(),
            requested_bytes: watched.counts.live_bytes(),
            usable_bytes: watched.extent.usable_bytes(),
            chunk_bytes: watched.extent.chunk_bytes(),
        }
    }

    /// Whether the program asked for the same; what the allocator made of it may differ.
    pub(crate) fn same_request(&self, other: &Self) -> bool {
        (self.blocks, self.requested_bytes) == (other.blocks, other.requested_bytes)
    }

    /// What the heap shrank by.
    pub(crate) fn reversed(self) -> Self {
        Self {
            blocks: -self.blocks,
            requested_bytes: -self.requested_bytes,
            usable_bytes: self.usable_bytes.map(|bytes| -bytes),
            chunk_bytes: self.chunk_bytes.map(|bytes| -bytes),
        }
    }

    pub(crate) fn less(self, other: Self) -> Self {
        let less = |a: Option<i64>, b: Option<i64>| Some(a? - b?);
        Self {
            blocks: self.blocks - other.blocks,
            requested_bytes: self.requested_bytes - other.requested_bytes,
            usable_bytes: less(self.usable_bytes, other.usable_bytes),
            chunk_bytes: less(self.chunk_bytes, other.chunk_bytes),
        }
    }

    /// The part of it that is growth: nothing where the heap shrank.
    pub(crate) fn grown(self) -> Heap {
        let grown = |amount: i64| u64::try_from(amount).unwrap_or(0);
        Heap {
            blocks: grown(self.blocks),
            requested_bytes: grown(self.requested_bytes),
            usable_bytes: self.usable_bytes.map(grown),
            chunk_bytes: self.chunk_bytes.map(grown),
        }
    }
}
