use tourbillon_record::Visit;

use super::crowd::Crowd;
use super::empty_loop::EmptyLoop;

/// What tells of a neighbour beside the rounds of a visit: the same whatever the visit is read for.
pub(crate) struct Beside {
    /// What additions took.
    pub(crate) crowd: Option<Crowd>,
    /// What the empty loop cost.
    pub(crate) empty_loop: Option<EmptyLoop>,
}

impl Beside {
    /// Reads it from a visit.
    #[inline(never)]
    pub(crate) fn of(visit: &Visit) -> Beside {
        // Longer batches may have had other neighbours in the middle than at their ends.
        let crowd = match &visit.chain {
            Some(chain) if visit.length.slope => Crowd::of(chain),
            _ => None,
        };
        Beside {
            crowd,
            empty_loop: EmptyLoop::of(visit),
        }
    }
}
