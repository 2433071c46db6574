use tourbillon_record::{Entry, Frame, Visit};

use crate::Observer;

/// A visit that was made.
#[derive(Debug)]
pub(crate) enum StoredLaunch {
    /// Here, as its line: what is looked at once or twice needs no form of its own for waiting.
    Here(String),
    /// With the observer, who finds it by its place.
    There(ByteRange),
}

/// A part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// Where it begins, in bytes.
    pub at: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Tells the observer of a visit, and keeps it if nobody else does.
#[inline(never)]
pub(crate) fn keep(visit: &Visit, observer: &mut dyn Observer) -> StoredLaunch {
    match observer.visit(visit) {
        Some(there) => StoredLaunch::There(there),
        None => StoredLaunch::Here(Entry::Visit(visit).encode()),
    }
}

/// The visits of a case, and how many could not be read back; the observer hears of these.
#[inline(never)]
pub(crate) fn all(kept: &[StoredLaunch], observer: &mut dyn Observer) -> (Vec<Visit>, u32) {
    let mut visits = Vec::with_capacity(kept.len());
    let mut lost = 0;
    for kept in kept {
        let visit = match kept {
            StoredLaunch::Here(line) => read(line),
            StoredLaunch::There(there) => match observer.again(*there) {
                Some(line) => read(&line),
                None => None,
            },
        };
        match visit {
            Some(visit) => visits.push(visit),
            None => lost += 1,
        }
    }
    if lost > 0 {
        observer.unreadable();
    }
    (visits, lost)
}

/// The visit in a line of a record.
fn read(line: &str) -> Option<Visit> {
    match Frame::decode(line.trim_ascii_end()) {
        Ok(Frame::Visit(visit)) => Some(*visit),
        _ => None,
    }
}
