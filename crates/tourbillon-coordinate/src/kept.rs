use tourbillon_record::Visit;

use crate::Observer;

/// A visit that was made.
#[derive(Debug)]
pub enum Kept {
    /// Here.
    Here(Box<Visit>),
    /// With the observer, who finds it by its place.
    There {
        /// Where it begins.
        at: u64,
        /// How many bytes it has.
        bytes: u64,
    },
}

/// The visits of a case, and how many could not be had any more.
#[inline(never)]
pub(crate) fn all(kept: &[Kept], observer: &mut dyn Observer) -> (Vec<Visit>, u32) {
    let mut visits = Vec::with_capacity(kept.len());
    let mut lost = 0;
    for kept in kept {
        let visit = match kept {
            Kept::Here(visit) => Some((**visit).clone()),
            Kept::There { at, bytes } => observer.again(*at, *bytes),
        };
        match visit {
            Some(visit) => visits.push(visit),
            None => lost += 1,
        }
    }
    (visits, lost)
}
